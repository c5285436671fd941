#include "runtime/launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/demangle.hpp"
#include "exec/race_detector.hpp"
#include "runtime/active_launch.hpp"
#include "runtime/interrupt.hpp"
#include "runtime/occupancy.hpp"

namespace warpwright::runtime {
namespace {

// Device printf goes through C's stdout, so that it keeps its position among the program's own output, unless the settings ask for another
// way; assertions go to stderr.
class Output : public exec::HostServices {
 public:
  explicit Output(const Settings& settings) : settings_(settings) {}
  void print(std::string_view text) override {
    if (settings_.print) return settings_.print(text);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  void printError(std::string_view line) override { std::fwrite(line.data(), 1, line.size(), stderr); }

 private:
  const Settings& settings_;
};

machines::BlockResources resourcesOf(const config::Machine& machine, const Launch& launch, const mechanisms::BlockNeeds& added) {
  const isa::Function& kernel = *launch.kernel;
  const u64 ownShared = std::max(kernel.sharedBytes, kernel.dynamicSharedOffset) + launch.dynamicSharedBytes;
  const auto threads = static_cast<u32>(launch.block.count());
  const u64 addedShared = added.sharedBytesFor(warpsOf(machine, threads));
  const BlockShare share = shareOf(machine, {threads, kernel.registers + added.registers, ownShared + addedShared});
  return {.warps = share.warps,
          .registers = share.registers,
          .sharedBytes = share.sharedBytes,
          .localBytesPerThread = kernel.localBytes,
          .addedRegisters = added.registers,
          .addedSharedBytes = addedShared,
          .residentBlocksWithout = occupancyOf(machine, {threads, kernel.registers, ownShared}).blocksPerSm};
}

// CUDA divides device memory among all threads that may be resident (CUDA C++ Programming Guide, "Technical Specifications", has the
// other bound).
u64 mostLocalBytes(const config::Machine& machine) {
  const u64 resident = u64{machine.multiprocessors} * machine.warpsPerSm * machine.warpSize;
  return std::min(exec::kMostLocalBytes, machine.globalMemoryBytes / resident / 16 * 16);
}

// A kernel gets what it is known to need, whatever the program allows.
u64 stackOf(const isa::Function& kernel, const std::optional<u64>& allowed, u64 most) {
  if (!allowed) return most;
  return std::min(most, std::max(*allowed, kernel.recursive ? kernel.frameBytes : kernel.localBytes));
}

}  // namespace

Launches::Launches(const Settings& settings, exec::GlobalMemory& memory, profile::Profile& profile, const Textures& resources)
    : settings_(settings),
      memory_(memory),
      profile_(profile),
      resources_(resources),
      output_(std::make_unique<Output>(settings)),
      progress_(settings.progress ? ProgressLine::In::terminalsAndLogs : ProgressLine::In::nothing),
      timing_(settings.machine, settings.energy),
      mechanisms_(settings.makeMechanisms(settings.machine)),
      fastForward_(settings.functionalUntil),
      sharedBanks_(settings.machine) {
  if (settings.injection) injection_.emplace(*settings.injection);
  if (!settings.timing) return;
  if (settings.sampleError) makeSampler();
  if (sampler_ && !settings.sampleTimes.empty()) makeTimes();
  if (settings.trace.any()) tracer_ = std::make_unique<machines::trace::Tracer>(settings.machine, settings.trace);
  if (settings.pcHistogram)
    pcRecorder_ = std::make_unique<machines::PcRecorder>(*settings.pcHistogram, settings.machine.warpSize, settings.trace.window);
}

Launches::~Launches() = default;

void Launches::announce(Launch& launch) {
  launch.number = ++announced_;
  const bool reached = fastForward_.reaches(launch.kernel->name);
  launch.timed = reached && settings_.timing.has_value();
  launch.recorded = reached && !settings_.checkpointFile.empty();
}

void Launches::copiedFromHost(GlobalAddress address, u64 bytes) {
  if (settings_.timing || !settings_.checkpointFile.empty()) copied_.push_back({address, bytes});
}

void Launches::copiedToHost(const void* bytes, u64 count) {
  if (injection_) injection_->copiedToHost(bytes, count);
}

void Launches::submit(Launch launch, Ended ended) {
  launch.program = launch.module->loaded.get();
  namedKernels_.launched(mechanisms_, launch.program->program, *launch.kernel);
  if (launch.timed || launch.recorded) {
    launch.copied.insert(launch.copied.end(), copied_.begin(), copied_.end());
    copied_.clear();
  }
  if (launch.recorded) {
    if (!recorder_) recorder_ = std::make_unique<LaunchRecorder>(settings_, memory_, resources_);
    recorder_->launchBegins(launch);
    ended = [this, tell = std::move(ended)](const LaunchOutcome& outcome) {
      recorder_->launchEnded();
      tell(outcome);
    };
  }
  auto active = std::make_shared<Active>(std::move(launch), std::move(ended), progress_, memory_);
  active->request = requestOf(*active);
  active->resources =
      resourcesOf(settings_.machine, *active->launch, addedNeeds(active->launch->program->program, *active->launch->kernel));
  waiting_.push_back(std::move(active));
}

exec::LaunchRequest Launches::requestOf(Active& active) {
  const Launch& launch = *active.launch;
  const config::Machine& machine = settings_.machine;
  const mechanisms::BlockNeeds added = addedNeeds(launch.program->program, *launch.kernel);
  const auto threads = static_cast<u32>(launch.block.count());
  const BlockNeeds needs{threads, launch.kernel->registers + added.registers,
                         launch.kernel->sharedBytes + launch.dynamicSharedBytes + added.sharedBytesFor(warpsOf(machine, threads))};
  exec::LaunchRequest request;
  request.launch = active.launch;
  request.extraRegisters = added.registers;
  request.helperBytes = added.helperBytes;
  request.helperTableBytes = added.helperTableBytes;
  request.gridId = launch.number;
  request.gridSyncAddress = active.barrier.address();
  request.limits.warpSize = machine.warpSize;
  request.limits.multiprocessors = machine.multiprocessors;
  request.limits.residentBlocksPerSm = occupancyOf(machine, needs).blocksPerSm;
  request.limits.sharedBytesPerBlock = machine.sharedBytesPerBlockOptin;
  request.limits.mostLocalBytesPerThread = mostLocalBytes(machine);
  request.limits.localBytesPerThread = stackOf(*launch.kernel, launch.stackBytes, request.limits.mostLocalBytesPerThread);
  request.limits.reconvergence = machine.reconvergence == "stack" ? exec::Reconvergence::stack : exec::Reconvergence::independent;
  request.limits.pathTurn = machine.pathTurn;
  request.limits.pollsBeforeYield = machine.pollsBeforeYield;
  request.limits.heapBytes = launch.heapBytes;
  request.checks = settings_.checks;
  if (settings_.checks.races) request.races = std::make_shared<exec::RaceDetector>();
  request.startNanoseconds = launch.startNanoseconds;
  if (settings_.injection) request.injection = &settings_.injection->plan;
  request.host = output_.get();
  request.resources = &resources_;
  request.progress = [this, &line = active.line](const exec::Progress& progress) -> std::string {
    const double seconds = line.update(progress);
    if (interrupted()) return fmt::format("stopped by {}", interruptName());
    if (settings_.mustStop && settings_.mustStop()) return "stopped as the program that launched it asked";
    const u64 mostInstructions = settings_.injection ? settings_.injection->mostInstructions : 0;
    if (mostInstructions != 0 && progress.warpInstructions > mostInstructions)
      return fmt::format("stopped after {} warp instructions, as --inject asks", mostInstructions);
    const u64 most = settings_.mostSeconds;
    if (most != 0 && seconds >= static_cast<double>(most)) return fmt::format("stopped after {} s, as --max-seconds asks", most);
    return {};
  };
  return request;
}

void Launches::run() {
  if (waiting_.empty() && running_.empty()) return;
  watchForInterrupt();
  try {
    // Turns in a row in which nothing changed: after one of each launch they are asked for patience, after a second one all of them wait.
    std::size_t inVain = 0;
    while (!waiting_.empty() || inVain < 2 * running_.size()) {
      if (const std::shared_ptr<Active> active = takeWaiting(false)) {
        beginFunctionally(active);
        inVain = 0;
      } else if (!waiting_.empty()) {
        canExecuteFirst() ? executeFirst() : runTimed();
        inVain = 0;
      } else {
        const bool alone = inVain >= running_.size() || running_.size() == 1;
        inVain = takeTurn(alone ? exec::Patience::usual : exec::Patience::none) ? 0 : inVain + 1;
      }
    }
  } catch (...) {
    abandon();
    gpu_.reset();
    throw;
  }
}

void Launches::runPatiently() {
  bool changed = true;
  while (changed && !running_.empty()) {
    changed = false;
    for (std::size_t turns = running_.size(); turns > 0 && !running_.empty(); --turns) changed |= takeTurn(exec::Patience::utmost);
    run();
  }
}

void Launches::abandon() {
  waiting_.clear();
  for (const std::shared_ptr<Active>& active : std::exchange(running_, {})) {
    active->machine->stop();
    LaunchOutcome outcome{active->machine->result()};
    addToProfile(*active, outcome);
  }
}

void Launches::endWaiting() {
  for (const std::shared_ptr<Active>& active : std::exchange(running_, {})) {
    active->machine->endAsHung();
    endFunctionally(*active);
  }
}

// The first that waits for the timed or the functional machine; null: none does.
std::shared_ptr<Launches::Active> Launches::takeWaiting(bool timed) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& each) { return each->launch->timed == timed; });
  if (found == waiting_.end()) return nullptr;
  std::shared_ptr<Active> active = std::move(*found);
  waiting_.erase(found);
  return active;
}

