#include "runtime/trace_replay.hpp"

#include <fmt/format.h>

#include "mechanisms/mechanism.hpp"
#include "sass/kernel_reader.hpp"

namespace warpwright::runtime {
namespace {

// Settings that ask for what a trace does not have; null: there are none.
const char* impossible(const Settings& settings) {
  const exec::Checks& checks = settings.checks;
  if (checks.uninitialised || checks.races || checks.synchronisation || checks.neighbours) return "further checks of the program";
  if (settings.injection) return "faults in what it computes";
  if (settings.data) return "what its arrays hold";
  if (!settings.checkpointFile.empty()) return "a checkpoint";
  if (!settings.functionalUntil.empty() || !settings.sample.isAll()) return "parts that are only computed";
  return nullptr;
}

}  // namespace

void requirePlayable(const Settings& settings) {
  const config::Machine& machine = settings.machine;
  config::requireTimed(machine);
  if (const char* what = impossible(settings))
    throw Error(fmt::format("the environment asks for {}, and a trace has no values", what), {},
                "unset the variables WARPWRIGHT_… that ask for it, or run the program itself: warpwright run");
  mechanisms::requireTakesRecorded(machine);
  if (machine.warpSize != sass::kWarpSize)
    throw Error(
        fmt::format("machine '{}' has warps of {} lanes, and traces of SASS have {}", machine.name, machine.warpSize, sass::kWarpSize), {},
        "choose a machine with warp_size = 32");
}

std::optional<LaunchOutcome> TraceReplay::next(Device& device) {
  while (at_ < list_.commands.size()) {
    const sass::TraceCommand& command = list_.commands[at_++];
    if (const auto* kernel = std::get_if<sass::KernelFile>(&command)) return play(device, *kernel);
    const auto& copy = std::get<sass::HostCopy>(command);
    device.copiedFromHost(copy.address, copy.bytes);
  }
  return std::nullopt;
}

LaunchOutcome TraceReplay::play(Device& device, const sass::KernelFile& file) {
  sass::LineReader lines(sass::openTrace(file.path), file.path);
  const std::shared_ptr<sass::KernelTrace> trace = sass::readKernel(lines);
  for (const auto& [opcode, count] : trace->withoutAddresses) withoutAddresses_[opcode] += count;
  const Module& module = device.loadProgram(sass::programOf(*trace, list_.name, lines.where()));
  Launch launch;
  launch.grid = trace->header.grid;
  launch.block = trace->header.block;
  launch.module = &module;
  launch.kernel = &module.loaded->program.functions.front();
  launch.recording = trace;
  LaunchOutcome outcome = device.launch(std::move(launch));
  device.unloadModule(module.id);
  return outcome;
}

std::vector<std::string> TraceReplay::remarks() const {
  std::vector<std::string> all;
  for (const auto& [opcode, count] : withoutAddresses_)
    all.push_back(fmt::format("the trace has no addresses for {} ({} warp instructions); docs/sass-traces.md says how they were timed",
                              opcode, count));
  return all;
}

}  // namespace warpwright::runtime
