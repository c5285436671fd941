// The units that are in registers at one point while spill() walks over the code.
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.hpp"

namespace warpwright::compiler {

class RegisterSet {
 public:
  explicit RegisterSet(u32 units = 0) : isIn_(units) {}

  bool contains(u32 unit) const { return isIn_[unit]; }
  u32 size() const { return static_cast<u32>(list_.size()); }
  const std::vector<u32>& units() const { return list_; }
  void insert(u32 unit) {
    if (isIn_[unit]) return;
    isIn_[unit] = true;
    list_.push_back(unit);
  }
  void erase(u32 unit) {
    if (!isIn_[unit]) return;
    isIn_[unit] = false;
    list_.erase(std::find(list_.begin(), list_.end(), unit));
  }

 private:
  std::vector<bool> isIn_;
  std::vector<u32> list_;
};

}  // namespace warpwright::compiler