// Its first turn.
void Launches::beginFunctionally(const std::shared_ptr<Active>& active) {
  exec::LaunchRequest& request = active->request;
  if (settings_.profile) request.observer = observe(*active, 1).front();
  active->machine = std::make_unique<exec::ResumableLaunch>(request, memory_);
  running_.push_front(active);
  takeTurn(waiting_.empty() && running_.size() == 1 ? exec::Patience::usual : exec::Patience::none);
}

// A turn of the next launch. True when it has ended or changed what others may wait for.
bool Launches::takeTurn(exec::Patience patience) {
  const std::shared_ptr<Active> active = std::move(running_.front());
  running_.pop_front();
  const bool hasOthers = !running_.empty();
  const u64 before = active->machine->changes();
  if (!active->machine->run(active->launch->recorded ? exec::Patience::utmost : patience)) {
    // A checkpoint holds launches one after the other.
    if (!active->launch->recorded) {
      running_.push_back(active);
      return hasOthers && active->machine->changes() != before;
    }
    active->machine->endAsHung();
  }
  endFunctionally(*active);
  return true;
}

void Launches::endFunctionally(Active& active) {
  LaunchOutcome outcome{active.machine->result()};
  addToProfile(active, outcome);
  active.ended(outcome);
}

// With the time that it took.
void Launches::addToProfile(Active& active, LaunchOutcome& outcome) {
  outcome.nanoseconds = functionalNanoseconds(active.request, outcome);
  outcome.endNanoseconds = active.launch->startNanoseconds + outcome.nanoseconds;
  if (injection_) injection_->launchEnded(active.request, outcome, memory_);
  if (!settings_.profile) return;
  profile_.endLaunch(active.request, outcome, outcome.nanoseconds);
  addObserved(active);
}

