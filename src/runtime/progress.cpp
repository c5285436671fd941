#include "runtime/progress.hpp"

#include <fmt/format.h>

namespace warpwright::runtime {

std::string progressText(const std::string& kernel, const exec::Progress& progress, double seconds) {
  const double rate = static_cast<double>(progress.warpInstructions) / seconds;
  auto text = fmt::format("{}: {} of {} blocks, {:.1f} M warp instructions/s", kernel, progress.blocksDone, progress.blocks, rate / 1e6);
  if (progress.blocksDone == 0) return text;
  const double left = seconds * static_cast<double>(progress.blocks - progress.blocksDone) / static_cast<double>(progress.blocksDone);
  return text + fmt::format(", {} left", durationText(left));
}

LaunchProgress::LaunchProgress(std::string kernel, bool enabled)
    : kernel_(std::move(kernel)), line_(enabled ? ProgressLine::In::terminalsAndLogs : ProgressLine::In::nothing) {}

double LaunchProgress::update(const exec::Progress& progress) {
  const double seconds = line_.seconds();
  if (line_.isDue()) line_.show(progressText(kernel_, progress, seconds));
  return seconds;
}

}  // namespace warpwright::runtime
