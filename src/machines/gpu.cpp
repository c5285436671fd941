#include "machines/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace warpwright::machines {
namespace {

// Instructions lie where no data do, as the memory system sees them: see also sm/memory_access.cpp.
constexpr u64 kCodeBase = (u64{1} << 47) + (u64{1} << 46), kCodeSpacing = u64{1} << 24;

void add(TimedResult& total, sm::EndedLaunch share) {
  exec::LaunchResult& into = total.functional;
  exec::LaunchResult& from = share.functional;
  if (into.status == exec::LaunchStatus::completed) {
    into.status = from.status;
    into.message = std::move(from.message);
  }
  for (std::string& warning : from.warnings) {
    if (std::find(into.warnings.begin(), into.warnings.end(), warning) == into.warnings.end()) into.warnings.push_back(std::move(warning));
  }
  into.warpInstructions += from.warpInstructions;
  into.threadInstructions += from.threadInstructions;
  if (into.counts.size() < from.counts.size()) into.counts.resize(from.counts.size());
  for (std::size_t pc = 0; pc < from.counts.size(); ++pc) {
    into.counts[pc].warps += from.counts[pc].warps;
    into.counts[pc].lanes += from.counts[pc].lanes;
    into.counts[pc].active += from.counts[pc].active;
  }
  total.mostBlocks += share.mostBlocks;
  if (total.stalls.size() < share.stalls.size()) total.stalls.resize(share.stalls.size());
  for (std::size_t pc = 0; pc < share.stalls.size(); ++pc) merge(total.stalls[pc], share.stalls[pc]);
}

// All caches of a kind.
template <class Get>
void addCaches(mem::CacheStats& total, const std::vector<std::unique_ptr<sm::Sm>>& sms, Cycle now, Get get) {
  for (const auto& sm : sms) {
    if (sm::L1Cache* cache = get(sm->ports())) stats::merge(total, cache->statistics(now));
  }
}

// A machine whose description asks for more than is simulated would give numbers of another machine.
void refuseWhatIsNotModelled(const config::Machine& machine) {
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("machine '{}' cannot be timed: {}", machine.name, what), {},
                "run it with --functional, or change the key with --set");
  };
  if (machine.sm.pipeline == config::Pipeline::inOrder) refuse("there is no in-order pipeline yet (sm.pipeline.model = \"in_order\")");
  if (!machine.sm.sharedMulticast)
    refuse("shared memory always serves every word that several lanes read (sm.memory.shared_multicast = false)");
  constexpr u32 kMostWarps = 64;
  if (machine.warpsPerSm > kMostWarps) refuse(fmt::format("an SM has at most {} warps (sm.warps = {})", kMostWarps, machine.warpsPerSm));
}

}  // namespace

Gpu::Gpu(const config::Machine& machine, exec::GlobalMemory& memory, const TimingOptions& options)
    : machine_(machine),
      memory_(memory),
      options_(options),
      map_(machine.dram.channels, machine.partition.slices, machine.dram.interleaveBytes, machine.dram.hashChannels),
      nextCodeAddress_(kCodeBase) {
  config::requireTimed(machine_);
  refuseWhatIsNotModelled(machine_);
  std::vector<engine::Domain*> domains;
  std::vector<engine::ChannelBase*> channels;
  const config::Network& network = machine_.network;
  for (u32 i = 0; i < machine_.multiprocessors; ++i) {
    requests_.push_back(std::make_unique<sm::NetworkPort>(network.injectionQueue, network.injectionLatency));
    responses_.push_back(std::make_unique<sm::NetworkPort>(network.ejectionQueue, network.injectionLatency));
    sms_.push_back(
        std::make_unique<sm::Sm>(machine_, i, map_, *requests_[i], *responses_[i],
                                 sm::SmOptions{options.skip, options.lines, options.listenerOf ? options.listenerOf(i) : nullptr}));
    domains.push_back(sms_.back().get());
    channels.push_back(requests_[i].get());
    channels.push_back(responses_[i].get());
  }
  std::vector<sm::NetworkPort*> fromSms, toSms;
  for (const auto& port : requests_) fromSms.push_back(port.get());
  for (const auto& port : responses_) toSms.push_back(port.get());
  memorySide_ = std::make_unique<mem::MemorySide>(machine_, map_, std::move(fromSms), std::move(toSms), options.skip);
  if (options.dramObserverOf) {
    for (u32 i = 0; i < machine_.dram.channels; ++i) memorySide_->observeDram(i, options.dramObserverOf(i));
  }
  if (options.sampleInterval != 0) nextSample_ = Cycle{options.sampleInterval};
  // The memory side is the longest piece of a quantum's work: it begins first.
  domains.insert(domains.begin(), memorySide_.get());
  quanta_ = std::make_unique<engine::Quanta>(std::move(domains), std::move(channels), engine::QuantaOptions{options.threads, options.skip});
}

