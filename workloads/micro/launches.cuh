// What a launch costs by itself, and a block.
#pragma once

#include "bandwidth.cuh"

namespace micro {

__global__ void doNothing() {}

// Of one launch, behind others in a stream.
inline double microsecondsOfLaunch(int blocks) {
  constexpr int kLaunches = 64;
  constexpr double kMicrosecondsPerMillisecond = 1e3;
  const auto milliseconds = [&](int launches) {
    Event begin, end;
    begin.record();
    for (int launch = 0; launch < launches; ++launch) doNothing<<<blocks, kWarpSize>>>();
    end.record();
    workloads::finishKernels();
    return end.millisecondsSince(begin);
  };
  milliseconds(1);
  return (milliseconds(2 * kLaunches) - milliseconds(kLaunches)) / kLaunches * kMicrosecondsPerMillisecond;
}

inline void measureLaunches(Report& report) {
  const int multiprocessors = static_cast<int>(attribute(cudaDevAttrMultiProcessorCount));
  report.row("one block", microsecondsOfLaunch(1), "us");
  for (int blocks = 8; blocks <= 512; blocks *= 4)
    report.row("blocks=" + std::to_string(blocks) + "/SM", microsecondsOfLaunch(blocks * multiprocessors), "us");
}

}  // namespace micro
