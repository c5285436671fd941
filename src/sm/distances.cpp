// Distances between a warp's instructions beside those of results: of guards, of memory instructions, and to other pipes (docs/hardware.md,
// "What the assembler knows"). Where instructions have control bits, their stalls keep them.
#include "sm/sm.hpp"

namespace warpwright::sm {

void Sm::spaceOut(SlotId slot, const InstructionInfo& info, Cycle now) {
  if (info.control.areSet()) return;  // stalls do
  const Context context{slot, Context::kParent};
  if (machine_.sm.guardLatency != 0 && info.written.predicates() != 0) {
    Warp& warp = warps_[slot];
    warp.guards.set(info.written.predicates());
    ++warp.inFlight;
    events_.add(now + machine_.sm.guardLatency, {.kind = Event::Kind::guardSeen, .context = context, .info = &info});
  }
  if (machine_.sm.warpMemoryInterval > 1 && info.flow == Flow::memory) {
    states_.accessing.insert(slot);
    events_.add(now + machine_.sm.warpMemoryInterval, {.kind = Event::Kind::accessEnds, .context = context});
  }
}

// The warp's next instruction has waited for a result of another pipe.
void Sm::noteLateResult(const Event& event, Cycle now) {
  const SlotId slot = event.context.slot;
  const InstructionInfo* next = warps_[slot].info;
  if (machine_.sm.otherPipeLatency == 0 || !states_.hazard.contains(slot) || next == nullptr || next->control.areSet()) return;
  if (!isa::comesLater(event.info->pipe, next->pipe) || !event.info->written.intersects(next->touched)) return;
  states_.late.insert(slot);
  events_.add(now + machine_.sm.otherPipeLatency, {.kind = Event::Kind::resultIsLate, .context = event.context});
}

void Sm::guardSeen(const Event& event) {
  const SlotId slot = event.context.slot;
  warps_[slot].guards.seen(event.info->written.predicates());
  if (states_.hazard.contains(slot)) evaluate(slot);
  noteThrough(slot);
}

}  // namespace warpwright::sm
