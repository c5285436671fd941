// A set of a thread's registers and predicates, for the scoreboard.
#pragma once

#include <array>

#include "base/types.hpp"

namespace warpwright::sm {

class RegisterSet {
 public:
  static constexpr u32 kRegisters = 256, kPredicates = 64;

  void addRegister(u32 number) {
    if (number < kLow) {
      low_ |= u64{1} << number;
    } else {
      hasHigh_ = true;
      high_[number / 64 - 1] |= u64{1} << number % 64;
    }
  }
  void addPredicate(u32 number) { predicates_ |= u64{1} << number; }
  u64 predicates() const { return predicates_; }  // as bits
  bool empty() const { return *this == RegisterSet{}; }
  bool intersects(const RegisterSet& other) const {
    if (((low_ & other.low_) | (predicates_ & other.predicates_)) != 0) return true;
    return hasHigh_ && other.hasHigh_ && highIntersects(other);
  }
  RegisterSet& operator|=(const RegisterSet& other) {
    low_ |= other.low_;
    predicates_ |= other.predicates_;
    if (!other.hasHigh_) return *this;
    hasHigh_ = true;
    for (std::size_t i = 0; i < high_.size(); ++i) high_[i] |= other.high_[i];
    return *this;
  }
  RegisterSet& operator-=(const RegisterSet& other) {
    low_ &= ~other.low_;
    predicates_ &= ~other.predicates_;
    if (!other.hasHigh_) return *this;
    for (std::size_t i = 0; i < high_.size(); ++i) high_[i] &= ~other.high_[i];
    return *this;
  }
  bool operator==(const RegisterSet& other) const { return low_ == other.low_ && predicates_ == other.predicates_ && high_ == other.high_; }

 private:
  static constexpr u32 kLow = 64;

  bool highIntersects(const RegisterSet& other) const {
    u64 any = 0;
    for (std::size_t i = 0; i < high_.size(); ++i) any |= high_[i] & other.high_[i];
    return any != 0;
  }

  // Many kernels have no more registers than the first word holds: the others are looked at where some were ever put in.
  u64 low_ = 0, predicates_ = 0;
  bool hasHigh_ = false;
  std::array<u64, (kRegisters - kLow) / 64> high_{};
};

}  // namespace warpwright::sm
