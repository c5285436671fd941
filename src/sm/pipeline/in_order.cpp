#include "sm/pipeline/in_order.hpp"

#include <algorithm>

#include "sm/pipeline/rigid_stages.hpp"

namespace warpwright::sm {
namespace {

// How many cycles before its last sub-warp is written back an instruction may be followed by one that needs its result: sub-warps of both
// pass each stage in the same order, and the narrowest instruction has one for the widest unit's lanes. But not before the memory stages
// are passed, as long as the banks can still separate the sub-warps.
u32 overlap(const config::Machine& machine) {
  const config::Sm& sm = machine.sm;
  const u32 widest = std::max({sm.integer.width, sm.fp32.width, sm.fp64.width, sm.sfu.width, sm.loadStore.width});
  const u32 fewest = std::max(1u, machine.warpSize / widest);
  return std::min(fewest, sm.memoryStages) - 1;
}

}  // namespace

InOrderPipeline::InOrderPipeline(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events, PipelineListener* listener)
    : InOrderPipeline(machine, loadStore, events, listener,
                      [&](const StagesContext& context) { return std::make_unique<RigidStages>(machine, context); }) {}

InOrderPipeline::InOrderPipeline(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events, PipelineListener* listener,
                                 const MakeStages& makeStages)
    : loadStore_(loadStore),
      listener_(listener),
      lanes_(machine.sm.loadStore.width),
      frontStages_(machine.sm.stages - machine.sm.memoryStages - 1),
      inFlight_(machine, loadStore, events, listener),
      memoryStages_(makeStages({inFlight_, overlap(machine), loadStore.mostOperations()})),
      front_(machine.sm.stages + machine.warpsPerSm) {}

void InOrderPipeline::issue(const Issued& instruction, Cycle now) {
  catchUp(now);
  const InstructionInfo& info = *instruction.info;
  countRegisters(instruction);
  if (listener_ && info.flow == Flow::compute) listener_->dispatched(instruction.number, now);
  // An instruction outside the issue slots may find the first stage taken.
  const u64 entry = std::max(clock(now), open_);
  const u32 subWarps = info.interval;
  front_.push({inFlight_.add(instruction, subWarps, now), subWarps, entry});
  if (front_.size() == 1) next_ = {front_.front().instruction, 0};
  open_ = entry + subWarps;
}

void InOrderPipeline::countRegisters(const Issued& instruction) {
  const InstructionInfo& info = *instruction.info;
  operandReads_ += info.readCount;
  operandWrites_ += info.writeCount;
  if (!origins_) return;
  mem::SmUse& use = origins_->of(instruction.origin());
  use.operandReads += info.readCount;
  use.operandWrites += info.writeCount;
}

void InOrderPipeline::memorySent(const MemoryOperation& operation, Cycle) { inFlight_.memorySent(operation); }

void InOrderPipeline::dataArrived(const MemoryOperation& operation, Cycle, Cycle) {
  const u32 missed = inFlight_.dataArrived(operation);
  if (missed != 0) memoryStages_->addFromOutside(operation.inPipeline, missed);
}

// Cycles that were skipped: the front went on standing still, or moving.
void InOrderPipeline::catchUp(Cycle now) {
  if (stands_ && now > ticked_) standing_ += now - ticked_;
  ticked_ = std::max(ticked_, now);
}

bool InOrderPipeline::tick(Cycle now) {
  if (listener_ && listener_->followsStages() && now.ticks != 0) tellStages(Cycle{now.ticks - 1});
  catchUp(now);
  bool acted = memoryStages_->tick(now);
  const SubWarp* next = lastOfFront(now);
  const std::optional<Slot> stall = memoryStages_->refuses(next, now);
  stands_ = stall.has_value();
  standing_ += stands_ ? 1 : 0;
  ticked_ = now + 1;
  if (next && !stands_) {
    memoryStages_->take(*next, now);
    leaveFront();
    acted = true;
  }
  const std::optional<Slot> before = closed_;
  closed_ = stall;
  if (!stall && clock(now) < open_) closed_ = Slot::subWarps;
  acted |= closed_ != before;
  return loadStore_.tick(now) || acted;
}

// What would enter the memory stages now; null: nothing.
const SubWarp* InOrderPipeline::lastOfFront(Cycle now) {
  if (front_.empty()) return nullptr;
  return front_.front().entry + next_.number + frontStages_ == clock(now) ? &next_ : nullptr;
}

void InOrderPipeline::leaveFront() {
  if (++next_.number != front_.front().subWarps) return;
  front_.pop();
  if (!front_.empty()) next_ = {front_.front().instruction, 0};
}

// What issued in the cycle is in the first stage.
void InOrderPipeline::tellStages(Cycle cycle) const {
  const auto tell = [&](SubWarp subWarp, Stage stage) { listener_->inStage(inFlight_.numberOf(subWarp), subWarp.number, stage, cycle); };
  for (u32 i = 0; i < front_.size(); ++i) {
    const Entering& entering = front_[i];
    for (u32 number = i == 0 ? next_.number : 0; number < entering.subWarps && entering.entry + number <= clock(cycle); ++number)
      tell({entering.instruction, number}, {Stage::Kind::front, static_cast<u32>(clock(cycle) - entering.entry - number)});
  }
  memoryStages_->show(tell, cycle);
}

Cycle InOrderPipeline::nextUseful(Cycle now) const {
  Cycle next = std::min(loadStore_.nextUseful(now), memoryStages_->nextUseful(now));
  if (stands_) return next;  // it goes on when the memory stages do
  if (!front_.empty()) next = std::min(next, Cycle{front_.front().entry + next_.number + frontStages_ + standing_});
  if (closed_) next = std::min(next, Cycle{open_ + standing_});
  return std::max(next, now);
}

BackendStats InOrderPipeline::stats() const {
  BackendStats stats;
  stats.operandReads = operandReads_;
  stats.operandWrites = operandWrites_;
  stats.writeBackConflicts = memoryStages_->writeBackConflicts();
  return stats;
}

}  // namespace warpwright::sm
