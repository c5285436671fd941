#include "runtime/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/error.hpp"
#include "profile/source_text.hpp"
#include "ptx/link.hpp"
#include "ptx/parser.hpp"
#include "runtime/compile_options.hpp"
#include "runtime/dump.hpp"
#include "runtime/fast_forward.hpp"
#include "runtime/interrupt.hpp"
#include "runtime/progress.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::runtime {
namespace {

// Device printf goes through C's stdout, so that it keeps its place among the program's own output; assertions go to stderr.
class StandardOutput : public exec::HostServices {
 public:
  void print(std::string_view text) override { std::fwrite(text.data(), 1, text.size(), stdout); }
  void printError(std::string_view line) override { std::fwrite(line.data(), 1, line.size(), stderr); }
};

// The two words that a cooperative grid synchronises through (%envreg1:%envreg2 hold their address).
struct GridBarrier {
  u32 size = sizeof(GridBarrier);
  u32 barrier = 0;
};

// A grid barrier in device memory for the time of one launch.
class GridBarrierMemory {
 public:
  GridBarrierMemory(exec::GlobalMemory& memory, bool wanted) : memory_(memory) {
    if (!wanted) return;
    const auto address = memory_.allocate(sizeof(GridBarrier), exec::AllocationKind::heap, "grid barrier");
    if (!address) throw Error("no device memory is left for the barrier of a cooperative launch", {}, "free some device memory first");
    address_ = *address;
    *reinterpret_cast<GridBarrier*>(exec::GlobalMemory::hostPointer(address_)) = GridBarrier{};
    if (memory_.tracksInitialisation()) memory_.markInitialised(address_, sizeof(GridBarrier));
  }
  ~GridBarrierMemory() {
    if (address_ != 0) memory_.free(address_);
  }
  GridBarrierMemory(const GridBarrierMemory&) = delete;
  GridBarrierMemory& operator=(const GridBarrierMemory&) = delete;
  u64 address() const { return address_; }

 private:
  exec::GlobalMemory& memory_;
  u64 address_ = 0;
};

exec::GlobalMemory::Options memoryOptions(const Settings& settings) {
  return {settings.addressBits, settings.machine.globalMemoryBytes, settings.checks.uninitialised};
}

profile::Geometry geometryOf(const config::Machine& machine) { return {machine.warpSize, machine.sharedBanks, machine.sharedBankBytes}; }

// A unit's bound on registers holds for its own functions.
ptx::Module parseUnit(const PtxUnit& unit, const std::string& name) {
  ptx::Module module = ptx::parse(trimPtx(unit.text), name);
  for (const std::optional<u32>& bound : {registerBound(unit.text), unit.maxRegisters}) {
    if (!bound) continue;
    for (ptx::Function& function : module.functions) function.maxRegisters = std::min(*bound, function.maxRegisters.value_or(*bound));
  }
  return module;
}

ptx::Module parseUnits(const std::vector<PtxUnit>& units, const std::string& sourceName) {
  if (units.size() == 1) return parseUnit(units.front(), sourceName);
  std::vector<ptx::Unit> parsed;
  u32 lines = 0;
  for (const PtxUnit& unit : units) {
    parsed.push_back({parseUnit(unit, fmt::format("{}.{}", sourceName, parsed.size() + 1)), lines});
    lines += static_cast<u32>(std::ranges::count(trimPtx(unit.text), '\n')) + 1;
  }
  return ptx::link(std::move(parsed), sourceName);
}

compiler::Options optionsFor(const Settings& settings) {
  compiler::Options options = compileOptions(settings.machine, settings.maxRegisters);
  options.spillPolicy = settings.spillPolicy;
  return options;
}

isa::Program compileUnits(const std::vector<PtxUnit>& units, const std::string& sourceName, const Settings& settings) {
  const ptx::Module module = parseUnits(units, sourceName);
  if (module.addressBits != settings.addressBits)
    throw Error(fmt::format("{}: code for {}-bit device addresses on a device with {}-bit ones", sourceName, module.addressBits,
                            settings.addressBits),
                {}, fmt::format("set the address width to {} (--address-bits, WARPWRIGHT_ADDRESS_BITS)", module.addressBits));
  return compiler::compile(module, optionsFor(settings));
}

// As the lines of messages count it.
std::string joinedText(const std::vector<PtxUnit>& units) {
  std::string text;
  for (const PtxUnit& unit : units) text.append(trimPtx(unit.text)).append("\n");
  return text;
}

}  // namespace