// Those that hear a launch on so many SMs.
std::vector<exec::Observer*> Launches::observe(Active& active, u32 sms) {
  active.observers.emplace(mechanisms_, active.request, profile_.beginLaunch(active.request, sms, sharedBanks_.mapsFor(active.request)));
  return active.observers->all();
}

void Launches::addObserved(Active& active) {
  profile_.addMechanisms(active.request, active.observers->counted());
  active.observers.reset();
}

u64 Launches::functionalNanoseconds(const exec::LaunchRequest& request, const exec::LaunchResult& result) const {
  const config::Machine& machine = settings_.machine;
  const u64 busySms = std::clamp<u64>(request.launch->grid.count(), 1, machine.multiprocessors);
  const u64 slotsPerCycle = busySms * std::max(1u, machine.schedulersPerSm);
  const u64 cycles = (result.warpInstructions + slotsPerCycle - 1) / slotsPerCycle;
  return static_cast<u64>(static_cast<double>(cycles) * 1e6 / static_cast<double>(machine.coreClockKhz));
}

std::unique_ptr<machines::Gpu> Launches::makeGpu() {
  machines::TimingOptions options = *settings_.timing;
  if (settings_.checks.races) options.threads = 1;  // the SMs share one detector
  if (tracer_ || pcRecorder_) options.listenerOf = [this](SmId sm) { return listenerOf(sm); };
  if (tracer_) {
    options.dramObserverOf = [this](PartitionId channel) { return tracer_->dramObserverOf(channel); };
    options.sample = [this](Cycle now, const machines::GpuStats& all) { tracer_->sample(now, all); };
    options.sampleInterval = settings_.trace.interval;
  }
  return std::make_unique<machines::Gpu>(settings_.machine, memory_, options, settings_.makeMechanisms(settings_.machine));
}

sm::PipelineListener* Launches::listenerOf(SmId sm) {
  sm::PipelineListener* const trace = tracer_ ? tracer_->listenerOf(sm) : nullptr;
  if (!pcRecorder_ || !pcRecorder_->follows(sm)) return trace;
  if (!trace) return pcRecorder_.get();
  return &bothListeners_.emplace(*trace, *pcRecorder_);
}

u64 Launches::nanosecondsAt(Cycle cycle) const {
  return origin_.nanoseconds + (cycle - origin_.cycle) * 1'000'000 / settings_.machine.coreClockKhz;
}

