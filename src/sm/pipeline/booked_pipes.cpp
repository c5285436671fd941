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
      hasCollectors_(machine.sm.collectors != 0) {
  if (machine.sm.operandWindow != 0) operands_.emplace(machine);
  if (machine.sm.subCoreQueue != 0) front_.emplace(machine);
}

WarpSet BookedPipes::refused(const UnitNeeds& needs, Cycle now) const {
  WarpSet refused = loadStore_.canAccept() ? WarpSet{} : needs.memory;
  if (operands_) refused |= operands_->refused(now);
  refused |= awaitPlace(needs, now);
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
      const Cycle dispatched = dispatch(instruction, now);
      const MemoryFront::Passage passage =
          front_ ? front_->pass(info, instruction.context.slot, now) : MemoryFront::Passage{dispatched, dispatched};
      noteWay(instruction, passage, now);
      if (!instruction.operation) return complete(instruction, writeBack(instruction, passage.enters + 1, now));
      return front_ ? loadStore_.acceptByTime(*instruction.operation, passage.enters)
                    : loadStore_.accept(*instruction.operation, passage.enters);
    }
    case Flow::compute: {
      const Cycle enters = dispatch(instruction, now);
      noteWay(instruction, {enters, enters}, now);
      return complete(instruction, writeBack(instruction, enters + info.latency, now));
    }
    case Flow::branch:  // what comes next is known when the branch has executed
    case Flow::barrier:
    case Flow::fence:
      held_ = 0;
      return complete(instruction, now + branchLatency_);
  }
}

// The cycle in which the instruction enters its pipe.
Cycle BookedPipes::dispatch(const Issued& instruction, Cycle now) {
  OperandReads::Reads reads;
  if (operands_ && instruction.info->hasWindow) reads = operands_->issue(*instruction.info, instruction.context.slot, now);
  held_ = reads.held;
  const Cycle enters = backend_.dispatch(*instruction.info, instruction.context.slot, now, held_);
  if (origins_) origins_->of(instruction.origin()).operandReads += instruction.info->readCount - reads.cached;
  return enters;
}

// Whoever is to overwrite its operands waits until they are read; helpers' instructions find a scoreboard instead. Its counter has not gone
// up before.
void BookedPipes::noteWay(const Issued& instruction, const MemoryFront::Passage& passage, Cycle now) {
  if (listener_) listener_->dispatched(instruction.number, passage.enters);
  if (listener_ && front_) listener_->operandsRead(instruction.number, passage.read);
  if (instruction.info->control.readCounter == isa::ControlBits::kNoCounter || instruction.context.isHelper()) return;
  events_.add(std::max(passage.read, now + 2),
              {Event::Kind::operandsRead, instruction.operation != nullptr, instruction.context, instruction.info});
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

Cycle BookedPipes::nextUseful(Cycle now) const {
  Cycle next = std::min(loadStore_.nextUseful(now), backend_.nextFree(now));
  if (operands_) next = std::min(next, operands_->nextUseful(now));
  return front_ ? std::min(next, front_->nextUseful(now)) : next;
}

BackendStats BookedPipes::stats() const {
  BackendStats stats = backend_.stats();
  if (!operands_) return stats;
  stats.readConflicts += operands_->heldCycles();
  stats.cachedReads += operands_->cachedReads();
  stats.operandReads -= operands_->cachedReads();
  return stats;
}

}  // namespace warpwright::sm
