#include "sm/pipeline/booked_pipes.hpp"

#include <algorithm>

namespace warpwright::sm {

BookedPipes::BookedPipes(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events, PipelineListener* listener)
    : loadStore_(loadStore),
      events_(events),
      listener_(listener),
      backend_(machine.sm),
      warpSize_(machine.warpSize),
      branchLatency_(machine.sm.branch.latency),
      hasCollectors_(machine.sm.collectors != 0) {}

WarpSet BookedPipes::refused(const UnitNeeds& needs, Cycle now) const {
  WarpSet refused = loadStore_.canAccept() ? WarpSet{} : needs.memory;
  // Collectors take instructions for every pipe.
  if (hasCollectors_) return backend_.canIssue(isa::Unit::integer, now) ? refused : refused | needs.pipe;
  for (u32 unit = 0; unit < needs.unit.size(); ++unit) {
    const WarpSet wanting = needs.unit[unit] & needs.pipe;
    if (wanting && !backend_.canIssue(static_cast<isa::Unit>(unit), now)) refused |= wanting;
  }
  return refused;
}

void BookedPipes::issue(const Issued& instruction, Cycle now) {
  const InstructionInfo& info = *instruction.info;
  switch (info.flow) {
    case Flow::memory: {
      const Cycle enters = dispatch(instruction, now);
      if (instruction.operation) return loadStore_.accept(*instruction.operation, enters);
      return complete(instruction, writeBack(instruction, enters + 1, now));
    }
    case Flow::compute: {
      const Cycle enters = dispatch(instruction, now);
      return complete(instruction, writeBack(instruction, enters + info.latency, now));
    }
    case Flow::branch:  // what comes next is known when the branch has executed
    case Flow::barrier:
    case Flow::fence:
      return complete(instruction, now + branchLatency_);
  }
}

// The cycle in which the instruction enters its pipe.
Cycle BookedPipes::dispatch(const Issued& instruction, Cycle now) {
  const Cycle enters = backend_.dispatch(*instruction.info, instruction.context.slot, now);
  if (listener_) listener_->dispatched(instruction.number, enters);
  if (origins_) origins_->of(instruction.origin()).operandReads += instruction.info->readCount;
  if (instruction.info->control.readCounter != isa::ControlBits::kNoCounter) operandsRead(instruction, std::max(enters, now + 2));
  return enters;
}

// Whoever is to overwrite them waits for it; helpers' instructions find a scoreboard instead.
void BookedPipes::operandsRead(const Issued& instruction, Cycle time) {
  if (instruction.context.isHelper()) return;
  events_.add(time, {Event::Kind::operandsRead, instruction.operation != nullptr, instruction.context, instruction.info});
}

Cycle BookedPipes::writeBack(const Issued& instruction, Cycle time, Cycle now) {
  if (origins_) origins_->of(instruction.origin()).operandWrites += instruction.info->writeCount;
  return backend_.writeBack(*instruction.info, instruction.context.slot, time, now);
}

// A store needs nothing more of its warp once it has left the unit.
void BookedPipes::memorySent(const MemoryOperation& operation, Cycle now) {
  if (operation.isStore) events_.add(now + 1, {Event::Kind::release, true, operation.context, operation.info, operation.number});
}

void BookedPipes::dataArrived(const MemoryOperation& operation, Cycle time, Cycle now) {
  const Cycle done = backend_.writeBack(*operation.info, operation.context.slot, std::max(time, now + 1), now);
  loadStore_.noteLoad(operation.origin, done - operation.issued, operation.sharedPasses != 0);
  if (origins_) origins_->of(operation.origin).operandWrites += operation.info->writeCount;
  events_.add(done, {Event::Kind::release, true, operation.context, operation.info, operation.number});
}

Cycle BookedPipes::nextUseful(Cycle now) const { return std::min(loadStore_.nextUseful(now), backend_.nextFree(now)); }

}  // namespace warpwright::sm
