// ptx::Module → isa::Program: a plain list of passes (see compiler.cpp), one file each.
#pragma once

#include <optional>

#include "compiler/analysis/analysis.hpp"
#include "compiler/registers/budget.hpp"
#include "isa/program.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {

// NVIDIA's machines from Fermi on have seven predicate registers, P0 … P6 (CUDA Binary Utilities, "Instruction Set Reference").
inline constexpr u32 kPredicateBudget = 7;

struct Options {
  // Upper bound for every function. The .maxnreg and the launch bounds of a kernel bound it and what it calls too.
  u32 maxRegisters = isa::kMaxRegisters;
  // As many are used to hide latencies where fewer would do: what each thread of an SM with 65536 registers can have when the SM holds as
  // many as it may, 2048. With more registers fewer threads find room, as many fewer as the unit of allocation makes.
  u32 comfortableRegisters = 32;
  u32 programCounterRegisters = 0;  // of all these; the code has the others
  // isa::kStackRegister is the stack pointer of every kernel, whether it has a stack or not.
  bool keepsStackPointer = false;
  // For launch bounds. Each scheduler of an SM has warps and a part of the registers of its own.
  u32 registersPerSm = 0;          // 0: unknown, they bound nothing
  u32 registerAllocationUnit = 1;  // a warp receives a multiple of it
  u32 schedulersPerSm = 1, warpsPerSm = 64, blocksPerSm = 32;
  u32 warpSize = 32;
  bool joinsAccesses = true;                  // see access_joining.hpp
  bool sharesLoads = true;                    // see load_sharing.hpp
  bool joinsLogic = true;                     // see logic_joining.hpp
  bool findsSharedAccesses = false;           // fills isa::Function::sharedAccesses
  std::vector<const AnalysisKind*> analyses;  // fill isa::Program::marks
  SpillPolicy spillPolicy = SpillPolicy::standard;
  std::optional<isa::IssueTiming> issueTiming;  // fills isa::Program::control, for the machine that has it
  // false: code without clean-up and register allocation, with virtual registers and the stack pointer in virtual register 0. Only the
  // oracle can run it; tests compare it with the finished code.
  bool finish = true;
  bool verify = true;  // check every allocation (registers/verify_translation.hpp); what is wrong is an InternalError
};

// Throws Error (PTX position, cause, remedy) for what has no machine code.
isa::Program compile(const ptx::Module& module, const Options& options = {});

}  // namespace warpwright::compiler
