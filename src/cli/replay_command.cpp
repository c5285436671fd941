// `warpwright replay`: the launches of a checkpoint, run again without their program.
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "cli/simulation_options.hpp"
#include "runtime/environment.hpp"
#include "runtime/interrupt.hpp"
#include "runtime/replay.hpp"
#include "runtime/report.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kReplayExamples =
    "Examples:\n"
    "  warpwright run --functional --functional-until step#100 --checkpoint step.ckpt ./app    up to there, quickly\n"
    "  warpwright replay step.ckpt --timed                     the machine of that run, every cycle\n"
    "  warpwright replay step.ckpt --machine gtx480 --set l1d.ways=8 --launches 1\n";

struct ReplayChoice {
  SimulationOptions simulation;
  std::string file;
  u64 launches = 0;  // 0: all
};

// Those of the recorded run, but for what the options and the environment say.
runtime::Settings settingsOf(ReplayChoice& choice, const runtime::Replay& replay) {
  SimulationOptions& options = choice.simulation;
  const std::vector<std::string> overrides = std::exchange(options.overrides, {});
  const bool isItsMachine = options.machine.empty();
  const bool timed = options.timed || (isItsMachine && replay.isTimed() && !options.functional);
  if (isItsMachine) options.timed = false;
  options.exportToEnvironment();
  if (isItsMachine && timed) setenv(runtime::kTimedVariable.name, "1", 1);
  runtime::Settings settings = runtime::settingsFrom(runtime::readEnvironment(), replay.settings().addressBits);
  settings.machine = isItsMachine ? replay.machine(overrides) : config::loadMachine(options.machine, overrides);
  if (settings.timing) config::requireTimed(settings.machine);
  settings.addressBits = replay.settings().addressBits;
  if (options.maxRegisters == 0) settings.maxRegisters = replay.settings().maxRegisters;
  if (options.spillFirst.empty()) settings.spillPolicy = replay.settings().spillPolicy;
  return settings;
}

int run(ReplayChoice& choice) {
  runtime::Replay replay(choice.file);
  runtime::Device device(settingsOf(choice, replay));
  bool completed = true;
  for (u64 count = 0; completed && (choice.launches == 0 || count < choice.launches); ++count) {
    const std::optional<runtime::LaunchOutcome> outcome = replay.next(device);
    if (!outcome) break;
    for (const std::string& warning : outcome->warnings) fmt::print(stderr, "warpwright: {}\n", warning);
    for (const std::string& fault : outcome->tolerated) fmt::print(stderr, "warpwright: {}\n", fault);
    completed = outcome->status == exec::LaunchStatus::completed;
    if (!completed) fmt::print(stderr, "warpwright: {}\n", outcome->message);
  }
  runtime::report(device, runtime::readEnvironment().report);
  if (!completed && runtime::interrupted()) runtime::dieOfInterrupt();
  return completed ? 0 : 1;
}

}  // namespace

void addReplay(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("replay", "Run the launches of a checkpoint again, without the program that made them");
  auto choice = std::make_shared<ReplayChoice>();
  command->add_option("file", choice->file, "Checkpoint (warpwright run --checkpoint writes one)")->required()->type_name("FILE");
  command->add_option("--launches", choice->launches, "Only the first so many launches")->check(positive<u64>())->type_name("N");
  choice->simulation.addTo(*command);
  command->footer(kReplayExamples);
  command->callback([choice, &status] { status = run(*choice); });
}

}  // namespace warpwright::cli
