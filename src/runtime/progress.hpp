// One line on a terminal for a launch that takes long: blocks done, rate, time left.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "exec/launch.hpp"

namespace warpwright::runtime {

// "saxpy: 12 of 64 blocks, 31.2 M warp instructions/s, 5 s left". `seconds` since the launch began, above 0.
std::string progressText(const std::string& kernel, const exec::Progress& progress, double seconds);

// Draws on stderr from two seconds on, ten times a second at most, and wipes its line at the end.
class ProgressLine {
 public:
  ProgressLine(std::string kernel, bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // The seconds since the launch began.
  double update(const exec::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  std::string kernel_;
  bool enabled_;
  Clock::time_point begin_ = Clock::now();
  std::optional<Clock::time_point> drawn_;
};

}  // namespace warpwright::runtime
