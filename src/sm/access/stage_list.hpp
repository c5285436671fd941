// The stages that mechanisms add to an SM's way of data accesses.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sm/access/stage.hpp"

namespace warpwright::sm {

// S is LaneStage or LineStage.
template <class S>
class StageList {
 public:
  using Make = std::function<std::unique_ptr<S>(const StageContext& context)>;

  // Behind those that are there: accesses come to it later.
  void add(Make make) { makes_.push_back(std::move(make)); }
  const std::vector<Make>& all() const { return makes_; }

 private:
  std::vector<Make> makes_;
};

}  // namespace warpwright::sm
