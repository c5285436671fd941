#include "sm/pipeline/memory_stages.hpp"

#include <algorithm>

namespace warpwright::sm {

MemoryStages::MemoryStages(const config::Machine& machine, InFlight& inFlight, u32 certain, u32 mostOperations)
    : inFlight_(inFlight),
      stages_(machine.sm.memoryStages),
      split_(machine.sm.splitMemoryStages),
      port_(mostOperations),
      memory_(stages_, certain),
      others_(stages_, certain) {}

bool MemoryStages::tick(Cycle now) {
  bool acted = port_.begin(inFlight_, now);
  acted |= memory_.tick(inFlight_, port_, now);
  acted |= others_.tick(inFlight_, port_, now);
  return leaveFirst(now) || acted;
}

bool MemoryStages::leaveFirst(Cycle now) {
  if (!first_ || now < served_ || memory_.isStalled() || !inFlight_.isServed(*first_, now)) return false;
  memory_.take(*first_, stages_ - 1, inFlight_, now);
  first_.reset();
  return true;
}

// Bank conflicts come first: a write-back conflict behind them costs nothing more.
std::optional<Slot> MemoryStages::refuses(const SubWarp* next, Cycle now) const {
  // Without a second way, the stages before the first memory stage stand still as one, even with nothing in the last of them.
  const bool waitsForFirst = first_ && (!split_ || (next && passesMemory(*next)));
  if (waitsForFirst && now < served_) return Slot::bankConflict;
  if (memory_.isStalled() || others_.isStalled()) return Slot::writeBackConflict;
  if (waitsForFirst) return Slot::memoryStructural;
  return std::nullopt;
}

void MemoryStages::take(SubWarp subWarp, Cycle now) {
  if (!passesMemory(subWarp)) return others_.take(subWarp, stages_, inFlight_, now);
  first_ = subWarp;
  served_ = now + inFlight_.enterMemory(subWarp, now);
}

Cycle MemoryStages::nextUseful(Cycle now) const {
  if (port_.isWanted()) return now;
  Cycle next = std::min(memory_.nextUseful(), others_.nextUseful());
  // What the load/store unit has yet to send, it says itself.
  if (first_ && served_ >= now) next = std::min(next, served_);
  return std::max(next, now);
}

}  // namespace warpwright::sm