struct Device::State {
  explicit State(Settings given)
      : settings(std::move(given)),
        memory(memoryOptions(settings)),
        profile(geometryOf(settings.machine)),
        timing(settings.machine),
        fastForward(settings.functionalUntil) {
    if (settings.timing && settings.trace.any()) tracer = std::make_unique<machines::trace::Tracer>(settings.machine, settings.trace);
  }

  std::optional<u64> variable(const std::string& name) const;
  LaunchOutcome run(exec::LaunchRequest& request);
  u64 functionalNanoseconds(const exec::LaunchRequest& request, const exec::LaunchResult& result) const;
  LaunchOutcome runTimed(const exec::LaunchRequest& request);
  std::unique_ptr<machines::Gpu> makeGpu();

  Settings settings;
  exec::GlobalMemory memory;
  profile::Profile profile;
  machines::TimingProfile timing;
  StandardOutput output;
  Textures textures;
  Arrays arrays;
  std::map<u32, Module> modules;
  u32 nextModule = 1;
  u64 nextGrid = 1;
  std::unique_ptr<machines::trace::Tracer> tracer;
  FastForward fastForward;
  std::unique_ptr<machines::Gpu> gpu;  // made at the first timed launch
};

u64 Device::State::functionalNanoseconds(const exec::LaunchRequest& request, const exec::LaunchResult& result) const {
  const config::Machine& machine = settings.machine;
  const u64 busySms = std::clamp<u64>(request.grid.count(), 1, machine.multiprocessors);
  const u64 slotsPerCycle = busySms * std::max(1u, machine.schedulersPerSm);
  const u64 cycles = (result.warpInstructions + slotsPerCycle - 1) / slotsPerCycle;
  return static_cast<u64>(static_cast<double>(cycles) * 1e6 / static_cast<double>(machine.coreClockKhz));
}

LaunchOutcome Device::State::run(exec::LaunchRequest& request) {
  if (settings.timing && fastForward.reaches(request.kernel->name)) return runTimed(request);
  if (settings.profile) request.observer = &profile.beginLaunch(request);
  LaunchOutcome outcome{exec::launch(request, memory)};
  outcome.nanoseconds = functionalNanoseconds(request, outcome);
  if (settings.profile) profile.endLaunch(request, outcome, outcome.nanoseconds);
  return outcome;
}

std::unique_ptr<machines::Gpu> Device::State::makeGpu() {
  machines::TimingOptions options = *settings.timing;
  if (tracer) {
    options.listenerOf = [this](u32 sm) { return tracer->listenerOf(sm); };
    options.dramObserverOf = [this](u32 channel) { return tracer->dramObserverOf(channel); };
    options.sample = [this](Cycle now, const machines::GpuStats& all) { tracer->sample(now, all); };
    options.sampleInterval = settings.trace.interval;
  }
  return std::make_unique<machines::Gpu>(settings.machine, memory, options);
}

LaunchOutcome Device::State::runTimed(const exec::LaunchRequest& request) {
  const config::Machine& machine = settings.machine;
  if (!gpu) gpu = makeGpu();
  const isa::Function& kernel = *request.kernel;
  const BlockShare share = shareOf(machine, {static_cast<u32>(request.block.count()), kernel.registers,
                                             std::max(kernel.sharedBytes, kernel.dynamicSharedOffset) + request.dynamicSharedBytes});
  const machines::BlockResources resources{share.warps, share.registers, share.sharedBytes, kernel.localBytes};
  std::vector<exec::Observer*> observers;
  if (settings.profile) observers = profile.beginLaunch(request, machine.multiprocessors);
  machines::TimedResult timed = gpu->run({request, resources, std::move(observers)});
  // What a launch that did not end leaves in the machine belongs to no other.
  if (timed.functional.status != exec::LaunchStatus::completed) {
    gpu.reset();
    if (tracer) tracer->stop();
  }

  const u64 nanoseconds = timed.cycles * 1'000'000 / machine.coreClockKhz;
  for (const std::string& law : timed.violations) std::fprintf(stderr, "warpwright: INTERNAL CHECK FAILED: %s\n", law.c_str());
  if (settings.profile) timing.add(request, resources, timed, profile.endLaunch(request, timed.functional, nanoseconds));
  return {std::move(timed.functional), nanoseconds};
}

std::optional<u64> Device::State::variable(const std::string& name) const {
  for (const auto& [id, module] : modules) {
    const auto& variables = module.loaded->program.variables;
    const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.name == name && !v.external; });
    if (found != variables.end()) return module.loaded->variableAddresses[static_cast<std::size_t>(found - variables.begin())];
  }
  return std::nullopt;
}

Device::Device(Settings settings) : state_(std::make_unique<State>(std::move(settings))) {}
Device::~Device() = default;

