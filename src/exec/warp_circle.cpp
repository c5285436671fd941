#include "exec/warp_circle.hpp"

#include <algorithm>

namespace warpwright::exec {
void WarpCircle::forget() {
  isClosed_ = isKept_ = waits_ = isStarved_ = hasMoved_ = false;
  jumps_ = 0;
  power_ = 1;
}

void WarpCircle::waitsForSlot(bool waits) {
  isStarved_ = waits && waits_ && !hasMoved_;
  waits_ = waits;
  hasMoved_ = false;
}

void WarpCircle::executed(Pc pc) {
  hasMoved_ = true;
  if (!isKept_ || (pc < isExecuted_.size() && isExecuted_[pc])) return;
  if (pc >= isExecuted_.size()) isExecuted_.resize(pc + 1);
  isExecuted_[pc] = true;
  executed_.push_back(pc);
}

void WarpCircle::jumped(const Warp& warp, u32 registers, u32 lanes, const isa::Program& program) {
  if (isClosed_) return;
  if (isKept_ && comesBack(warp, registers, lanes, program)) {
    isClosed_ = true;
    return;
  }
  if (isKept_ && ++jumps_ < power_) return;
  if (isKept_) power_ *= 2;
  jumps_ = 0;
  remember(warp, registers, lanes);
}

void WarpCircle::remember(const Warp& warp, u32 registers, u32 lanes) {
  isKept_ = true;
  registers_.assign(warp.state.registers, warp.state.registers + std::size_t{registers} * lanes);
  predicates_ = warp.predicates;
  tree_ = warp.tree;
  turn_ = warp.turn;
  polls_ = warp.polls;
  yields_ = warp.yields;
  polled_ = warp.polled;
  for (const Pc pc : executed_) isExecuted_[pc] = false;
  executed_.clear();
  known_ = 0;
  matters_.reset();
}

bool WarpCircle::isAsBefore(const Warp& warp, u32 location, u32 lanes) const {
  if (location >= kPredicatesFrom) return warp.predicates[location - kPredicatesFrom] == predicates_[location - kPredicatesFrom];
  const std::size_t first = std::size_t{location} * lanes;
  return std::equal(warp.state.registers + first, warp.state.registers + first + lanes, registers_.data() + first);
}

bool WarpCircle::comesBack(const Warp& warp, u32 registers, u32 lanes, const isa::Program& program) {
  if (!(warp.tree == tree_)) return false;
  // They decide which of several paths runs.
  const bool isWhole = warp.tree.paths().size() == 1 && !warp.tree.hasWaiting();
  if (!(isWhole || (warp.turn == turn_ && warp.polls == polls_ && warp.yields == yields_ && warp.polled == polled_))) return false;
  if (known_ != executed_.size()) {
    matters_ = whatMatters(executed_, program);
    known_ = executed_.size();
  }
  const auto differs = [&](u32 location) {
    return matters_[location] && (location >= kPredicatesFrom || location < registers) && !isAsBefore(warp, location, lanes);
  };
  if (differs(differed_)) return false;
  for (u32 location = 0; location < matters_.size(); ++location) {
    if (!differs(location)) continue;
    differed_ = location;
    return false;
  }
  return true;
}

}  // namespace warpwright::exec
