// What an SM has left for blocks: slots for them, registers, shared memory and warp slots.
#pragma once

#include "config/machine.hpp"
#include "sm/launch_plan.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

class Residency {
 public:
  explicit Residency(const config::Machine& machine)
      : registers_(machine.registersPerSm),
        blocks_(machine.blocksPerSm),
        sharedBytes_(machine.sharedBytesPerSm),
        slots_(WarpSet::first(machine.warpsPerSm)) {}

  bool hasRoom(const LaunchPlan& plan) const {
    return blocks_ > 0 && registers_ >= plan.registersPerBlock && sharedBytes_ >= plan.sharedPerBlock &&
           slots_.size() >= plan.warpsPerBlock;
  }
  // Blocks of the launch that there is room for.
  u32 room(const LaunchPlan& plan) const;
  // For a block that there is room for: the slots of its warps, which they take in ascending order.
  WarpSet take(const LaunchPlan& plan);
  void giveBack(const LaunchPlan& plan, WarpSet slots);

 private:
  u32 registers_, blocks_;
  u64 sharedBytes_;
  WarpSet slots_;
};

}  // namespace warpwright::sm
