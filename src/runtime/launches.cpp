#include "runtime/launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "profile/source_text.hpp"
#include "runtime/grid_barrier.hpp"
#include "runtime/interrupt.hpp"
#include "runtime/occupancy.hpp"
#include "runtime/progress.hpp"

namespace warpwright::runtime {
namespace {

// Device printf goes through C's stdout, so that it keeps its place among the program's own output; assertions go to stderr.
class StandardOutput : public exec::HostServices {
 public:
  void print(std::string_view text) override { std::fwrite(text.data(), 1, text.size(), stdout); }
  void printError(std::string_view line) override { std::fwrite(line.data(), 1, line.size(), stderr); }
};

machines::BlockResources resourcesOf(const config::Machine& machine, const Launch& launch) {
  const isa::Function& kernel = *launch.kernel;
  const BlockShare share = shareOf(machine, {static_cast<u32>(launch.block.count()), kernel.registers,
                                             std::max(kernel.sharedBytes, kernel.dynamicSharedOffset) + launch.dynamicSharedBytes});
  return {share.warps, share.registers, share.sharedBytes, kernel.localBytes};
}

}  // namespace

// A launch, and what it needs from its submission to its end.
struct Launches::Active {
  Active(Launch given, Ended whenEnded, const Settings& settings, exec::GlobalMemory& memory)
      : launch(std::move(given)),
        ended(std::move(whenEnded)),
        barrier(memory, launch.cooperative),
        line(profile::demangled(launch.kernel->name), settings.progress) {}

  Launch launch;
  Ended ended;
  GridBarrierMemory barrier;
  ProgressLine line;
  exec::LaunchRequest request;
  machines::BlockResources resources;
  std::optional<mechanisms::LaunchObservers> observers;
};

Launches::Launches(const Settings& settings, exec::GlobalMemory& memory, profile::Profile& profile, const Textures& resources)
    : settings_(settings),
      memory_(memory),
      profile_(profile),
      resources_(resources),
      output_(std::make_unique<StandardOutput>()),
      timing_(settings.machine),
      mechanisms_(mechanisms::makeMechanisms(settings.machine)),
      fastForward_(settings.functionalUntil),
      sharedBanks_(settings.machine) {
  if (settings.timing && settings.trace.any()) tracer_ = std::make_unique<machines::trace::Tracer>(settings.machine, settings.trace);
}

Launches::~Launches() = default;

void Launches::announce(Launch& launch) {
  launch.number = ++announced_;
  const bool reached = fastForward_.reaches(launch.kernel->name);
  launch.timed = reached && settings_.timing.has_value();
  launch.recorded = reached && !settings_.checkpointFile.empty();
}

void Launches::submit(Launch launch, Ended ended) {
  if (launch.recorded) {
    if (!recorder_) recorder_ = std::make_unique<LaunchRecorder>(settings_, memory_, resources_);
    recorder_->launchBegins(launch);
    ended = [this, tell = std::move(ended)](const LaunchOutcome& outcome) {
      recorder_->launchEnded();
      tell(outcome);
    };
  }
  auto active = std::make_shared<Active>(std::move(launch), std::move(ended), settings_, memory_);
  active->request = requestOf(*active);
  active->resources = resourcesOf(settings_.machine, active->launch);
  waiting_.push_back(std::move(active));
}

exec::LaunchRequest Launches::requestOf(Active& active) {
  const Launch& launch = active.launch;
  const config::Machine& machine = settings_.machine;
  const BlockNeeds needs{static_cast<u32>(launch.block.count()), launch.kernel->registers,
                         launch.kernel->sharedBytes + launch.dynamicSharedBytes};
  exec::LaunchRequest request;
  request.program = launch.module->loaded.get();
  request.kernel = launch.kernel;
  request.grid = launch.grid;
  request.block = launch.block;
  request.dynamicSharedBytes = launch.dynamicSharedBytes;
  request.parameters = launch.parameters;
  request.gridId = launch.number;
  request.gridSyncAddress = active.barrier.address();
  request.limits.warpSize = machine.warpSize;
  request.limits.multiprocessors = machine.multiprocessors;
  request.limits.residentBlocksPerSm = occupancyOf(machine, needs).blocksPerSm;
  request.limits.sharedBytesPerBlock = machine.sharedBytesPerBlockOptin;
  request.limits.reconvergence = machine.reconvergence == "stack" ? exec::Reconvergence::stack : exec::Reconvergence::independent;
  request.checks = settings_.checks;
  request.startNanoseconds = launch.startNanoseconds;
  request.host = output_.get();
  request.resources = &resources_;
  request.progress = [&line = active.line, most = settings_.mostSeconds](const exec::Progress& progress) -> std::string {
    const double seconds = line.update(progress);
    if (interrupted()) return fmt::format("stopped by {}", interruptName());
    if (most != 0 && seconds >= static_cast<double>(most)) return fmt::format("stopped after {} s, as --max-seconds asks", most);
    return {};
  };
  return request;
}

void Launches::run() {
  watchForInterrupt();
  try {
    while (!waiting_.empty()) {
      const std::shared_ptr<Active> active = takeWaiting(false);
      if (active) {
        runFunctionally(*active);
      } else {
        runTimed();
      }
    }
  } catch (...) {
    waiting_.clear();
    gpu_.reset();
    throw;
  }
}

// The first that waits for the timed or the functional machine; null: none does.
std::shared_ptr<Launches::Active> Launches::takeWaiting(bool timed) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& each) { return each->launch.timed == timed; });
  if (found == waiting_.end()) return nullptr;
  std::shared_ptr<Active> active = std::move(*found);
  waiting_.erase(found);
  return active;
}

