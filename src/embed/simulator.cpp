#include "warpwright/simulator.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "plugins/load.hpp"
#include "profile/profile.hpp"
#include "runtime/device.hpp"
#include "runtime/kernel_lookup.hpp"

namespace warpwright {
namespace {

using Json = nlohmann::ordered_json;

runtime::Settings settingsOf(const SimulatorOptions& options) {
  plugins::loadFromEnvironment();
  runtime::Settings settings;
  settings.machine = config::loadMachine(options.machine, options.overrides);
  settings.addressBits = options.addressBits;
  if (options.maxRegisters != 0) settings.maxRegisters = options.maxRegisters;
  if (!options.timed) return settings;
  config::requireTimed(settings.machine);
  settings.timing.emplace();
  settings.timing->threads = options.threads;
  return settings;
}

std::vector<u8> parameterBlock(const isa::Function& kernel, const std::vector<Argument>& arguments) {
  if (arguments.size() != kernel.parameters.size())
    throw Error(fmt::format("'{}' takes {} arguments, not {}", demangled(kernel.name), kernel.parameters.size(), arguments.size()));
  std::vector<u8> block(kernel.parameterBytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const isa::Parameter& parameter = kernel.parameters[i];
    const std::vector<u8>& bytes = arguments[i].bytes();
    if (bytes.size() != parameter.size)
      throw Error(
          fmt::format("argument {} of '{}' has {} bytes, the parameter {}", i, demangled(kernel.name), bytes.size(), parameter.size), {},
          "give it the parameter's type: 1.0f for a float, std::uint64_t for an address");
    std::memcpy(block.data() + parameter.offset, bytes.data(), bytes.size());
  }
  return block;
}

// The number at "a.b.c".
std::optional<double> numberAt(const Json& object, const std::string& path) {
  const Json* value = &object;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string name = path.substr(begin, dot - begin);
    if (!value->is_object() || !value->contains(name)) return std::nullopt;
    value = &value->at(name);
    begin = dot + 1;
  }
  if (!value->is_number()) return std::nullopt;
  return value->get<double>();
}

}  // namespace

struct Simulator::State {
  explicit State(const SimulatorOptions& options) : device(settingsOf(options)) {}

  // Throws Error where the bytes are in no allocation.
  void requireAllocated(u64 address, std::size_t bytes) const {
    for (const auto& [begin, size] : allocations)
      if (address >= begin && address - begin <= size && bytes <= size - (address - begin)) return;
    throw Error(fmt::format("{} bytes at {:#x} are not inside memory that allocate() gave", bytes, address));
  }

  const runtime::Module& moduleOf(const std::string& kernel) const {
    for (const runtime::Module* module : modules)
      if (runtime::hasKernel(module->loaded->program, kernel)) return *module;
    if (modules.empty()) throw Error("no code is loaded", {}, "load() takes PTX");
    return *modules.back();  // findKernel() lists what it has instead
  }

  Json data() {
    Json all = device.profile().data();
    device.timing().addTo(all, device.profile());
    return all;
  }

  runtime::Device device;
  std::vector<const runtime::Module*> modules;
  std::vector<std::pair<u64, std::size_t>> allocations;
};

Simulator::Simulator(const SimulatorOptions& options) : state_(std::make_unique<State>(options)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

void Simulator::load(const std::string& ptx, const std::string& name) { state_->modules.push_back(&state_->device.loadModule(ptx, name)); }

std::uint64_t Simulator::allocate(std::size_t bytes) {
  const auto address = state_->device.memory().allocate(bytes, exec::AllocationKind::device, "allocate()");
  if (!address) throw Error(fmt::format("{} bytes do not fit in device memory", bytes), {}, "choose a machine with more, or an override");
  state_->allocations.emplace_back(*address, bytes);
  return *address;
}

void Simulator::write(std::uint64_t address, const void* from, std::size_t bytes) {
  state_->requireAllocated(address, bytes);
  std::memcpy(exec::GlobalMemory::hostPointer(GlobalAddress(address)), from, bytes);
  state_->device.memory().markInitialised(GlobalAddress(address), bytes);
}

void Simulator::read(void* to, std::uint64_t address, std::size_t bytes) const {
  state_->requireAllocated(address, bytes);
  std::memcpy(to, exec::GlobalMemory::hostPointer(GlobalAddress(address)), bytes);
}

void Simulator::launch(const std::string& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
                       std::uint64_t dynamicSharedBytes) {
  const runtime::Module& module = state_->moduleOf(kernel);
  runtime::Launch launch;
  launch.module = &module;
  launch.kernel = &runtime::findKernel(module.loaded->program, kernel);
  launch.grid = {grid.x, grid.y, grid.z};
  launch.block = {block.x, block.y, block.z};
  launch.dynamicSharedBytes = dynamicSharedBytes;
  launch.parameters = parameterBlock(*launch.kernel, arguments);
  const runtime::LaunchOutcome outcome = state_->device.launch(launch);
  if (outcome.status != exec::LaunchStatus::completed) throw Error(outcome.message);
}

std::string Simulator::statistics() const { return state_->data().dump(2); }

std::optional<double> Simulator::statistic(const std::string& kernel, const std::string& path) const {
  for (const runtime::Module* module : state_->modules) {
    if (!runtime::hasKernel(module->loaded->program, kernel)) continue;
    const std::string& name = runtime::findKernel(module->loaded->program, kernel).name;
    const Json all = state_->data();
    for (const Json& each : all.at("kernels"))
      if (each.at("name") == name) return numberAt(each, path);
  }
  return std::nullopt;
}

}  // namespace warpwright
