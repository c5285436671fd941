// What a launch without time has touched, so that a machine can be told of it.
#pragma once

#include <vector>

#include "base/touched_line.hpp"
#include "machines/copied.hpp"
#include "sm/kernel_code.hpp"

namespace warpwright::machines {

struct Touched {
  std::vector<Copied> copied;      // by the host, before the launch
  std::vector<TouchedLine> lines;  // of L2: those of the instructions executed, then of data in the order of the last touch
  sm::KernelCode kernel;
  u64 blocks = 0;  // that SMs have begun and that were not timed
};

}  // namespace warpwright::machines