void Launches::runFunctionally(Active& active) {
  exec::LaunchRequest& request = active.request;
  if (settings_.profile) request.observer = observe(active, 1).front();
  LaunchOutcome outcome{exec::launch(request, memory_)};
  outcome.nanoseconds = functionalNanoseconds(request, outcome);
  outcome.endNanoseconds = active.launch.startNanoseconds + outcome.nanoseconds;
  if (settings_.profile) {
    profile_.endLaunch(request, outcome, outcome.nanoseconds);
    addObserved(active);
  }
  active.ended(outcome);
}

// Those that hear a launch on so many SMs.
std::vector<exec::Observer*> Launches::observe(Active& active, u32 sms) {
  active.observers.emplace(mechanisms_, active.request, profile_.beginLaunch(active.request, sms, sharedBanks_.tableFor(active.request)));
  return active.observers->all();
}

void Launches::addObserved(Active& active) {
  profile_.addMechanisms(active.request, active.observers->counted());
  active.observers.reset();
}

u64 Launches::functionalNanoseconds(const exec::LaunchRequest& request, const exec::LaunchResult& result) const {
  const config::Machine& machine = settings_.machine;
  const u64 busySms = std::clamp<u64>(request.grid.count(), 1, machine.multiprocessors);
  const u64 slotsPerCycle = busySms * std::max(1u, machine.schedulersPerSm);
  const u64 cycles = (result.warpInstructions + slotsPerCycle - 1) / slotsPerCycle;
  return static_cast<u64>(static_cast<double>(cycles) * 1e6 / static_cast<double>(machine.coreClockKhz));
}

std::unique_ptr<machines::Gpu> Launches::makeGpu() {
  machines::TimingOptions options = *settings_.timing;
  if (tracer_) {
    options.listenerOf = [this](u32 sm) { return tracer_->listenerOf(sm); };
    options.dramObserverOf = [this](u32 channel) { return tracer_->dramObserverOf(channel); };
    options.sample = [this](Cycle now, const machines::GpuStats& all) { tracer_->sample(now, all); };
    options.sampleInterval = settings_.trace.interval;
  }
  return std::make_unique<machines::Gpu>(settings_.machine, memory_, options);
}

