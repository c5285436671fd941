#include "sm/pipeline/stage_row.hpp"

#include <algorithm>

namespace warpwright::sm {

void StageRow::take(SubWarp subWarp, u32 moves, InFlight& inFlight, Cycle now) {
  subWarps_.push({subWarp, clock(now) + moves});
  tellPassed(inFlight, now);
}

bool StageRow::tellPassed(InFlight& inFlight, Cycle now) {
  const u32 before = passed_;
  for (; passed_ < subWarps_.size() && subWarps_[passed_].due <= clock(now) + certain_; ++passed_)
    inFlight.passedMemory(subWarps_[passed_].subWarp, now);
  return passed_ != before;
}

bool StageRow::tick(InFlight& inFlight, WriteBackPort& port, Cycle now, bool held) {
  const std::optional<SubWarp> last = due(now);
  stalled_ = last && (held || (inFlight.wantsPort(*last) && !port.take()));
  if (stalled_) {
    ++stalls_;
    return true;
  }
  const bool told = tellPassed(inFlight, now);
  if (!last) return told;
  inFlight.leaves(*last, now);
  subWarps_.pop();
  --passed_;
  return true;
}

Cycle StageRow::nextUseful() const {
  Cycle next = kNever;
  if (!subWarps_.empty()) next = Cycle{subWarps_.front().due + stalls_};
  if (passed_ < subWarps_.size()) next = std::min(next, Cycle{subWarps_[passed_].due - certain_ + stalls_});
  return next;
}

}  // namespace warpwright::sm
