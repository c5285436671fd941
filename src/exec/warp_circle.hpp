// Whether a warp goes in a circle. While no memory changes, what a warp does follows from its own state: when that comes back, without an
// effect on the way, it comes back for ever, whatever the order in which warps run. Only what decides where the warp goes, and what it
// accesses, need come back: a loop may count how often it has polled.
#pragma once

#include <vector>

#include "exec/block.hpp"
#include "exec/what_matters.hpp"

namespace warpwright::exec {

class WarpCircle {
 public:
  void forget();
  // The warp has executed an instruction.
  void executed(Pc pc);
  // It has jumped backwards, and no atomic of it is under way.
  void jumped(const Warp& warp, u32 registers, u32 lanes, const isa::Program& program);
  bool isClosed() const { return isClosed_; }
  // Said of a warp now and then: whether it waits for nothing but an issue slot. Of one for which that held twice, and which executed
  // nothing in between, it held all the time: it is starved.
  void waitsForSlot(bool waits);
  bool isStarved() const { return isStarved_; }

 private:
  bool comesBack(const Warp& warp, u32 registers, u32 lanes, const isa::Program& program);
  bool isAsBefore(const Warp& warp, u32 location, u32 lanes) const;
  void remember(const Warp& warp, u32 registers, u32 lanes);

  bool isClosed_ = false, isKept_ = false;
  bool waits_ = false, isStarved_ = false;  // for an issue slot
  bool hasMoved_ = false;                   // since it was said
  u64 jumps_ = 0, power_ = 1;               // Brent's search: the state is kept anew after each power of two
  // As they were then.
  std::vector<u32> registers_;
  std::array<LaneMask, isa::kPredicates + 1> predicates_{};
  PathTree tree_;
  u32 turn_ = 0, polls_ = 0, yields_ = 0;
  std::vector<u64> polled_;
  // Executed since.
  std::vector<bool> isExecuted_;  // by pc
  std::vector<Pc> executed_;
  Locations matters_;
  std::size_t known_ = 0;  // instructions that matters_ takes into account
  u32 differed_ = 0;       // the location that differed last
};

}  // namespace warpwright::exec
