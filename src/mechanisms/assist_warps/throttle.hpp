// Dynamic throttling (section 4.4): the controller watches how busy the schedulers are, and deploys nothing that can wait while they are
// busier than a limit.
#pragma once

#include "base/time.hpp"
#include "base/types.hpp"

namespace warpwright::mechanisms::assist_warps {

class Throttle {
 public:
  // window: cycles that are watched at a time; 0: nothing is. busyPercent: of the issue slots in a window, from which on they are busy.
  Throttle(u32 window, u32 busyPercent, u32 slotsPerCycle)
      : window_(window), limit_((u64{window} * slotsPerCycle * busyPercent + 99) / 100) {}

  // A warp has issued an instruction. Time goes on from call to call.
  void issued(Cycle now) {
    if (window_ == 0) return;
    const u64 index = now.ticks / window_;
    if (index != index_) {
      before_ = index == index_ + 1 ? count_ : 0;
      count_ = 0;
      index_ = index;
    }
    ++count_;
  }

  // As the window before has it. It changes at the ends of windows alone.
  bool isOn(Cycle now) const { return window_ != 0 && issuedBefore(now.ticks / window_) >= limit_; }
  Cycle nextChange(Cycle now) const { return window_ == 0 ? kNever : Cycle{(now.ticks / window_ + 1) * window_}; }

 private:
  u64 issuedBefore(u64 index) const {
    if (index == index_) return before_;
    return index == index_ + 1 ? count_ : 0;
  }

  u64 window_, limit_;
  u64 index_ = 0, count_ = 0, before_ = 0;  // of the window at hand, and instructions in it and in that before
};

}  // namespace warpwright::mechanisms::assist_warps
