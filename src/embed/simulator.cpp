#include "warpwright/simulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "embed/state.hpp"
#include "machines/energy/model.hpp"
#include "plugins/load.hpp"
#include "runtime/environment.hpp"

namespace warpwright {
namespace {

machines::trace::Settings tracesOf(const SimulatorOptions& options) {
  if (options.traceFrom >= options.traceUntil) throw Error("traceFrom is not before traceUntil");
  if (options.traceInterval == 0) throw Error("traceInterval is 0", {}, "give it at least one core cycle");
  return {options.traceFile,
          options.konataFile,
          options.seriesFile,
          {Cycle{options.traceFrom}, Cycle{options.traceUntil}},
          options.traceInterval};
}

void addTiming(const SimulatorOptions& options, runtime::Settings& settings) {
  settings.trace = tracesOf(options);
  if (!options.timed) {
    if (settings.trace.any()) throw Error("traces of a functional simulation", {}, "set timed: only then is there time to trace");
    if (!options.energyTable.empty()) throw Error("energy of a functional simulation", {}, "set timed: only then are events counted");
    return;
  }
  config::requireTimed(settings.machine);
  settings.timing.emplace();
  settings.timing->threads = options.threads;
  settings.timing->lines = options.lines;
  if (!options.energyTable.empty())
    settings.energy = std::make_shared<machines::EnergyModel>(energy::loadTable(options.energyTable), settings.machine);
}

runtime::Settings settingsOf(const SimulatorOptions& options) {
  plugins::loadFromEnvironment();
  runtime::Settings settings;
  settings.machine = config::loadMachine(options.machine, options.overrides);
  settings.checks = runtime::parseChecks(options.checks);
  if (!options.stopOnFault) settings.checks.onFault = exec::OnFault::warn;
  settings.addressBits = options.addressBits;
  if (options.maxRegisters != 0) settings.maxRegisters = options.maxRegisters;
  settings.print = options.print;
  settings.mustStop = options.mustStop;
  addTiming(options, settings);
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

}  // namespace

Simulator::State::State(const SimulatorOptions& options) : device(settingsOf(options)), queues(device) {}

void Simulator::State::requireReachable(u64 address, std::size_t bytes) {
  if (device.memory().find(GlobalAddress(address), std::max<std::size_t>(bytes, 1)) != nullptr) return;
  throw Error(fmt::format("{} bytes at {:#x} are not inside memory that allocate() gave, nor in a variable", bytes, address));
}

void Simulator::State::enqueue(u32 stream, const std::string& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
                               u64 dynamicSharedBytes) {
  const FoundKernel found = find(kernel);
  runtime::Launch launch;
  launch.module = found.module;
  launch.kernel = found.function;
  launch.grid = {grid.x, grid.y, grid.z};
  launch.block = {block.x, block.y, block.z};
  launch.dynamicSharedBytes = dynamicSharedBytes;
  launch.parameters = parameterBlock(*launch.kernel, arguments);
  queues.add(stream, std::move(launch));
}

Simulator::Simulator(const SimulatorOptions& options) : state_(std::make_unique<State>(options)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

std::uint64_t Simulator::allocate(std::size_t bytes) {
  const auto address = state_->device.memory().allocate(bytes, exec::AllocationKind::device, "allocate()");
  if (!address) throw Error(fmt::format("{} bytes do not fit in device memory", bytes), {}, "choose a machine with more, or an override");
  state_->allocations.insert(*address);
  return *address;
}

void Simulator::free(std::uint64_t address) {
  state_->queues.finish();
  if (state_->allocations.erase(address) == 0)
    throw Error(fmt::format("{:#x} is not the beginning of memory that allocate() gave, or was freed before", address));
  state_->device.memory().free(GlobalAddress(address));
}

void Simulator::write(std::uint64_t address, const void* from, std::size_t bytes) {
  state_->queues.finish();
  state_->requireReachable(address, bytes);
  std::memcpy(exec::GlobalMemory::hostPointer(GlobalAddress(address)), from, bytes);
  state_->device.memory().markInitialised(GlobalAddress(address), bytes);
  state_->device.copiedFromHost(GlobalAddress(address), bytes);
}

void Simulator::read(void* to, std::uint64_t address, std::size_t bytes) {
  state_->queues.finish();
  state_->requireReachable(address, bytes);
  std::memcpy(to, exec::GlobalMemory::hostPointer(GlobalAddress(address)), bytes);
}

void Simulator::launch(const std::string& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
                       std::uint64_t dynamicSharedBytes) {
  state_->queues.finish();
  state_->enqueue(0, kernel, grid, block, arguments, dynamicSharedBytes);
  state_->queues.finish();
}

Stream Simulator::createStream(int priority) { return {state_->queues.create(priority)}; }

void Simulator::launch(Stream stream, const std::string& kernel, Extent grid, Extent block, const std::vector<Argument>& arguments,
                       std::uint64_t dynamicSharedBytes) {
  if (stream.number == 0) throw Error("a stream that createStream() did not make");
  state_->enqueue(stream.number, kernel, grid, block, arguments, dynamicSharedBytes);
}

void Simulator::synchronize() { state_->queues.finish(); }

std::uint64_t Simulator::nanoseconds() const { return state_->queues.nanoseconds(); }

std::vector<std::string> Simulator::takeWarnings() { return state_->queues.takeWarnings(); }

void Simulator::writeTraces() {
  state_->queues.finish();
  state_->device.writeTraces();
}

std::string Simulator::machine() const { return config::toToml(state_->device.settings().machine); }

}  // namespace warpwright