Gpu::~Gpu() = default;

std::vector<TimedResult> Gpu::run(const std::vector<Job>& jobs) {
  const Cycle start = quanta_->now();
  for (const auto& sm : sms_) sm->catchUp(start);
  const GpuStats before = stats(start);
  running_.clear();
  for (const Job& job : jobs) {
    Running running;
    running.plan = std::make_unique<sm::LaunchPlan>(job.request, machine_.sm);
    sm::LaunchPlan& plan = *running.plan;
    plan.id = launches_++;
    plan.warpsPerBlock = job.resources.warps;
    plan.registersPerBlock = job.resources.registers;
    plan.sharedPerBlock = job.resources.sharedBytes;
    plan.localPerThread = job.resources.localBytesPerThread;
    plan.codeAddress = nextCodeAddress_;
    nextCodeAddress_ += kCodeSpacing;
    running.blocks = job.request.grid.count();
    running.mayStart = start + machine_.sm.launchLatency;
    // %globaltimer counts from the launch, the machine's clock from the first launch on.
    plan.request.startNanoseconds -= start.ticks * 1'000'000 / machine_.coreClockKhz;
    for (u32 i = 0; i < sms_.size(); ++i) sms_[i]->beginLaunch(plan, memory_, job.observers.empty() ? nullptr : job.observers[i]);
    running_.push_back(std::move(running));
  }
  stop_ = exec::LaunchStatus::completed;
  lastProgress_ = lastExit_ = start;
  dispatch(start);
  const Cycle limit = options_.most == kNever ? kNever : start + options_.most.ticks;
  const engine::Quanta::End end = quanta_->run(*this, limit);
  const Cycle finish = quanta_->now();
  for (const auto& sm : sms_) sm->catchUp(finish);

  std::string message;
  const exec::LaunchStatus status = statusOf(end, finish, message);
  const GpuStats all = stats(finish);
  if (options_.sampleInterval != 0) options_.sample(finish, all);
  const GpuStats counted = stats::delta(all, before);
  std::vector<TimedResult> results;
  for (Running& running : running_) {
    TimedResult result;
    result.cycles = (running.done == running.blocks ? running.ended : finish) - start;
    result.stats = counted;
    for (const auto& sm : sms_) add(result, sm->endLaunch(*running.plan));
    if (result.functional.status == exec::LaunchStatus::completed && running.done != running.blocks) {
      result.functional.status = status;
      result.functional.message = message;
    }
    result.functional.blocksDone = running.done;
    results.push_back(std::move(result));
  }
  const std::vector<std::string> broken = violations(all, counted);
  for (TimedResult& result : results) result.violations = broken;
  return results;
}

// Requests may be under way between launches (dirty lines that a first-level cache evicted), so what ties the parts of the memory system
// together is checked over the whole life of the machine.
std::vector<std::string> Gpu::violations(const GpuStats& all, const GpuStats& launch) const {
  // A fault stops SMs in the middle of a cycle.
  const auto hasFault = [](const auto& sm) { return sm->fault().has_value(); };
  if (std::any_of(sms_.begin(), sms_.end(), hasFault)) return {};
  const auto isIdle = [](const auto& sm) { return sm->idle(); };
  stats::Conservation laws;
  checkSlots(launch, machine_, laws);
  check(all, machine_, laws);
  if (memorySide_->idle() && std::all_of(sms_.begin(), sms_.end(), isIdle)) checkAtRest(all, machine_, laws);
  return laws.violations();
}

GpuStats Gpu::stats(Cycle now) {
  GpuStats stats;
  stats.cycles = now.ticks;
  for (const auto& sm : sms_) stats::merge(stats.sm, sm->stats());
  addCaches(stats.l1d, sms_, now, [](const sm::MemoryPorts& ports) { return ports.dataCache(); });
  addCaches(stats.l1i, sms_, now, [](const sm::MemoryPorts& ports) { return ports.instructionCache(); });
  addCaches(stats.l1c, sms_, now, [](const sm::MemoryPorts& ports) { return ports.constantCache(); });
  addCaches(stats.texture, sms_, now, [](const sm::MemoryPorts& ports) { return ports.textureCache(); });
  stats.memory = memorySide_->statistics(now);
  return stats;
}

}  // namespace warpwright::machines
