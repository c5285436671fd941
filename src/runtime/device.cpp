#include "runtime/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "profile/profile.hpp"
#include "ptx/link.hpp"
#include "ptx/parser.hpp"
#include "runtime/added_code.hpp"
#include "runtime/checked_compilation.hpp"
#include "runtime/compile_options.hpp"
#include "runtime/dump.hpp"
#include "runtime/launches.hpp"
#include "runtime/points.hpp"
#include "runtime/ptx_source.hpp"
#include "sm/access/shared_geometry.hpp"

namespace warpwright::runtime {
namespace {

exec::GlobalMemory::Options memoryOptions(const Settings& settings) {
  return {settings.addressBits, settings.machine.globalMemoryBytes, settings.checks.uninitialised, settings.checks.neighbours};
}

// Of the joined text that a unit takes.
u32 linesOf(std::string_view text) { return static_cast<u32>(std::ranges::count(trimPtx(text), '\n')) + 1; }

// A unit's bound on registers holds for its own functions.
ptx::Module parseUnit(const PtxUnit& unit, const std::string& name) {
  ptx::Module module = ptx::parse(trimPtx(unit.text), name);
  for (const std::optional<u32>& bound : {registerBound(unit.text), unit.maxRegisters}) {
    if (!bound) continue;
    for (ptx::Function& function : module.functions) function.maxRegisters = std::min(*bound, function.maxRegisters.value_or(*bound));
  }
  return module;
}

ptx::Module parseUnits(const std::vector<PtxUnit>& units, const std::vector<mechanisms::CodeUnit>& added, const std::string& sourceName) {
  if (units.size() == 1 && added.empty()) return parseUnit(units.front(), sourceName);
  std::vector<ptx::Unit> parsed;
  u32 lines = 0;
  for (const PtxUnit& unit : units) {
    const std::string name = units.size() == 1 ? sourceName : fmt::format("{}.{}", sourceName, parsed.size() + 1);
    parsed.push_back({parseUnit(unit, name), lines});
    lines += linesOf(unit.text);
  }
  for (const mechanisms::CodeUnit& unit : added) {
    parsed.push_back({parseAdded(unit), lines});
    lines += linesOf(unit.text);
  }
  return ptx::link(std::move(parsed), sourceName);
}

// As the lines of messages count it.
std::string joinedText(const std::vector<PtxUnit>& units, const std::vector<mechanisms::CodeUnit>& added) {
  std::string text;
  for (const PtxUnit& unit : units) text.append(trimPtx(unit.text)).append("\n");
  for (const mechanisms::CodeUnit& unit : added) text.append(unit.text).append("\n");
  return text;
}

struct CompiledUnits {
  isa::Program program;
  std::string text;  // with all that was added
};

CompiledUnits compileUnits(const std::vector<PtxUnit>& units, const std::string& sourceName, const Settings& settings,
                           const mechanisms::Mechanisms& mechanisms) {
  std::vector<mechanisms::CodeUnit> added = addedCode(mechanisms, settings.addressBits);
  checkAddedCode(mechanisms, settings, Width::ofProgram);
  ptx::Module module = parseUnits(units, added, sourceName);
  if (module.addressBits != settings.addressBits)
    throw Error(fmt::format("{}: code for {}-bit device addresses on a device with {}-bit ones", sourceName, module.addressBits,
                            settings.addressBits),
                {}, fmt::format("set the address width to {} (--address-bits, WARPWRIGHT_ADDRESS_BITS)", module.addressBits));
  std::ranges::move(adapt(module, mechanisms, linesOf(joinedText(units, added)) - 1), std::back_inserter(added));
  addPoints(module, mechanisms);
  std::string text = joinedText(units, added);
  isa::Program program = compileChecked(module, compileOptions(settings), text);
  for (const auto& mechanism : mechanisms) mechanism->check(program);
  return {std::move(program), std::move(text)};
}

}  // namespace

struct Device::State {
  explicit State(Settings given)
      : settings(std::move(given)),
        memory(memoryOptions(settings)),
        profile(sm::sharedGeometry(settings.machine), settings.data ? &memory : nullptr),
        launches(settings, memory, profile, textures) {}

  std::optional<u64> variable(const std::string& name) const;
  const isa::Program& programOf(const isa::Function& kernel) const;
  LaunchOutcome runAlone(const Launch& launch);

