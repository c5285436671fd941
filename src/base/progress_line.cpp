#include "base/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "base/types.hpp"

namespace warpwright {
namespace {

constexpr std::chrono::seconds kQuietTime{2}, kLogPeriod{30};
constexpr std::chrono::milliseconds kTerminalPeriod{200};
constexpr const char* kWipeLine = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(In in)
    : onTerminal_(isatty(STDERR_FILENO) != 0),
      enabled_(in == In::terminalsAndLogs || (in == In::terminals && onTerminal_)),
      next_(begin_ + (onTerminal_ ? kQuietTime : kLogPeriod)) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (drawn_ && onTerminal_) std::fputs(kWipeLine, stderr);
  drawn_ = false;
}

void ProgressLine::show(std::string_view text) {
  next_ = Clock::now() + (onTerminal_ ? Clock::duration(kTerminalPeriod) : Clock::duration(kLogPeriod));
  drawn_ = true;
  fmt::print(stderr, "{}{}{}", onTerminal_ ? kWipeLine : "", text, onTerminal_ ? "" : "\n");
  std::fflush(stderr);
}

std::string durationText(double seconds) {
  const auto whole = static_cast<u64>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace warpwright
