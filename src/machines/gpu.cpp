#include "machines/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "machines/code_addresses.hpp"

namespace warpwright::machines {
namespace {

void add(TimedResult& total, sm::EndedLaunch share) {
  merge(total.functional, std::move(share.functional));
  total.mostBlocks += share.mostBlocks;
  if (total.stalls.size() < share.stalls.size()) total.stalls.resize(share.stalls.size());
  for (Pc pc{0}; pc < share.stalls.size(); ++pc) merge(total.stalls[pc], share.stalls[pc]);
  merge(total.traffic, share.traffic);
}

// All caches of a kind.
template <class Get>
void addCaches(mem::CacheStats& total, const std::vector<std::unique_ptr<sm::Sm>>& sms, Cycle now, Get get) {
  for (const auto& sm : sms) {
    if (sm::L1Cache* cache = get(sm->ports())) stats::merge(total, cache->statistics(now));
  }
}

}  // namespace

Gpu::Gpu(const config::Machine& machine, exec::GlobalMemory& memory, const TimingOptions& options,
         std::optional<mechanisms::Mechanisms> mechanisms)
    : machine_(machine),
      memory_(memory),
      options_(options),
      map_(machine.dram.channels, machine.partition.slices, machine.partition.networkPorts, machine.dram.interleaveBytes,
           machine.dram.hashChannels),
      mechanisms_(mechanisms ? std::move(*mechanisms) : mechanisms::makeMechanisms(machine_)),
      sharedBanks_(machine_),
      carveOuts_(machine_),
      smGroups_(config::smGroups(machine_)),
      nextInGroup_(smGroups_.size()),
      clusterNetwork_(machine_),
      startRate_(machine_.sm.blockStarts) {
  config::requireTimed(machine_);
  for (const auto& mechanism : mechanisms_) mechanism->attach(memory_);
  const config::Network& network = machine_.network;
  for (u32 i = 0; i < machine_.multiprocessors; ++i) {
    requests_.push_back(std::make_unique<sm::NetworkPort>(network.injectionQueue, network.injectionLatency));
    responses_.push_back(std::make_unique<sm::NetworkPort>(network.ejectionQueue, network.injectionLatency));
    const SmId number{i};
    sm::Parts parts(machine_);
    for (const auto& mechanism : mechanisms_) mechanism->equip(parts, number);
    const sm::SmOptions smOptions{options.skip, options.lines, options.listenerOf ? options.listenerOf(number) : nullptr};
    sms_.push_back(std::make_unique<sm::Sm>(machine_, number, map_, *requests_[i], *responses_[i], smOptions, parts));
  }
  std::vector<sm::NetworkPort*> fromSms, toSms;
  for (const auto& port : requests_) fromSms.push_back(port.get());
  for (const auto& port : responses_) toSms.push_back(port.get());
  const auto equip = [this](mem::Parts& parts, PartitionId partition) {
    for (const auto& mechanism : mechanisms_) mechanism->equipMemory(parts, partition);
  };
  memorySide_ = std::make_unique<mem::MemorySide>(machine_, map_, std::move(fromSms), std::move(toSms), options.skip, equip);
  if (options.lines) memorySide_->countByOrigin();
  if (options.dramObserverOf) {
    for (u32 i = 0; i < machine_.dram.channels; ++i) memorySide_->observeDram(PartitionId{i}, options.dramObserverOf(PartitionId{i}));
  }
  if (options.sampleInterval != 0) nextSample_ = Cycle{options.sampleInterval};
  joinDomains();
}

Gpu::~Gpu() = default;

void Gpu::joinDomains() {
  std::vector<engine::Domain*> domains = memorySide_->domains();
  std::vector<engine::Link> links = memorySide_->links();
  for (u32 i = 0; i < sms_.size(); ++i) {
    domains.push_back(sms_[i].get());
    links.push_back({requests_[i].get(), domainOf(SmId{i}), memorySide_->requestDomain()});
    links.push_back({responses_[i].get(), memorySide_->responseDomain(), domainOf(SmId{i})});
  }
  quanta_ = std::make_unique<engine::Quanta>(domains, links, engine::QuantaOptions{options_.threads, options_.skip});
}

void Gpu::placeCopied(const std::vector<Copied>& copied) {
  if (!machine_.partition.copiesFillL2) return;
  for (const Copied& each : copied) memorySide_->placeCopied(each.address, each.bytes, now());
}

void Gpu::touch(const Touched& launch) {
  placeCopied(launch.copied);
  memorySide_->touch(launch.lines, now());
  const auto count = static_cast<u32>(sms_.size());
  for (u32 i = 0; i < std::min<u64>(launch.blocks, count); ++i) sms_[(nextSm_ + i) % count]->placeCode(launch.kernel, now());
  nextSm_ = SmId(static_cast<u32>((nextSm_ + launch.blocks) % count));
}

void Gpu::add(Job job, Cycle earliest, Ended ended) {
  placeCopied(job.copied);
  auto running = std::make_unique<Running>();
  running->plan = std::make_unique<sm::LaunchPlan>(job.request, machine_);
  sm::LaunchPlan& plan = *running->plan;
  plan.recording = std::move(job.recording);
  plan.id = launches_++;
  plan.warpsPerBlock = job.resources.warps;
  plan.registersPerBlock = job.resources.registers;
  plan.sharedPerBlock = job.resources.sharedBytes;
  plan.localPerThread = job.resources.localBytesPerThread;
  plan.l1Ways = carveOuts_.waysBeside(plan.sharedPerBlock * job.request.limits.residentBlocksPerSm);
  plan.sharedMaps = sharedBanks_.mapsFor(plan.request);
  for (const auto& mechanism : mechanisms_) mechanism->launchBegins(plan.request, plan.notes);
  plan.codeAddress = codeAddressOf(*job.request.launch->program);
  // %globaltimer counts from the launch, the machine's clock from the first launch on.
  plan.request.startNanoseconds -= earliest.ticks * 1'000'000 / machine_.coreClockKhz;
  running->observers = std::move(job.observers);
  running->copied = std::move(job.copied);
  running->ended = std::move(ended);
  running->priority = job.priority;
  running->begin = std::max(earliest, now());
  running->work = std::move(job.work);
  running->error = job.error;
  if (plan.request.order) running->fills = FillTimes(running->work->places());
  running->blocks = job.blocks == 0 ? job.request.launch->grid.count() : job.blocks;
  running->clusterBlocks = static_cast<u32>(exec::clusterOf(*job.request.launch).count());
  const auto isBehind = [](const auto& one, const auto& other) { return one->priority < other->priority; };
  running_.insert(std::upper_bound(running_.begin(), running_.end(), running, isBehind), std::move(running));
}

TimedResult Gpu::run(Job job) {
  TimedResult result;
  add(std::move(job), now(), [&](TimedResult ended) { result = std::move(ended); });
  run();
  return result;
}

void Gpu::run() {
  if (running_.empty()) return;
  lastProgress_ = lastExit_ = standstill_.since = now();
  dispatch(now());
  if (quanta_->run(*this) == engine::Quanta::End::idle) {
    stop_ = exec::LaunchStatus::hang;
    stopMessage_ = fmt::format("every warp waits for another, and nothing is under way; at cycle {}:\n{}", now().ticks, waits());
  }
  for (const auto& sm : sms_) sm->catchUp(now());
  if (options_.sampleInterval != 0) options_.sample(now(), stats(now()));
  stopAll();
}

// What has not ended when the machine stops has failed.
void Gpu::stopAll() {
  for (const auto& running : std::exchange(running_, {})) running->ended(resultOf(*running, now()));
}

TimedResult Gpu::resultOf(Running& running, Cycle now) {
  TimedResult result;
  result.began = running.begin;
  if (running.begun) {
    const GpuStats all = stats(now);
    result.cycles = (running.isDone() ? running.lastBlock : now) - running.begin;
    result.stats = stats::delta(all, running.before);
    result.units = delta(unitLoads(now), running.unitsBefore);
    Cycle lastWarp = running.begin;
    for (const auto& sm : sms_) lastWarp = std::max(lastWarp, std::min(sm->lastWarp(), now));
    result.drainCycles = now - lastWarp;
    for (const auto& sm : sms_) machines::add(result, sm->endLaunch(*running.plan));
    if (options_.lines) takeTraffic(result, running);
    result.violations = violations(all, result.stats);
  }
  if (result.functional.status == exec::LaunchStatus::completed && !running.isDone()) {
    result.functional.status = stop_;
    result.functional.message = stopMessage_;
  }
  result.besideOthers = running.besideOthers;
  result.functional.blocksDone = running.done;
  result.estimate = {static_cast<double>(result.cycles)};
  if (running.work && running.isDone()) result.estimate = wholeCycles(running.sample(result.cycles, running.done), *running.work);
  return result;
}

bool Gpu::isIdle() const {
  return std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->idle(); });
}

