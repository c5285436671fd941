#include "sm/pipeline/memory_path.hpp"

#include <algorithm>

namespace warpwright::sm {

bool MemoryPath::tick(WriteBackPort& port, Cycle now, bool held) {
  const bool acted = row_.tick(inFlight_, port, now, held);
  return leaveFirst(now) || acted;
}

bool MemoryPath::leaveFirst(Cycle now) {
  if (!first_ || now < served_ || row_.isStalled()) return false;
  if (!inFlight_.isServed(*first_, now)) {
    served_ = std::max(served_, inFlight_.servedAt(*first_));
    return false;
  }
  inFlight_.leavesFirst(*first_, now);
  row_.take(*first_, stages_ - 1, inFlight_, now);
  first_.reset();
  return true;
}

void MemoryPath::take(SubWarp subWarp, Cycle now) {
  first_ = subWarp;
  served_ = now + inFlight_.enterMemory(subWarp, now);
}

Cycle MemoryPath::nextUseful(Cycle now) const {
  Cycle next = row_.nextUseful();
  // What the load/store unit has yet to send, it says itself.
  if (first_ && served_ >= now) next = std::min(next, served_);
  return next;
}

}  // namespace warpwright::sm
