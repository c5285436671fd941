#include "exec/stepper.hpp"

#include <sys/mman.h>

#include <utility>

#include "exec/bulk_transfer.hpp"
#include "exec/cluster.hpp"
#include "exec/hang.hpp"
#include "exec/helpers.hpp"
#include "exec/operations/cluster_access.hpp"
#include "exec/operations/separate_access.hpp"
#include "exec/step.hpp"
#include "exec/step_recorder.hpp"
#include "exec/warp_circle.hpp"

namespace warpwright::exec {
namespace {

// Whether the process has all of these bytes.
bool isOfHost(GlobalAddress page, u32 bytes) { return msync(GlobalMemory::hostPointer(page), bytes, MS_ASYNC) == 0; }

}  // namespace

struct Stepper::State {
  State(const LaunchRequest& original, GlobalMemory& memory, SmId number, u64 clockKhz)
      : request(original),
        recorder(original.observer),
        sm(number),
        grid((request.observer = &recorder, request), memory),
        globalMemory(memory) {
    separate.recorder = &recorder;
    grid.separate = &separate;
    grid.clockKhz = clockKhz;
  }

  LaunchRequest request;
  StepRecorder recorder;
  SeparateMemory separate;
  SmId sm;
  Grid grid;
  GlobalMemory& globalMemory;
  std::optional<StepFault> fault;
  std::vector<std::pair<GlobalAddress, u32>> toMap;
  bool watches = false;
  RunAhead runsAhead = RunAhead::never;
  std::vector<WarpCircle> circles;  // by slot of the block, then warp; while it watches

