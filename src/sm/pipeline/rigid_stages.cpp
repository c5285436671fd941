#include "sm/pipeline/rigid_stages.hpp"

#include <algorithm>

namespace warpwright::sm {

RigidStages::RigidStages(const config::Machine& machine, const StagesContext& context)
    : inFlight_(context.inFlight),
      stages_(machine.sm.memoryStages),
      split_(machine.sm.splitMemoryStages),
      port_(context.mostOperations),
      memory_(stages_, context.certain, inFlight_),
      others_(stages_, context.certain) {}

bool RigidStages::tick(Cycle now) {
  bool acted = port_.begin(inFlight_, now);
  acted |= memory_.tick(port_, now);
  return others_.tick(inFlight_, port_, now) || acted;
}

// Bank conflicts come first: a write-back conflict behind them costs nothing more.
std::optional<Slot> RigidStages::refuses(const SubWarp* next, Cycle now) const {
  // Without a second way, the stages before the first memory stage stand still as one, even with nothing in the last of them.
  const bool waitsForFirst = !memory_.isFree() && (!split_ || (next && passesMemory(*next)));
  if (waitsForFirst && memory_.isServing(now)) return Slot::bankConflict;
  if (memory_.isStalled() || others_.isStalled()) return Slot::writeBackConflict;
  if (waitsForFirst) return Slot::memoryStructural;
  return std::nullopt;
}

void RigidStages::take(SubWarp subWarp, Cycle now) {
  if (!passesMemory(subWarp)) return others_.take(subWarp, stages_, inFlight_, now);
  memory_.take(subWarp, now);
}

void RigidStages::show(const ShowSubWarp& show, Cycle now) const {
  memory_.forEach(now, [&](SubWarp subWarp, u32 index) { show(subWarp, {Stage::Kind::memory, index}); });
  others_.forEach(now, [&](SubWarp subWarp, u32 moves) { show(subWarp, {Stage::Kind::nonmem, stages_ - moves}); });
}

Cycle RigidStages::nextUseful(Cycle now) const {
  if (port_.isWanted()) return now;
  return std::max(now, std::min(memory_.nextUseful(now), others_.nextUseful()));
}

}  // namespace warpwright::sm
