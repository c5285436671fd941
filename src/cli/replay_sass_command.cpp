// `warpwright replay-sass`: traces of SASS that users have already, on a timed machine.
#include <fmt/format.h>

#include "cli/app.hpp"
#include "cli/checks.hpp"
#include "cli/simulation_options.hpp"
#include "runtime/environment.hpp"
#include "runtime/interrupt.hpp"
#include "runtime/report.hpp"
#include "runtime/trace_replay.hpp"

namespace warpwright::cli {
namespace {

constexpr const char* kReplaySassExamples =
    "Examples:\n"
    "  warpwright replay-sass traces                   a folder of Accel-Sim's tracer, on a V100\n"
    "  warpwright replay-sass --machine rtx3070 --json out.json traces/kernelslist.g\n"
    "  warpwright replay-sass --set l1d.ways=8 --kernels 1 traces\n";

struct ReplaySassChoice {
  SimulationOptions simulation;
  std::string traces;
  u64 kernels = 0;  // 0: all
};

runtime::Settings settingsOf(ReplaySassChoice& choice) {
  constexpr u32 kAddressBits = 64;
  choice.simulation.timed = true;
  choice.simulation.exportToEnvironment();
  runtime::Settings settings = runtime::settingsFrom(runtime::readEnvironment(), kAddressBits);
  runtime::requirePlayable(settings);
  return settings;
}

bool hasCompleted(const runtime::LaunchOutcome& outcome) {
  if (outcome.status == exec::LaunchStatus::completed) return true;
  fmt::print(stderr, "warpwright: {}\n", outcome.message);
  return false;
}

int run(ReplaySassChoice& choice) {
  runtime::TraceReplay replay(sass::findTraces(choice.traces));
  runtime::Device device(settingsOf(choice));
  bool completed = true;
  for (u64 count = 0; completed && (choice.kernels == 0 || count < choice.kernels); ++count) {
    const std::optional<runtime::LaunchOutcome> outcome = replay.next(device);
    if (!outcome) break;
    completed = hasCompleted(*outcome);
  }
  for (const std::string& remark : replay.remarks()) fmt::print(stderr, "warpwright: {}\n", remark);
  runtime::report(device, runtime::readEnvironment().report);
  if (!completed && runtime::interrupted()) runtime::dieOfInterrupt();
  return completed ? 0 : 1;
}

}  // namespace

void addReplaySass(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("replay-sass", "Play SASS traces of Accel-Sim's tracer on a timed machine, without values");
  auto choice = std::make_shared<ReplaySassChoice>();
  command->add_option("traces", choice->traces, "Folder of traces, its kernelslist.g, or the trace of one kernel")
      ->required()
      ->type_name("FOLDER|FILE");
  command->add_option("--kernels", choice->kernels, "Only the first so many kernels")->check(positive<u64>())->type_name("N");
  choice->simulation.addForRecorded(*command);
  command->footer(kReplaySassExamples);
  command->callback([choice, &status] { status = run(*choice); });
}

}  // namespace warpwright::cli
