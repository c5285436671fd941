// A function with virtual registers → one with machine registers, within a budget.
#pragma once

#include <optional>

#include "compiler/registers/verify_translation.hpp"

namespace warpwright::compiler {

// Which values are evicted first when registers run out.
enum class SpillPolicy : u8 {
  standard,    // those whose next read is farthest away
  affineFirst  // among those that analysis/affine.hpp proves uniform or affine, if there are any
};

struct RegisterBudget {
  RegisterLimits limits;
  SpillPolicy policy = SpillPolicy::standard;
  u32 comfortable = 64;  // registers that may be used without need, to hide latencies, …
  u32 step = 1;          // … and so many more again and again where they do not suffice
};

struct AllocatedFunction {
  MachineFunction scheduled;          // virtual registers, numbered instructions: what was allocated
  MachineFunction code;               // machine registers; copies of a register to itself are still there
  u32 registers = 0, predicates = 0;  // highest used plus 1, the stack pointer included where the function has one
  u32 spillSlots = 0;                 // 32-bit words of local memory
};

// Empty when the function cannot be compiled with so few registers. Instructions are ordered for latency as far as the comfortable number
// of registers allows, or, where no order does with it, the next greater one. Predicates beyond the limit are held in registers, registers
// beyond the limit in spill slots at the end of the frame.
std::optional<AllocatedFunction> allocateWithin(const MachineFunction& function, const RegisterBudget& budget);

// A function before allocation, in forms that do the same, those that ask for the most registers first: with accesses to memory joined
// (access_joining.hpp) and without, with more and with fewer values in registers across calls (call_saves.hpp).
using PreparedFunction = std::vector<MachineFunction>;

// The first form that needs no spills, else the last.
std::optional<AllocatedFunction> allocateWithin(const PreparedFunction& function, const RegisterBudget& budget);

}  // namespace warpwright::compiler
