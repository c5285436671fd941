// How far a launch is: blocks done, rate, time left.
#pragma once

#include <string>

#include "base/progress_line.hpp"
#include "exec/launch.hpp"

namespace warpwright::runtime {

// "saxpy: 12 of 64 blocks, 31.2 M warp instructions/s, 5 s left". `seconds` since the launch began, above 0.
std::string progressText(const std::string& kernel, const exec::Progress& progress, double seconds);

class LaunchProgress {
 public:
  LaunchProgress(std::string kernel, bool enabled);

  // The seconds since the launch began.
  double update(const exec::Progress& progress);

 private:
  std::string kernel_;
  ProgressLine line_;
};

}  // namespace warpwright::runtime
