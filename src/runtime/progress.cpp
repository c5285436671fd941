#include "runtime/progress.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace warpwright::runtime {
namespace {

constexpr std::chrono::seconds kQuietTime{2};
constexpr std::chrono::milliseconds kRedrawTime{100};
constexpr const char* kWipeLine = "\r\033[K";

std::string durationText(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string progressText(const std::string& kernel, const exec::Progress& progress, double seconds) {
  const double rate = static_cast<double>(progress.warpInstructions) / seconds;
  auto text = fmt::format("{}: {} of {} blocks, {:.1f} M warp instructions/s", kernel, progress.blocksDone, progress.blocks, rate / 1e6);
  if (progress.blocksDone == 0) return text;
  const double left = seconds * static_cast<double>(progress.blocks - progress.blocksDone) / static_cast<double>(progress.blocksDone);
  return text + fmt::format(", {} left", durationText(left));
}

ProgressLine::ProgressLine(std::string kernel, bool enabled) : kernel_(std::move(kernel)), enabled_(enabled) {}

ProgressLine::~ProgressLine() {
  if (drawn_) std::fputs(kWipeLine, stderr);
}

double ProgressLine::update(const exec::Progress& progress) {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  if (!enabled_ || now - begin_ < kQuietTime || (drawn_ && now - *drawn_ < kRedrawTime)) return seconds;
  drawn_ = now;
  std::fputs((kWipeLine + progressText(kernel_, progress, seconds)).c_str(), stderr);
  std::fflush(stderr);
  return seconds;
}

}  // namespace warpwright::runtime