u64 Launches::nanosecondsAt(Cycle cycle) const {
  return origin_.nanoseconds + (cycle - origin_.cycle) * 1'000'000 / settings_.machine.coreClockKhz;
}

Cycle Launches::cycleAt(u64 nanoseconds) const {
  return origin_.cycle + ((nanoseconds - origin_.nanoseconds) * settings_.machine.coreClockKhz + 999'999) / 1'000'000;
}

void Launches::runTimed() {
  if (!gpu_) gpu_ = makeGpu();
  place();
  gpu_->run();
  if (!failed_) return;
  // What launches that did not end leave in the machine belongs to no other.
  failed_ = false;
  gpu_.reset();
  if (tracer_) tracer_->stop();
}

// Gives the timed machine the launches that wait for it.
void Launches::place() {
  if (!gpu_->busy()) {
    u64 first = ~u64{0};
    for (const auto& active : waiting_) first = std::min(first, active->launch.startNanoseconds);
    origin_ = {gpu_->now(), std::max(busyUntil_, first)};
  }
  while (const std::shared_ptr<Active> active = takeWaiting(true)) {
    exec::LaunchRequest& request = active->request;
    const Cycle earliest = cycleAt(std::max(origin_.nanoseconds, active->launch.startNanoseconds));
    request.startNanoseconds = nanosecondsAt(earliest);
    std::vector<exec::Observer*> observers;
    if (settings_.profile) observers = observe(*active, settings_.machine.multiprocessors);
    const u64 resident = u64{request.limits.residentBlocksPerSm} * request.limits.multiprocessors;
    // A grid that synchronises needs all of its blocks.
    const u64 blocks = active->launch.cooperative ? 0 : machines::blocksInDetail(settings_.sample, request.grid.count(), resident);
    gpu_->add({request, active->resources, std::move(observers), active->launch.priority, blocks}, earliest,
              [this, active](machines::TimedResult timed) { timedEnded(*active, std::move(timed)); });
  }
}

// The blocks behind the sample, without time.
void Launches::runRest(Active& active, exec::LaunchResult& sample) {
  exec::LaunchRequest& request = active.request;
  request.firstBlock = sample.blocksDone;
  if (settings_.profile) request.observer = observe(active, 1).front();
  exec::LaunchResult rest = exec::launch(request, memory_);
  if (settings_.profile) {
    profile_.endFurtherPart(request, rest);
    addObserved(active);
  }
  merge(sample, std::move(rest));
}

void Launches::timedEnded(Active& active, machines::TimedResult timed) {
  const u64 nanoseconds = timed.estimatedCycles * 1'000'000 / settings_.machine.coreClockKhz;
  const u64 end = nanosecondsAt(timed.began + timed.estimatedCycles);
  busyUntil_ = std::max(busyUntil_, end);
  failed_ |= timed.functional.status != exec::LaunchStatus::completed;
  for (const std::string& law : timed.violations) std::fprintf(stderr, "warpwright: INTERNAL CHECK FAILED: %s\n", law.c_str());
  if (settings_.profile) {
    const profile::Counters use = profile_.endLaunch(active.request, timed.functional, nanoseconds);
    timing_.add(active.request, active.resources, timed, use);
    addObserved(active);
  }
  const bool isWhole = timed.functional.blocksDone == active.request.grid.count();
  if (timed.functional.status == exec::LaunchStatus::completed && !isWhole) runRest(active, timed.functional);
  active.ended({std::move(timed.functional), nanoseconds, end});
  if (!failed_ && gpu_->busy()) place();
}

void Launches::writeTraces() const {
  if (tracer_) tracer_->write();
  if (settings_.timing && !fastForward_.reached()) std::fprintf(stderr, "warpwright: %s\n", fastForward_.explanation().c_str());
}

}  // namespace warpwright::runtime
