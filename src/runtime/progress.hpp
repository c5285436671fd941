// How far a launch is: blocks done, rate, time left.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "base/progress_line.hpp"
#include "exec/launch.hpp"

namespace warpwright::runtime {

// "saxpy: 12 of 64 blocks, 31.2 M warp instructions/s, 5 s left". `seconds` since the launch began, above 0.
std::string progressText(const std::string& kernel, const exec::Progress& progress, double seconds);

// Launches of a device share a line, on which they show themselves once the device has been there for two seconds: many short ones take
// long, too.
class LaunchProgress {
 public:
  LaunchProgress(std::string kernel, ProgressLine& line) : kernel_(std::move(kernel)), line_(line) {}
  ~LaunchProgress() { line_.clear(); }
  LaunchProgress(const LaunchProgress&) = delete;
  LaunchProgress& operator=(const LaunchProgress&) = delete;

  // The seconds since the launch began.
  double update(const exec::Progress& progress);

 private:
  std::string kernel_;
  ProgressLine& line_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace warpwright::runtime
