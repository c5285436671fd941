#include "sm/pipeline/in_flight.hpp"

namespace warpwright::sm {

InFlight::InFlight(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events, PipelineListener* listener)
    : lanes_(machine.sm.loadStore.width),
      sharedPorts_(machine.sm.sharedPorts),
      loadStore_(loadStore),
      events_(events),
      listener_(listener) {}

u32 InFlight::add(const Issued& issued, u32 subWarps, Cycle now) {
  if (free_.empty()) {
    free_.push_back(static_cast<u32>(instructions_.size()));
    instructions_.emplace_back();
  }
  const u32 number = free_.back();
  free_.pop_back();
  Instruction& instruction = instructions_[number];
  instruction.completion = issued.completion();
  instruction.issued = now;
  instruction.operation = issued.operation;
  instruction.subWarps = instruction.left = subWarps;
  instruction.missed = instruction.cycles = 0;
  instruction.accessesMemory = issued.operation != nullptr;
  instruction.accessesBanks = false;
  instruction.writes = !issued.info->written.empty();
  instruction.awaitsData = issued.operation && !issued.operation->isStore;
  instruction.sent = instruction.completed = instruction.isExpanded = false;
  if (!issued.operation) return number;
  issued.operation->inPipeline = number;
  instruction.origin = issued.operation->origin;
  if (issued.operation->isExpanded()) notePasses(instruction);
  return number;
}

void InFlight::notePasses(Instruction& instruction) const {
  instruction.isExpanded = true;
  instruction.accessesBanks = instruction.operation->sharedPasses != 0;
  instruction.passes = passesBySubWarp(*instruction.operation, lanes_);
}

u32 InFlight::enterMemory(SubWarp subWarp, Cycle now) {
  Instruction& instruction = at(subWarp);
  if (!instruction.accessesMemory) return 1;
  if (subWarp.number == 0) {
    if (listener_) listener_->dispatched(instruction.completion.instruction(), now);
    enterLoadStore(instruction, now);
  }
  return instruction.isExpanded ? serve(instruction, subWarp.number, now) : 1;
}

// The banks serve a sub-warp from now on; for how many cycles.
u32 InFlight::serve(Instruction& instruction, u32 subWarp, Cycle now) {
  // A configured interval may add slots behind those of the lanes.
  const u32 passes = subWarp < instruction.passes.size() ? instruction.passes[subWarp] : 0;
  const u32 cycles = cyclesOfPasses(passes, sharedPorts_);
  instruction.cycles += cycles;
  instruction.served = now + cycles;
  return cycles;
}

void InFlight::leavesFirst(SubWarp subWarp, Cycle now) {
  Instruction& instruction = at(subWarp);
  if (!instruction.accessesMemory) return;
  // Others than the banks of shared memory take what they take.
  if (!instruction.accessesBanks) instruction.cycles += static_cast<u32>(now - instruction.served);
  if (!isLast(subWarp)) return;
  const Event& completion = instruction.completion;
  events_.add(now + 1, {Event::Kind::served, true, completion.context, completion.info, instruction.cycles});
}

// Its requests go to the caches and the network while its sub-warps are in the first memory stage.
void InFlight::enterLoadStore(Instruction& instruction, Cycle now) {
  // Lane stages answer only what is in the unit: accesses pass them when it has room.
  if (!instruction.operation || !loadStore_.canAccept() || !loadStore_.expand(*instruction.operation, now)) return;
  if (!instruction.isExpanded) notePasses(instruction);
  MemoryOperation& operation = *std::exchange(instruction.operation, nullptr);
  // The memory stages are the way to shared memory: nothing of it is left to the load/store unit.
  if (operation.sharedPasses != 0) operation.sharedDone = now;
  loadStore_.accept(operation, now);
}

bool InFlight::isServed(SubWarp subWarp, Cycle now) {
  Instruction& instruction = at(subWarp);
  if (!instruction.accessesMemory) return true;
  const bool wasExpanded = instruction.isExpanded;
  enterLoadStore(instruction, now);
  if (!instruction.isExpanded) return false;
  if (!wasExpanded) serve(instruction, subWarp.number, now);
  if (now < instruction.served) return false;
  return isLast(subWarp) ? instruction.sent : instruction.operation == nullptr;
}

bool InFlight::wantsPort(SubWarp subWarp) const { return at(subWarp).writes && !at(subWarp).awaitsData; }

void InFlight::passedMemory(SubWarp subWarp, Cycle now) {
  Instruction& instruction = at(subWarp);
  if (isLast(subWarp) && !instruction.awaitsData && instruction.missed == 0) complete(instruction, now);
}

void InFlight::leaves(SubWarp subWarp, Cycle now, u32 certain) {
  Instruction& instruction = at(subWarp);
  if (listener_ && listener_->followsStages()) listener_->inStage(numberOf(subWarp), subWarp.number, {Stage::Kind::writeBack}, now);
  if (!instruction.awaitsData) return written(subWarp.instruction, now, certain);
  ++instruction.missed;
}

void InFlight::memorySent(const MemoryOperation& operation) { instructions_[operation.inPipeline].sent = true; }

u32 InFlight::dataArrived(const MemoryOperation& operation) {
  Instruction& instruction = instructions_[operation.inPipeline];
  instruction.awaitsData = false;
  return instruction.missed;
}

void InFlight::writtenFromOutside(u32 instruction, Cycle now) { written(instruction, now, 0); }

void InFlight::written(u32 number, Cycle now, u32 certain) {
  Instruction& instruction = instructions_[number];
  if (--instruction.left <= certain && !instruction.completed) complete(instruction, now);
  if (instruction.left == 0) free_.push_back(number);
}

void InFlight::complete(Instruction& instruction, Cycle now) {
  instruction.completed = true;
  events_.add(now + 1, instruction.completion);
  const bool isLoad = instruction.accessesMemory && instruction.writes;
  if (isLoad) loadStore_.noteLoad(instruction.origin, now + 1 - instruction.issued, instruction.accessesBanks);
}

}  // namespace warpwright::sm