const Settings& Device::settings() const { return state_->settings; }
exec::GlobalMemory& Device::memory() { return state_->memory; }
profile::Profile& Device::profile() { return state_->profile; }
const machines::TimingProfile& Device::timing() const { return state_->timing; }
void Device::writeTraces() const {
  if (state_->tracer) state_->tracer->write();
  if (state_->settings.timing && !state_->fastForward.reached())
    std::fprintf(stderr, "warpwright: no launch of '%s' came: nothing was timed\n", state_->settings.functionalUntil.c_str());
}
Textures& Device::textures() { return state_->textures; }
Arrays& Device::arrays() { return state_->arrays; }

const Module& Device::loadModule(std::string_view ptx, const std::string& sourceName, const Placements& placements) {
  return loadModule(std::vector<PtxUnit>{{std::string(trimPtx(ptx)), std::nullopt}}, sourceName, placements);
}

const Module& Device::loadModule(const std::vector<PtxUnit>& units, const std::string& sourceName, const Placements& placements) {
  isa::Program program = compileUnits(units, sourceName, state_->settings);
  for (isa::Variable& variable : program.variables)
    if (placements.contains(variable.name)) variable.external = true;
  const auto resolve = [&](const std::string& name) {
    const auto placed = placements.find(name);
    return placed == placements.end() ? state_->variable(name) : std::optional<u64>(placed->second);
  };
  const u32 id = state_->nextModule++;
  if (!state_->settings.dumpFolder.empty()) dumpModule(state_->settings.dumpFolder, id, joinedText(units), program);
  Module module{id, exec::load(std::move(program), state_->memory, resolve)};
  return state_->modules.emplace(id, std::move(module)).first->second;
}

void Device::unloadModule(u32 id) {
  const auto found = state_->modules.find(id);
  if (found == state_->modules.end()) return;
  exec::unload(*found->second.loaded, state_->memory);
  state_->modules.erase(found);
}

void Device::reset() {
  state_->modules.clear();
  state_->textures.clear();
  state_->arrays.clear();
  state_->memory.reset();
}

Occupancy Device::occupancy(const isa::Function& kernel, u32 threadsPerBlock, u64 dynamicSharedBytes) const {
  return occupancyOf(state_->settings.machine, {threadsPerBlock, kernel.registers, kernel.sharedBytes + dynamicSharedBytes});
}

LaunchProblem Device::check(const Launch& launch) const {
  return checkLaunch(state_->settings.machine, *launch.kernel, {launch.grid, launch.block, launch.dynamicSharedBytes, launch.cooperative});
}

LaunchOutcome Device::launch(const Launch& launch) {
  if (const auto problem = check(launch); problem.fault != LaunchFault::none) throw Error(problem.message, {}, problem.remedy);
  const config::Machine& machine = state_->settings.machine;
  const auto threads = static_cast<u32>(launch.block.count());
  const GridBarrierMemory barrier(state_->memory, launch.cooperative);
  ProgressLine line(profile::demangled(launch.kernel->name), state_->settings.progress);
  watchForInterrupt();

  exec::LaunchRequest request;
  request.program = launch.module->loaded.get();
  request.kernel = launch.kernel;
  request.grid = launch.grid;
  request.block = launch.block;
  request.dynamicSharedBytes = launch.dynamicSharedBytes;
  request.parameters = launch.parameters;
  request.gridId = state_->nextGrid++;
  request.gridSyncAddress = barrier.address();
  request.limits.warpSize = machine.warpSize;
  request.limits.multiprocessors = machine.multiprocessors;
  request.limits.residentBlocksPerSm = occupancy(*launch.kernel, threads, launch.dynamicSharedBytes).blocksPerSm;
  request.limits.sharedBytesPerBlock = machine.sharedBytesPerBlockOptin;
  request.limits.reconvergence = machine.reconvergence == "stack" ? exec::Reconvergence::stack : exec::Reconvergence::independent;
  request.checks = state_->settings.checks;
  request.startNanoseconds = launch.startNanoseconds;
  request.host = &state_->output;
  request.resources = &state_->textures;
  request.progress = [&line](const exec::Progress& progress) {
    line.update(progress);
    return !interrupted();
  };
  return state_->run(request);
}

u64 Device::copyNanoseconds(u64 bytes) const {
  const config::Machine& machine = state_->settings.machine;
  const double bytesPerSecond = 2.0 * 1e3 * static_cast<double>(machine.memoryClockKhz) * machine.memoryBusBits / 8;
  return static_cast<u64>(static_cast<double>(bytes) / bytesPerSecond * 1e9);
}

}  // namespace warpwright::runtime
