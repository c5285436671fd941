// Redundant execution by routines beside a program (docs/assist-warps/redundancy.md): what feeds the stores and branches of kernels is cut
// into slices, and each becomes a routine that computes its result again and compares.
#pragma once

#include <set>
#include <string>

#include "base/types.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {

struct RedundancyOptions {
  std::string kernel;               // empty: all
  std::set<u32> lines;              // of the PTX, whose results are checked; empty: all
  std::string priority = "normal";  // of the routines: high, normal or low
  bool corrects = false;            // the routine's result takes the place of the program's; of high priority alone
};

struct RedundantChecks {
  std::string text;                   // PTX of the routines
  u32 routines = 0, computed = 0;     // routines; instructions of the program that feed stores and branches
  u32 covered = 0, instructions = 0;  // of these, those that some routine repeats; instructions of the routines' slices
};

// Throws Error where the module has lines of a source: routines are triggered at lines, and those of a source are too coarse.
RedundantChecks redundantChecks(const ptx::Module& module, const RedundancyOptions& options);

}  // namespace warpwright::compiler
