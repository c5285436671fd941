#include "lab/execution/progress.hpp"

#include <fmt/format.h>

#include "lab/execution/sweep.hpp"

namespace warpwright::lab {
namespace {

double meanOfAll(std::span<const ProgramProgress> programs) {
  double seconds = 0;
  u64 ended = 0;
  for (const ProgramProgress& program : programs) {
    seconds += program.seconds * static_cast<double>(program.done + program.failed);
    ended += program.done + program.failed;
  }
  return ended == 0 ? 0 : seconds / static_cast<double>(ended);
}

double remainingSeconds(std::span<const ProgramProgress> programs, u32 jobs) {
  const double otherwise = meanOfAll(programs);
  double seconds = 0;
  for (const ProgramProgress& program : programs) {
    const double each = program.done + program.failed == 0 ? otherwise : program.seconds;
    // Those that run are half done, on average.
    seconds += each * (static_cast<double>(program.waiting) + 0.5 * static_cast<double>(program.running));
  }
  return seconds / std::max<u32>(jobs, 1);
}

std::string nameOf(Store& store, Id experiment) {
  for (const ExperimentInfo& each : store.experiments())
    if (each.id == experiment) return each.name;
  return "experiment";
}

}  // namespace

std::string progressText(std::span<const ProgramProgress> programs, u32 jobs) {
  ProgramProgress all;
  for (const ProgramProgress& program : programs) {
    all.waiting += program.waiting;
    all.running += program.running;
    all.done += program.done;
    all.failed += program.failed;
  }
  const u64 open = all.waiting + all.running;
  std::string text = fmt::format("{} of {} runs done", all.done, all.done + all.failed + open);
  if (all.failed != 0) text += fmt::format(", {} failed", all.failed);
  if (all.running != 0) text += fmt::format(", {} running", all.running);
  if (open != 0 && all.done + all.failed != 0) text += fmt::format("; about {} left", durationText(remainingSeconds(programs, jobs)));
  return text;
}

Progress::Progress(Store& store, Id experiment, const SweepOptions& options)
    : store_(store),
      experiment_(experiment),
      jobs_(options.jobs),
      name_(nameOf(store, experiment)),
      line_(options.quiet ? ProgressLine::In::nothing : ProgressLine::In::terminalsAndLogs) {}

void Progress::show() {
  if (line_.isDue()) line_.show(fmt::format("{}: {}", name_, progressText(store_.progress(experiment_), jobs_)));
}

}  // namespace warpwright::lab
