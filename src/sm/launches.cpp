// Launches and blocks on an SM: how they begin, and what is counted when they end.
#include <algorithm>
#include <utility>

#include "sm/sm.hpp"

namespace warpwright::sm {
namespace {

// visit(part of mem::Traffic, the table that counts for it).
template <class LoadStore, class Fetch, class Visit>
void forEachTable(LoadStore& loadStore, Fetch& fetch, Pipeline& pipeline, Visit visit) {
  visit(&mem::Traffic::loads, loadStore.origins()->loads);
  visit(&mem::Traffic::sm, loadStore.origins()->moved);
  visit(&mem::Traffic::sm, *fetch.origins());
  visit(&mem::Traffic::sm, *pipeline.origins());
}

}  // namespace

void Sm::beginLaunch(const LaunchPlan& plan, exec::GlobalMemory& memory, exec::Observer* observer) {
  if (launches_.empty()) ports_.invalidate();
  if (plan.l1Ways != 0) ports_.limitDataCache(plan.l1Ways, launches_.empty());
  RunningLaunch& launch = launches_.begin(plan, memory, observer);
  if (options_.lines) {
    launch.stalls.resize(plan.request.launch->program->program.code.size());
    ports_.beginLaunch(plan.id);
    forEachTable(loadStore_, fetch_, *pipeline_, [&](auto, auto& table) { table.begin(plan.id); });
  }
  for (Scheduler& scheduler : schedulers_) scheduler.policy->launchBegins();
}

// What the launch's descriptor names.
void Sm::prefetchCode(const LaunchPlan& plan, Cycle now) {
  const KernelCode code = codeOf(plan.codeAddress, *plan.request.launch->kernel, machine_);
  ports_.placeCode(code.begin, std::min<u64>(code.bytes, machine_.sm.launchPrefetchBytes), now);
}

BlockSlotId Sm::host(const LaunchPlan& plan, u64 order, Cycle now, ClusterSeat* seat) {
  catchUp(now);
  RunningLaunch& running = launches_.of(plan);
  auto free = std::find_if(residents_.begin(), residents_.end(), [](const auto& each) { return each->slots.empty(); });
  if (free == residents_.end()) free = residents_.insert(free, std::make_unique<Resident>());
  Resident& block = **free;
  const exec::Launch& launch = *plan.request.launch;
  const u64 number = seat ? exec::ClusterShape(launch.grid, exec::clusterOf(launch)).blockAt(order) : order;
  block = {.running = &running, .slot = (~running.resident).least(), .number = number, .seat = seat};
  running.resident.insert(block.slot);
  running.mostBlocks = std::max(running.mostBlocks, running.resident.size());
  block.slots = residency_.take(plan);
  // Few SMs take part in a small launch: one that does gets its source of instructions with its first block.
  if (!running.source) {
    running.makeSource(number_, machine_.coreClockKhz);
    if (!helpers_) running.source->runAhead(ports_.hasStages());
    prefetchCode(plan, now);
  }
  running.source->start(block.slot, order, seat ? &seat->cluster : nullptr);
  for (const auto& stage : ports_.stages()) stage->blockBegins(block.slots.least(), plan.sharedPerBlock);
  u32 index = 0;
  for (const SlotId slot : block.slots) startWarp(slot, block, index++);
  wake_ = now;
  noteOutcome();
  return block.slot;
}

void Sm::startWarp(SlotId slot, Resident& block, u32 index) {
  const LaunchPlan& plan = *block.running->plan;
  states_.resident.insert(slot);
  ++residentWarps_;
  age_[slot] = nextAge_++;
  Warp& warp = warps_[slot];
  warp = {};
  warp.block = &block;
  warp.index = index;
  warp.fetchPc = plan.request.launch->kernel->begin;
  if (counters_) counters_->start(slot);
  next_[slot] = {plan.id, warp.fetchPc, static_cast<u32>(block.number), static_cast<u16>(number_), static_cast<u16>(slot)};
  fetch_.start(slot, codeAddress(plan, warp.fetchPc), next_[slot]);
  states_.forget(slot);
  refresh(slot);
}

EndedLaunch Sm::endLaunch(const LaunchPlan& plan) {
  RunningLaunch& launch = launches_.of(plan);
  EndedLaunch ended{{}, std::move(launch.stalls), launch.mostBlocks, {}};
  if (options_.lines) {
    ports_.endLaunch(plan.id, ended.traffic);
    forEachTable(loadStore_, fetch_, *pipeline_, [&](auto part, auto& table) { takeLaunch(ended.traffic, part, table, plan.id); });
  }
  takeBackUnissued(launch);
  if (launch.source) ended.functional = launch.source->result();
  for (Scheduler& scheduler : schedulers_) scheduler.charged = nullptr;
  launches_.end(plan);
  noteOutcome();
  return ended;
}

// Of warps that have not ended, as another was at fault.
void Sm::takeBackUnissued(const RunningLaunch& launch) {
  for (const SlotId slot : states_.resident) {
    Warp& warp = warps_[slot];
    if (warp.ahead.count == 0 || warp.block->running != &launch) continue;
    launch.source->takeBack(warp.block->slot, warp.index, std::exchange(warp.ahead.count, 0));
  }
}

void Sm::addTraffic(mem::Traffic& into) const {
  ports_.addTraffic(into);
  if (!loadStore_.origins()) return;
  forEachTable(loadStore_, fetch_, *pipeline_, [&](auto part, const auto& table) { stats::merge(into.*part, table.total()); });
}

SmStats Sm::stats() const {
  SmStats stats = stats_;
  stats.backend = pipeline_->stats();
  stats.loadStore = loadStore_.stats();
  stats.instructionFetches = fetch_.fetches();
  stats.l0Misses = fetch_.l0Misses();
  if (const InstructionStream* stream = ports_.instructionStream()) {
    stats.prefetchedLines = stream->prefetched();
    stats.usedPrefetches = stream->used();
  }
  stats.bytesToNetwork = ports_.bytesSent();
  stats.bytesFromNetwork = ports_.bytesReceived();
  return stats;
}

}  // namespace warpwright::sm
