// Routines of assist warps as they lie in a program, behind whose code they are linked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/bit_set.hpp"
#include "isa/program.hpp"
#include "mechanisms/assist_warps/annotation.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::assist_warps {

using UnitSet = BitSet<struct UnitNumber>;  // of isa::Unit

inline constexpr u32 kWordBits = 32;  // of a register

// Registers of a routine in which an argument or a result lies.
struct Words {
  u32 first = 0, count = 0;
  u32 operand = 0;  // of a register of the program: its first word's, of the points that trigger the routine
  u32 kept = 0;     // of a register that is kept: its first word's place, behind the registers of the kernel
};

struct Routine {
  const isa::Function* function = nullptr;
  Annotation annotation;
  std::vector<Words> arguments, results;  // by live-in and live-out
  u32 number = 0;                         // of its function in the program
  u32 place = 0;                          // of its registers, behind those of the kernel
  u32 bufferPlace = 0, tablePlace = 0;    // of its buffer and its table, in the memory of its warp's helpers and of its block's
  u32 group = 0;                          // of those of a group one is live for a warp at a time
  UnitSet units;                          // in which it and what it calls execute
  bool hasTimer = false;
  bool watchesIssues = false;  // instructions of the warp may trigger it

  bool isOn(Trigger trigger) const;
  bool isAskedFor() const { return isOn(Trigger::request); }  // by a part of the machine, which has its buffer
  u32 instructions() const { return function->end - function->begin; }
};

// Those of a launch, constant while it runs. All instances of a routine have the same registers of their warp (section 4.2.2).
struct Routines {
  std::vector<Routine> all;
  bool watchIssues = false;  // some of them
  u32 registers = 0;         // of a thread, of all together
  u32 bufferBytes = 0;       // of a warp
  u32 scratchBytes = 0;      // of these, in shared memory: not those of a part of the machine, which asks for the routine
  u32 tableBytes = 0;        // of a block, in shared memory
  u32 words = 0;             // of the arguments and results of the one that has most
};

// Those that speak of the kernel, in the order of their code; `only`: names of those that are enabled, separated by commas, or empty: all
// are. Throws Error for a function whose annotation does not fit it.
Routines routinesFor(const isa::Program& program, const isa::Function& kernel, const std::string& only);

// By routines that are enabled.
std::vector<KernelMention> kernelsNamed(const isa::Program& program, const std::string& only);

// Of all of the program that are enabled.
struct Stored {
  u32 instructions = 0, triggers = 0;
};
Stored storedOf(const isa::Program& program, const std::string& only);

// What the annotation among the pragmas wants of the registers of kernels.
std::vector<RegistersAt> registersFor(const std::string& function, std::span<const std::string> pragmas, const SourcePosition& where,
                                      const std::string& only);

// All of the program. Throws Error for one that cannot be a routine, and where they have more than the store and the map of triggers hold.
void checkRoutines(const isa::Program& program, const std::string& only, const Stored& most);
// Throws Error where the program, a user's file of routines, has none.
void requireRoutines(const isa::Program& program);
// … and where it has none of such a name.
void requireNames(const isa::Program& program, const std::vector<std::string>& names);

}  // namespace warpwright::mechanisms::assist_warps
