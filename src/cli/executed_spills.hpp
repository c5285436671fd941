// How often a program executes the spill code that it has with fewer registers: measured, by running it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::cli {

// Warp instructions of all launches of a kernel.
struct ExecutedSpills {
  u64 loads = 0, stores = 0;
};

struct ProgramRun {
  std::vector<std::string> words;  // the program and its arguments
  std::string machine, spillFirst;
};

// Runs the program on the functional machine with so many registers at most; what it prints is dropped. By name of the kernel as in the
// PTX; kernels that were not launched are missing. Throws Error when the program fails.
std::map<std::string, ExecutedSpills> executedSpills(const ProgramRun& run, u32 maxRegisters);

}  // namespace warpwright::cli
