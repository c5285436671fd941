// Launches of which only some are timed, and of these only some blocks: docs/sampling.md.
#include <algorithm>

#include "machines/code_addresses.hpp"
#include "machines/spread.hpp"
#include "runtime/active_launch.hpp"
#include "sampling/code_lines.hpp"
#include "sampling/replayable.hpp"

namespace warpwright::runtime {
namespace {

// Chosen: of so many times the lines of L2, each of its sets gets as many as it has ways, however lines are spread over sets.
constexpr u64 kRememberedLines = 4;

// Null: by their numbers. Clusters are whole, and a block never waits for one that was left out.
std::shared_ptr<const exec::BlockOrder> sampleOrder(const exec::Launch& launch, u64 resident) {
  const u64 grid = launch.grid.count();
  if (grid < machines::kFillsOfSpreadGrids * resident || resident % exec::clusterOf(launch).count() != 0) return nullptr;
  if (sampling::mayHearOfOthers(launch.program->program, *launch.kernel)) return nullptr;
  return std::make_shared<const exec::BlockOrder>(machines::spreadOrder(grid, resident));
}

// What a load that misses brings to L2: what the first-level cache asks for at once, or L2 itself.
u32 fetchBytes(const config::Cache& first, bool isUsed, const config::Cache& l2) {
  return std::max(isUsed && first.bytes != 0 ? first.sectorBytes : kSectorBytes, l2.sectorBytes);
}

}  // namespace

void Launches::makeSampler() {
  const config::Machine& machine = settings_.machine;
  const sampling::LineSizes sizes{
      .line = machine.l2.lineBytes,
      .loads = fetchBytes(machine.l1d, machine.sm.cacheGlobalLoads, machine.l2),
      .texels = fetchBytes(machine.textureCache.bytes != 0 ? machine.textureCache : machine.l1d, true, machine.l2)};
  const u64 linesOfL2 = u64{machine.dram.channels} * machine.partition.slices * machine.l2.bytes / machine.l2.lineBytes;
  sampler_ = std::make_unique<sampling::Sampler>(*settings_.sampleError, sizes, kRememberedLines * linesOfL2);
  touched_.emplace(TouchedHistory::Most{.lines = kRememberedLines * linesOfL2,
                                        .codeBytes = machine.multiprocessors * machine.l1i.bytes,
                                        .launches = machine.multiprocessors});
}

// Which blocks of a launch need not be simulated in detail.
void Launches::leaveOut(Active& active, machines::Gpu::Job& job) const {
  // A grid that synchronises needs all of its blocks.
  if (active.launch->cooperative) return;
  const exec::MachineLimits& limits = active.request.limits;
  const u64 grid = active.launch->grid.count(), resident = u64{limits.residentBlocksPerSm} * limits.multiprocessors;
  const bool isFixed = !settings_.sample.isAll();
  if (isFixed) {
    // Clusters are whole.
    const u64 perCluster = exec::clusterOf(*active.request.launch).count();
    job.blocks = (machines::blocksInDetail(settings_.sample, grid, resident) + perCluster - 1) / perCluster * perCluster;
  }
  if (isFixed ? job.blocks == grid : !active.use || grid < machines::kFillsOfSampledGrids * resident) return;
  if (!isFixed) {
    job.error = *settings_.sampleError;
    job.request.order = active.request.order = sampleOrder(*active.launch, resident);
  }
  job.work = std::make_shared<const machines::BlockWork>(
      active.use ? machines::BlockWork(sampler_->blockEvents(), resident, job.request.order.get())
                 : machines::BlockWork::ofEqual(grid, resident));
}

// Whether the only launch there is may run before it is known whether it takes time.
bool Launches::canExecuteFirst() const {
  if (!sampler_ || waiting_.size() != 1 || !running_.empty()) return false;
  const Active& active = *waiting_.front();
  return !active.use && !active.launch->recording && sampler_->canExecuteFirst(active.request);
}

// The error asked for is a condition, too, as it decides which blocks are left out.
void Launches::makeTimes() {
  const std::string conditions =
      fmt::format("warpwright {}, error {}, blocks {} or share {}, registers {}, spills {}\n{}", WARPWRIGHT_VERSION, *settings_.sampleError,
                  settings_.sample.blocks, settings_.sample.share, settings_.maxRegisters, static_cast<u32>(settings_.spillPolicy),
                  config::toToml(settings_.machine));
  times_ = std::make_unique<LaunchTimes>(settings_.sampleTimes, settings_.samplePart, conditions);
}

void Launches::executeFirst() {
  if (!gpu_ && !times_) gpu_ = makeGpu();
  beginTime();
  const std::shared_ptr<Active> active = takeWaiting(true);
  exec::LaunchRequest& request = active->request;
  request.startNanoseconds = origin_.nanoseconds;
  request.observer = &sampler_->listen(request, observe(*active, 1).front());
  exec::LaunchResult result = exec::launch(request, memory_);
  request.observer = nullptr;
  active->use = profile_.endLaunch(request, result, 0);
  active->instructions = result.warpInstructions;
  addObserved(*active);
  if (result.status != exec::LaunchStatus::completed) return computed(*active, std::move(result));
  const bool isChecked = !times_ && isBehindTimed_ && sampler_->isStateCheckDue();
  if (!sampler_->mustTime(request, result, *active->use) && !isChecked) return computed(*active, std::move(result));
  if (const std::optional<stats::Estimate> known = timeElsewhere(*active)) return computed(*active, std::move(result), *known);
  sampler_->putBack();
  // What it prints has been printed.
  request.host = nullptr;
  if (isChecked) active->recalled = cyclesRecalled(*active);
  waiting_.push_front(active);
  runTimed();
}

// Of a launch that must be timed: what it takes, if the folder of times holds that, or what is known of it meanwhile, if another run times
// it.
std::optional<stats::Estimate> Launches::timeElsewhere(const Active& active) {
  if (!times_) return std::nullopt;
  const LaunchTimes::Key launch = keyOf(active);
  if (const LaunchTimes::Time* const time = times_->find(launch)) {
    sampler_->timed(time->cycles, time->instructionsInDetail);
    return time->cycles;
  }
  if (times_->isMine(launch)) return std::nullopt;
  sampler_->leftToOthers();
  return sampler_->predicted();
}

LaunchTimes::Key Launches::keyOf(const Active& active) { return {active.launch->number, active.launch->kernel->name, active.instructions}; }

// By a launch that has been executed.
machines::Touched Launches::touchedBy(const Active& active) const {
  const config::Machine& machine = settings_.machine;
  const GlobalAddress code = machines::codeAddressOf(*active.launch->program);
  machines::Touched touched{.copied = active.launch->copied,
                            .lines = sampling::codeLines(sampler_->executed(), code, machine.sm.instructionBytes, machine.l2.lineBytes),
                            .kernel = sm::codeOf(code, *active.launch->kernel, machine),
                            .blocks = active.launch->grid.count()};
  const std::vector<TouchedLine> data = sampler_->lines();
  touched.lines.insert(touched.lines.end(), data.begin(), data.end());
  return touched;
}

// What the program's earlier launches have touched, on a machine that has run none of them.
void Launches::recallTouched(machines::Gpu& gpu) const {
  for (const machines::Touched& launch : touched_->launches()) gpu.touch(launch);
}

// What a launch takes on such a machine. Nothing else comes of it; memory is as it was. Nothing: it does not come to its end.
std::optional<double> Launches::cyclesRecalled(Active& active) {
  machines::TimingOptions options = *settings_.timing;
  options.threads = 1;  // the SMs share a log
  options.lines = false;
  machines::Gpu apart(settings_.machine, memory_, options, settings_.makeMechanisms(settings_.machine));
  recallTouched(apart);
  sampling::UndoLog written;
  machines::Gpu::Job job = jobOf(active, std::vector<exec::Observer*>(settings_.machine.multiprocessors, &written));
  const machines::TimedResult timed = apart.run(std::move(job));
  written.undo();
  if (timed.functional.status != exec::LaunchStatus::completed) return std::nullopt;
  return timed.estimate.value;
}

// A launch has been executed that is not timed here: its cycles are known, or those that others took, or, if it failed, a lower bound.
void Launches::computed(Active& active, exec::LaunchResult result, std::optional<stats::Estimate> known) {
  u64 nanoseconds = functionalNanoseconds(active.request, result);
  if (result.status == exec::LaunchStatus::completed) {
    machines::Touched touched = touchedBy(active);
    if (!times_) gpu_->touch(touched);
    touched_->add(std::move(touched));
    isBehindTimed_ = false;
    const stats::Estimate cycles = known ? *known : sampler_->predicted();
    nanoseconds = static_cast<u64>(cycles.value * 1e6 / settings_.machine.coreClockKhz);
    timing_.addComputed(active.request, cycles);
    const isa::Program& program = active.launch->program->program;
    timing_.setSampled(active.request, sampler_->of(active.launch->kernel->name, program.sourceName), sampler_->all());
  }
  sampler_->forgetLaunch();
  busyUntil_ = origin_.nanoseconds + nanoseconds;
  profile_.addTime(active.request, nanoseconds);
  active.ended({std::move(result), nanoseconds, busyUntil_});
}

// What the profile counted of a timed launch, now or when it was executed before. Of blocks that were left out nothing is counted in
// detail, so that what the whole launch used counts by the part of its instructions.
profile::Counters Launches::profileOf(Active& active, const exec::LaunchResult& timed, u64 nanoseconds) {
  if (!active.use) return profile_.endLaunch(active.request, timed, nanoseconds);
  profile_.addTime(active.request, nanoseconds);
  profile::Counters use = *active.use;
  for (u64* const bytes : {&use.global.loads.bytesUsed, &use.local.loads.bytesUsed, &use.textures.bytesAsked})
    *bytes = static_cast<u64>(static_cast<double>(*bytes) * static_cast<double>(timed.warpInstructions) /
                              static_cast<double>(std::max<u64>(1, active.instructions)));
  return use;
}

void Launches::noteSampled(const Active& active, const machines::TimedResult& timed) {
  const exec::LaunchRequest& request = active.request;
  if (active.use) {
    const bool isWhole = timed.functional.blocksDone == active.launch->grid.count();
    if (active.recalled) sampler_->stateChecked(*active.recalled, timed.estimate.value);
    sampler_->timed(timed.estimate, timed.functional.warpInstructions,
                    times_ || isBehindTimed_ ? sampling::Begin::behindTimed : sampling::Begin::recalled);
    if (times_) times_->add(keyOf(active), {timed.estimate, timed.functional.warpInstructions});
    machines::Touched touched = touchedBy(active);
    // What the blocks did that were left out; all SMs have had others.
    if (!times_ && !isWhole) gpu_->touch({.copied = {}, .lines = touched.lines, .kernel = touched.kernel});
    touched_->add(std::move(touched));
    isBehindTimed_ = isWhole;
    sampler_->forgetLaunch();
  } else {
    sampler_->timedInFull(request, timed.functional, timed.estimate);
    isBehindTimed_ = true;
  }
  const isa::Program& program = active.launch->program->program;
  timing_.setSampled(request, sampler_->of(active.launch->kernel->name, program.sourceName), sampler_->all());
}

}  // namespace warpwright::runtime