// Requests may be under way between launches (dirty lines that a first-level cache evicted), so what ties the parts of the memory system
// together is checked over the whole life of the machine.
std::vector<std::string> Gpu::violations(const GpuStats& all, const GpuStats& launch) const {
  // A fault stops SMs in the middle of a cycle.
  const auto hasFault = [](const auto& sm) { return sm->fault().has_value(); };
  if (std::any_of(sms_.begin(), sms_.end(), hasFault)) return {};
  stats::Conservation laws;
  checkSlots(launch, machine_, laws);
  check(all, machine_, laws);
  if (options_.lines) check(traffic(), all, machine_, laws);
  if (memorySide_->idle() && isIdle()) checkAtRest(all, machine_, laws);
  return laws.violations();
}

// Of all origins since the machine was made; only with TimingOptions::lines.
mem::Traffic Gpu::traffic() const {
  mem::Traffic all;
  for (const auto& sm : sms_) sm->addTraffic(all);
  memorySide_->addTraffic(all);
  return all;
}

// The SMs' share is there.
void Gpu::takeTraffic(TimedResult& result, const Running& running) {
  memorySide_->endLaunch(running.plan->id, result.traffic);
  mem::Traffic own;
  for (const mem::Traffic& each : result.traffic) stats::merge(own, each);
  result.otherTraffic = stats::delta(stats::delta(traffic(), running.trafficBefore), own);
}

