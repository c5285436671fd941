// Kernels of a few instructions whose cycles can be counted by hand.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "timed_machine.hpp"

namespace warpwright::testing {

struct TinyKernel {
  std::string name;
  std::string why;  // these cycles are right
  std::function<void(Assembler&)> body;
  config::Machine machine = fermi();
  u32 warps = 1;
};

// R0 counts the rounds, R1 and P1 are the kernel's own to prepare in `body`'s first instructions, R2:R3 point to 64 KiB of zeros, which
// begin at a multiple of 16 KiB; shared memory is at 0. Each round begins with a barrier.
struct TwoRounds {
  isa::Program program;
  u32 begin = 0, end = 0;  // instructions of the body
};
TwoRounds twoRounds(const TinyKernel& kernel);

std::vector<TinyKernel> tinyKernels();

}  // namespace warpwright::testing
