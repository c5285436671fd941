// Loops whose number of iterations is known before they begin, at compile time or at run time.
#pragma once

#include <optional>
#include <vector>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// An innermost natural loop that lies in one piece, is entered at its beginning and left at its end:
//
//   begin: …
//          add variable, variable, step     the only write of the variable in the loop, once in every iteration
//          setp continues, variable, bound  the bound does not change in the loop
//          …
//   end-1: @continues bra begin             (or @!continues, with the opposite comparison)
struct CountedLoop {
  u32 begin = 0, end = 0;                          // positions in MachineFunction::code
  isa::Operand variable, bound;                    // a register; a register, an immediate or a parameter
  s64 step = 0;                                    // not 0
  isa::DataType type = isa::DataType::none;        // of the comparison: u32, s32, u64 or s64
  isa::Compare continuesWhile = isa::Compare::ne;  // variable … bound: ne, lt, le, gt or ge
  bool comparesNext = true;                        // the comparison sees what the variable is in the next iteration
  std::optional<u64> iterations;                   // where they are a constant of at most kMostCountedIterations

  u32 size() const { return end - begin; }
};

inline constexpr u32 kMostCountedIterations = 1024;

// In the order of the code, no two overlapping. Values should have been separated (registers/split_ranges.hpp).
std::vector<CountedLoop> findCountedLoops(const MachineFunction& function);

}  // namespace warpwright::compiler
