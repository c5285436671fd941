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

double LaunchProgress::update(const exec::Progress& progress) {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  if (line_.isDue()) line_.show(progressText(kernel_, progress, seconds));
  return seconds;
}

}  // namespace warpwright::runtime