  Settings settings;
  exec::GlobalMemory memory;
  profile::Profile profile;
  Textures textures;
  Arrays arrays;
  std::map<u32, Module> modules;
  u32 nextModule = 1;
  Launches launches;
};

std::optional<u64> Device::State::variable(const std::string& name) const {
  for (const auto& [id, module] : modules) {
    const auto& variables = module.loaded->program.variables;
    const auto found = std::find_if(variables.begin(), variables.end(), [&](const auto& v) { return v.name == name && !v.external; });
    if (found != variables.end()) return module.loaded->variableAddresses[static_cast<std::size_t>(found - variables.begin())];
  }
  return std::nullopt;
}

const isa::Program& Device::State::programOf(const isa::Function& kernel) const {
  const auto holds = [&](const auto& module) {
    const auto& functions = module.second.loaded->program.functions;
    return std::any_of(functions.begin(), functions.end(), [&](const isa::Function& each) { return &each == &kernel; });
  };
  return std::find_if(modules.begin(), modules.end(), holds)->second.loaded->program;
}

Device::Device(Settings settings) : state_(std::make_unique<State>(std::move(settings))) {}
Device::~Device() = default;

const Settings& Device::settings() const { return state_->settings; }
exec::GlobalMemory& Device::memory() { return state_->memory; }
profile::Profile& Device::profile() { return state_->profile; }
const machines::TimingProfile& Device::timing() const { return state_->launches.timing(); }
void Device::writeTraces() const { state_->launches.writeTraces(); }
std::vector<std::string> Device::remarks() const { return state_->launches.remarks(); }
Textures& Device::textures() { return state_->textures; }
Arrays& Device::arrays() { return state_->arrays; }

const Module& Device::loadModule(std::string_view ptx, const std::string& sourceName, const Placements& placements) {
  return loadModule(std::vector<PtxUnit>{{std::string(trimPtx(ptx)), std::nullopt}}, sourceName, placements);
}

const Module& Device::loadModule(const std::vector<PtxUnit>& units, const std::string& sourceName, const Placements& placements) {
  auto [program, text] = compileUnits(units, sourceName, state_->settings, state_->launches.mechanisms());
  for (isa::Variable& variable : program.variables)
    if (placements.contains(variable.name)) variable.external = true;
  const auto resolve = [&](const std::string& name) {
    const auto placed = placements.find(name);
    return placed == placements.end() ? state_->variable(name) : std::optional<u64>(placed->second);
  };
  const u32 id = state_->nextModule++;
  if (!state_->settings.dumpFolder.empty()) dumpModule(state_->settings.dumpFolder, id, text, program);
  Module module{id, units, exec::load(std::move(program), state_->memory, resolve)};
  return state_->modules.emplace(id, std::move(module)).first->second;
}

const Module& Device::loadModule(const std::vector<PtxUnit>& units, const std::string& sourceName,
                                 const exec::ProgramAddresses& addresses) {
  const u32 id = state_->nextModule++;
  Module module{
      id, units,
      exec::load(compileUnits(units, sourceName, state_->settings, state_->launches.mechanisms()).program, addresses, state_->memory)};
  return state_->modules.emplace(id, std::move(module)).first->second;
}

const Module& Device::loadProgram(isa::Program program) {
  const u32 id = state_->nextModule++;
  Module module{id, {}, exec::load(std::move(program), state_->memory)};
  return state_->modules.emplace(id, std::move(module)).first->second;
}

void Device::unloadModule(u32 id) {
  const auto found = state_->modules.find(id);
  if (found == state_->modules.end()) return;
  exec::unload(*found->second.loaded, state_->memory);
  state_->modules.erase(found);
}

bool Device::isLoaded(u32 module) const { return state_->modules.contains(module); }

void Device::reset() {
  state_->modules.clear();
  state_->textures.clear();
  state_->arrays.clear();
  state_->memory.reset();
}

Occupancy Device::occupancy(const isa::Function& kernel, u32 threadsPerBlock, u64 dynamicSharedBytes) const {
  const mechanisms::BlockNeeds added = state_->launches.addedNeeds(state_->programOf(kernel), kernel);
  return occupancyOf(state_->settings.machine,
                     {threadsPerBlock, kernel.registers + added.registers,
                      kernel.sharedBytes + dynamicSharedBytes + added.sharedBytesFor(warpsOf(state_->settings.machine, threadsPerBlock))});
}

LaunchProblem Device::check(const Launch& launch) const {
  return checkLaunch(state_->settings.machine, *launch.kernel, launch,
                     state_->launches.addedNeeds(launch.module->loaded->program, *launch.kernel));
}

void Device::announce(Launch& launch) { state_->launches.announce(launch); }
void Device::submit(const Launch& launch, std::function<void(const LaunchOutcome&)> ended) {
  state_->launches.submit(launch, std::move(ended));
}
void Device::run() { state_->launches.run(); }
void Device::runPatiently() { state_->launches.runPatiently(); }
bool Device::hasWaiting() const { return state_->launches.hasWaiting(); }
void Device::endWaiting() { state_->launches.endWaiting(); }
void Device::abandon() { state_->launches.abandon(); }

LaunchOutcome Device::State::runAlone(const Launch& launch) {
  LaunchOutcome outcome;
  launches.submit(launch, [&](const LaunchOutcome& ended) { outcome = ended; });
  launches.run();
  launches.runPatiently();
  launches.endWaiting();
  return outcome;
}

LaunchOutcome Device::launch(Launch launch) {
  if (const auto problem = check(launch); problem.fault != LaunchFault::none) throw Error(problem.message, {}, problem.remedy);
  announce(launch);
  return state_->runAlone(launch);
}

LaunchOutcome Device::replay(Launch launch) {
  if (const auto problem = check(launch); problem.fault != LaunchFault::none) throw Error(problem.message, {}, problem.remedy);
  launch.timed = state_->settings.timing.has_value();
  return state_->runAlone(launch);
}

void Device::copiedFromHost(GlobalAddress address, u64 bytes) { state_->launches.copiedFromHost(address, bytes); }

void Device::copiedToHost(const void* bytes, u64 count) { state_->launches.copiedToHost(bytes, count); }

const InjectionAccount* Device::injection() const {
  const std::optional<InjectionAccount>& account = state_->launches.injection();
  return account ? &*account : nullptr;
}

u64 Device::copyNanoseconds(u64 bytes) const {
  const config::Machine& machine = state_->settings.machine;
  const double bytesPerSecond = 2.0 * 1e3 * static_cast<double>(machine.memoryClockKhz) * machine.memoryBusBits / 8;
  return static_cast<u64>(static_cast<double>(bytes) / bytesPerSecond * 1e9);
}

}  // namespace warpwright::runtime
