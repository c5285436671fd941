#include "sm/pipeline/memory_front.hpp"

#include <algorithm>

namespace warpwright::sm {

MemoryFront::MemoryFront(const config::Machine& machine)
    : addressInterval_(machine.sm.addressInterval), sharedInterval_(machine.sm.sharedInterval), cores_(machine.schedulersPerSm) {
  for (u32 first = 0; first < cores_.size(); ++first) {
    cores_[first].leave.reserve(machine.sm.subCoreQueue);
    for (u32 slot = first; slot < machine.warpsPerSm; slot += machine.schedulersPerSm) cores_[first].slots.insert(slot);
  }
}

WarpSet MemoryFront::refused(Cycle now) const {
  WarpSet refused;
  for (const SubCore& core : cores_) {
    if (isFull(core, now)) refused |= core.slots;
  }
  return refused;
}

Cycle MemoryFront::nextUseful(Cycle now) const {
  Cycle next = kNever;
  for (const SubCore& core : cores_) {
    if (core.leave.full() && core.leave.front() >= now) next = std::min(next, core.leave.front());
  }
  return next;
}

MemoryFront::Passage MemoryFront::pass(const InstructionInfo& info, SlotId slot, Cycle now) {
  SubCore& core = cores_[slot % cores_.size()];
  while (!core.leave.empty() && core.leave.front() <= now) core.leave.pop();
  const Cycle alone = now + info.front.leaves;
  Cycle leaves = std::max(alone, core.last + addressInterval_);
  while (isShared(leaves)) ++leaves;
  for (u32 cycle = 0; cycle < sharedInterval_; ++cycle) shared_.book(0, leaves + cycle, now);
  core.leave.push(leaves);
  core.last = leaves;
  const Cycle read = leaves + (info.front.reads - info.front.leaves);
  return {info.front.carriesData ? std::max(leaves, read) : leaves, read};
}

// With another instruction.
bool MemoryFront::isShared(Cycle first) const {
  for (u32 cycle = 0; cycle < sharedInterval_; ++cycle)
    if (!shared_.isFree(0, first + cycle)) return true;
  return false;
}

}  // namespace warpwright::sm