  WarpCircle& circleOf(BlockSlotId slot, u32 warp) {
    const std::size_t number = std::size_t{slot} * grid.shape.warps() + warp;
    if (number >= circles.size()) circles.resize(number + 1);
    return circles[number];
  }
};

Stepper::Stepper(const LaunchRequest& request, GlobalMemory& memory, SmId sm, u64 clockKhz)
    : state_(std::make_unique<State>(request, memory, sm, clockKhz)) {}
Stepper::~Stepper() = default;

u32 Stepper::warpsPerBlock() const { return state_->grid.shape.warps(); }
void Stepper::start(BlockSlotId slot, u64 block, Cluster* cluster) { exec::startBlock(state_->grid, slot, block, state_->sm, cluster); }
bool Stepper::isFinished(BlockSlotId slot) const { return exec::endBlockIfFinished(state_->grid, slot); }
void Stepper::clear(BlockSlotId slot) { state_->grid.blocks.slots[slot]->clear(); }
NextInstruction Stepper::next(BlockSlotId slot, u32 warp) { return exec::nextInstruction(state_->grid, slot, warp); }
const std::optional<StepFault>& Stepper::fault() const { return state_->fault; }
void Stepper::resume(BlockSlotId slot, u32 warp, bool behind) {
  state_->fault.reset();
  exec::resume(state_->grid, slot, warp, behind);
}
std::string Stepper::whereThreadsWait() const { return exec::whereThreadsWait(state_->grid); }
bool Stepper::hasStores() const {
  return !state_->separate.stores.empty() || !state_->toMap.empty() || !state_->grid.bulk.reductions.empty();
}
void Stepper::publishStores() {
  state_->separate.stores.publish(state_->globalMemory);
  exec::performReductions(state_->grid);
  for (const auto& [page, bytes] : std::exchange(state_->toMap, {}))
    if (isOfHost(page, bytes)) state_->globalMemory.registerHost(GlobalMemory::hostPointer(page), bytes, "page mapped at a fault");
}
void Stepper::map(GlobalAddress page, u32 bytes) { state_->toMap.emplace_back(page, bytes); }
void Stepper::performAtomic(u32 atomic) { exec::performAtomic(state_->grid, atomic); }
void Stepper::bulkSourceRead(u32 bulk) { exec::readBulkSource(state_->grid, state_->grid.bulk[bulk]); }

bool Stepper::finishBulk(u32 bulk, u64 now) {
  if (exec::goesElsewhere(state_->grid.bulk[bulk])) {
    exec::putOffBulk(state_->grid, bulk, now);
    return true;
  }
  try {
    exec::finishBulk(state_->grid, bulk);
    return true;
  } catch (Fault& fault) {
    state_->fault = StepFault{fault.status, std::move(fault.message), fault.lane, fault.address};
    return false;
  }
}

u32 Stepper::remoteAccesses() const { return state_->separate.remote.size(); }
Cycle Stepper::remoteIssued(u32 number) const { return Cycle{state_->separate.remote[number].issued}; }
void Stepper::forgetRemote() {
  state_->separate.remote.clear();
  state_->separate.clustersChanged = false;
}
bool Stepper::clustersChanged() const { return state_->separate.clustersChanged; }
bool Stepper::takeClusterArrival(BlockSlotId slot) { return exec::takeClusterArrival(*state_->grid.blocks.slots[slot]); }
Cycle Stepper::lastArrival(BlockSlotId slot) const { return Cycle{state_->grid.blocks.slots[slot]->lastArrival}; }
void Stepper::openClusterBarrier(BlockSlotId slot) { exec::openClusterBarrier(state_->grid, *state_->grid.blocks.slots[slot]); }

bool Stepper::performRemote(u32 number) {
  try {
    exec::performRemote(state_->grid, number);
  } catch (Fault& fault) {
    state_->fault = StepFault{fault.status, std::move(fault.message), fault.lane, fault.address};
    return false;
  }
  return true;
}

const StepRecord* Stepper::step(BlockSlotId slot, u32 warp, Cycle now) {
  try {
    exec::step(state_->grid, slot, warp, now.ticks, state_->recorder, state_->watches ? RunAhead::never : state_->runsAhead);
  } catch (Fault& fault) {
    state_->fault = StepFault{fault.status, std::move(fault.message), fault.lane, fault.address};
    return nullptr;
  }
  const StepRecord& record = state_->recorder.record();
  if (state_->watches) [[unlikely]] {
    const Grid& grid = state_->grid;
    exec::follow(grid, grid.blocks.slots[slot]->warps[warp], grid.shape.registers, record, state_->circleOf(slot, warp));
  }
  return &record;
}

void Stepper::runAhead(bool keepsValues) {
  if (state_->grid.issueEvents) return;
  state_->runsAhead = keepsValues ? RunAhead::behindOthersThanAccesses : RunAhead::always;
}
void Stepper::takeBack(BlockSlotId slot, u32 warp, u32 instructions) { exec::takeBack(state_->grid, slot, warp, instructions); }

std::optional<u32> Stepper::beginHelper(BlockSlotId slot, u32 warp, const isa::Function& routine, LaneMask lanes, bool speculative,
                                        std::optional<u32> place) {
  return exec::beginHelper(state_->grid, slot, warp, routine, lanes, speculative, place);
}
void Stepper::copyRegister(u32 helper, u32 parentRegister, u32 helperRegister, bool in) {
  exec::copyRegister(state_->grid, helper, parentRegister, helperRegister, in);
}
std::span<u32> Stepper::helperRegister(u32 helper, u32 helperRegister) {
  return exec::helperRegister(state_->grid, helper, helperRegister);
}
HelperMemory Stepper::helperMemory(u32 helper) { return exec::helperMemory(state_->grid, helper); }
NextInstruction Stepper::nextHelper(u32 helper) { return exec::nextHelperInstruction(state_->grid, helper); }
void Stepper::endHelper(u32 helper) { exec::endHelper(state_->grid, helper); }
std::string Stepper::whereHelperIs(u32 helper) const { return exec::whereHelperIs(state_->grid, *state_->grid.helpers.warps[helper]); }
std::span<const u32> Stepper::warpRegister(BlockSlotId slot, u32 warp, u32 number) const {
  const Grid& grid = state_->grid;
  return {grid.blocks.slots[slot]->warps[warp].state.registers + std::size_t{number} * grid.lanes, grid.lanes};
}
BlockHelperMemory Stepper::helperMemoryOf(BlockSlotId slot) const { return exec::helperMemoryOf(state_->grid, slot); }
u32 Stepper::firstSpareRegister() const { return state_->grid.kernel.registers(); }
void Stepper::hold(BlockSlotId slot, u32 warp, bool on) { state_->grid.blocks.slots[slot]->warps[warp].isHeld = on; }

const StepRecord* Stepper::stepHelper(u32 helper, Cycle now) {
  Grid& grid = state_->grid;
  try {
    exec::stepHelper(grid, helper, now.ticks, state_->recorder);
  } catch (Fault& fault) {
    if (!grid.helpers.warps[helper]->warp.isSpeculative) {
      state_->fault = StepFault{fault.status, std::move(fault.message), fault.lane, fault.address};
      return nullptr;
    }
    grid.helpers.warps[helper]->isAbandoned = true;
  }
  StepRecord& record = state_->recorder.record();
  record.releasesOthers = false;
  record.abandoned = grid.helpers.warps[helper]->isAbandoned;
  record.next = nextHelperInstruction(grid, helper);
  Helper& own = *grid.helpers.warps[helper];
  own.hasMoved = true;
  if (state_->watches) [[unlikely]]
    exec::follow(grid, own.warp, own.registers, record, own.circle);
  return &record;
}

u64 Stepper::changes() const { return state_->grid.progress.changes; }

void Stepper::watch(bool on) {
  state_->watches = on;
  for (WarpCircle& circle : state_->circles) circle.forget();
  state_->grid.helpers.wereFresh = false;
  for (const auto& helper : state_->grid.helpers.warps) helper->circle.forget();
}

void Stepper::waitsForSlot(BlockSlotId slot, u32 warp, bool waits) { state_->circleOf(slot, warp).waitsForSlot(waits); }
bool Stepper::isStuck() { return exec::isStuck(state_->grid, state_->circles); }
bool Stepper::hasThreads() const { return exec::hasThreads(state_->grid); }
std::string Stepper::circlingRoutine() const { return exec::circlingRoutine(state_->grid); }
bool Stepper::releaseWaiting() { return exec::releaseWaiting(state_->grid); }

LaunchResult Stepper::result() {
  LaunchResult result = exec::settledResult(state_->grid);
  if (state_->fault) {
    result.status = state_->fault->status;
    result.message = state_->fault->message;
  }
  return result;
}

}  // namespace warpwright::exec