UnitLoads Gpu::unitLoads(Cycle now) {
  UnitLoads loads;
  for (const auto& sm : sms_) {
    const sm::SmStats stats = sm->stats();
    loads.smInstructions.push_back(stats.warpInstructions);
    loads.smActiveCycles.push_back(stats.activeCycles);
  }
  for (const mem::SliceLoad& slice : memorySide_->sliceLoads(now)) {
    loads.sliceAccesses.push_back(slice.accesses);
    loads.sliceAtomicTicks.push_back(slice.atomicTicks);
  }
  for (const mem::DramStats& channel : memorySide_->channelStatistics(now)) {
    loads.channelBytes.push_back(channel.movedBytes);
    loads.channelBusyTicks.push_back(channel.busyTicks);
  }
  return loads;
}

GpuStats Gpu::stats(Cycle now) {
  GpuStats stats;
  stats.cycles = now.ticks;
  for (const auto& sm : sms_) stats::merge(stats.sm, sm->stats());
  addCaches(stats.l1d, sms_, now, [](const sm::MemoryPorts& ports) { return ports.dataCache(); });
  addCaches(stats.l1i, sms_, now, [](const sm::MemoryPorts& ports) { return ports.instructionCache(); });
  addCaches(stats.l1c, sms_, now, [](const sm::MemoryPorts& ports) { return ports.constantCache(); });
  addCaches(stats.l15c, sms_, now, [](const sm::MemoryPorts& ports) { return ports.secondConstantCache(); });
  addCaches(stats.texture, sms_, now, [](const sm::MemoryPorts& ports) { return ports.textureCache(); });
  stats.memory = memorySide_->statistics(now);
  for (const auto& mechanism : mechanisms_) mechanism->collect(stats.mechanisms);
  return stats;
}

}  // namespace warpwright::machines