Cycle Launches::cycleAt(u64 nanoseconds) const {
  return origin_.cycle + ((nanoseconds - origin_.nanoseconds) * settings_.machine.coreClockKhz + 999'999) / 1'000'000;
}

void Launches::runTimed() {
  if (!gpu_ || times_) gpu_ = makeGpu();
  if (times_) recallTouched(*gpu_);
  place();
  gpu_->run();
  if (!failed_) return;
  // What launches that did not end leave in the machine belongs to no other.
  failed_ = false;
  gpu_.reset();
  if (tracer_) tracer_->stop();
  if (pcRecorder_) pcRecorder_->stop();
}

// The machine begins to run what waits.
void Launches::beginTime() {
  u64 first = ~u64{0};
  for (const auto& active : waiting_) first = std::min(first, active->launch->startNanoseconds);
  origin_ = {gpu_ ? gpu_->now() : Cycle{}, std::max(busyUntil_, first)};
}

// Gives the timed machine the launches that wait for it.
void Launches::place() {
  if (!gpu_->busy()) beginTime();
  while (const std::shared_ptr<Active> active = takeWaiting(true)) {
    exec::LaunchRequest& request = active->request;
    const Cycle earliest = cycleAt(std::max(origin_.nanoseconds, active->launch->startNanoseconds));
    request.startNanoseconds = nanosecondsAt(earliest);
    std::vector<exec::Observer*> observers;
    if (settings_.profile && !active->use) observers = observe(*active, settings_.machine.multiprocessors);
    if (pcRecorder_) active->numberForPcs = pcRecorder_->launchBegins(request);
    gpu_->add(jobOf(*active, std::move(observers)), earliest,
              [this, active](machines::TimedResult timed) { timedEnded(*active, std::move(timed)); });
  }
}

machines::Gpu::Job Launches::jobOf(Active& active, std::vector<exec::Observer*> observers) const {
  machines::Gpu::Job job{.request = active.request,
                         .resources = active.resources,
                         .observers = std::move(observers),
                         .priority = active.launch->priority,
                         .copied = active.launch->copied,
                         .recording = active.launch->recording};
  leaveOut(active, job);
  return job;
}

// The blocks behind the sample, without time.
void Launches::runRest(Active& active, exec::LaunchResult& sample) {
  exec::LaunchRequest& request = active.request;
  request.firstBlock = sample.blocksDone;
  const bool isProfiled = settings_.profile && !active.use;
  if (isProfiled) request.observer = observe(active, 1).front();
  exec::LaunchResult rest = exec::launch(request, memory_);
  if (isProfiled) {
    profile_.endFurtherPart(request, rest);
    addObserved(active);
  }
  merge(sample, std::move(rest));
}

void Launches::timedEnded(Active& active, machines::TimedResult timed) {
  const auto cycles = static_cast<u64>(std::llround(timed.estimate.value));
  const u64 nanoseconds = cycles * 1'000'000 / settings_.machine.coreClockKhz;
  const u64 end = nanosecondsAt(timed.began + cycles);
  busyUntil_ = std::max(busyUntil_, end);
  failed_ |= timed.functional.status != exec::LaunchStatus::completed;
  for (const std::string& law : timed.violations) std::fprintf(stderr, "warpwright: INTERNAL CHECK FAILED: %s\n", law.c_str());
  if (settings_.profile) {
    const profile::Counters use = profileOf(active, timed.functional, nanoseconds);
    timing_.add(active.request, active.resources, timed, use);
    if (sampler_ && timed.functional.status == exec::LaunchStatus::completed) noteSampled(active, timed);
    if (pcRecorder_) timing_.addPcs(active.request, pcRecorder_->settings(), pcRecorder_->launchEnded(active.numberForPcs, gpu_->now()));
    if (active.observers) addObserved(active);
  }
  const bool isWhole = timed.functional.blocksDone == active.request.launch->grid.count();
  if (timed.functional.status == exec::LaunchStatus::completed && !isWhole) runRest(active, timed.functional);
  if (injection_) injection_->launchEnded(active.request, timed.functional, memory_);
  active.ended({std::move(timed.functional), nanoseconds, end});
  if (!failed_ && gpu_->busy()) place();
}

void Launches::writeTraces() const {
  if (tracer_) tracer_->write();
  const std::string remark = pcRecorder_ ? pcRecorder_->remark() : "";
  if (!remark.empty()) std::fprintf(stderr, "warpwright: %s\n", remark.c_str());
  if (settings_.timing && !fastForward_.reached()) std::fprintf(stderr, "warpwright: %s\n", fastForward_.explanation().c_str());
}

}  // namespace warpwright::runtime
