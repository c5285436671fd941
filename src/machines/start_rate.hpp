// How fast a GPU starts blocks, on all of its SMs together (sm.pipeline.block_starts).
#pragma once

#include <algorithm>

#include "base/time.hpp"
#include "base/types.hpp"

namespace warpwright::machines {

// Times count thousandths of a block at the machine's rate, so that they are whole numbers at any rate. Without a limit all of them are 0.
class StartRate {
 public:
  // blocks: in a thousand core cycles; 0: no limit.
  explicit StartRate(u32 blocks) : rate_(blocks), each_(blocks == 0 ? 0 : kThousandths) {}

  bool mayStart(Cycle now) const { return next_ <= now.ticks * rate_; }
  void started() { next_ += each_; }
  // No block has waited for the rate up to that time: what could have been started before is lost.
  void idle(Cycle until) { next_ = std::max(next_, until.ticks * rate_); }
  // The first cycle in which a block may start.
  Cycle next() const { return Cycle{rate_ == 0 ? 0 : (next_ + rate_ - 1) / rate_}; }

 private:
  static constexpr u64 kThousandths = 1000;

  u64 rate_, each_;
  u64 next_ = 0;
};

}  // namespace warpwright::machines
