// What the compiler tells the issue stage of a machine without a scoreboard, beside each instruction: NVIDIA's GPUs have worked so since
// Kepler. Meaning and sizes of the fields: Huerta, Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of Modern GPU
// Cores", MICRO 2025, section 4.
#pragma once

#include <array>
#include <string>

#include "isa/instruction.hpp"

namespace warpwright::isa {

// Of a warp: SB0 … SB5. Each counts to kMostCounted.
inline constexpr u32 kDependenceCounters = 6;
inline constexpr u32 kMostCounted = 63;
inline constexpr u32 kMostStall = 15;

struct ControlBits {
  static constexpr u8 kNoCounter = 7;

  u8 stall = 0;        // cycles until the warp's next instruction may issue: 1 … kMostStall; 0: the instruction has no control bits
  bool yield = false;  // the warp does not issue in the next cycle
  u8 writeCounter = kNoCounter;  // goes up by one a cycle after the issue, and down when the result is written
  u8 readCounter = kNoCounter;   // … and down when the operands are read
  u8 waits = 0;                  // bit c: counter c has to be 0 before this issues

  u8 reuse = 0;  // bit i: source operand i stays beside the register banks for a later instruction of the warp

  bool operator==(const ControlBits&) const = default;

  bool areSet() const { return stall != 0; }
  bool counts() const { return writeCounter != kNoCounter || readCounter != kNoCounter; }
  // The counters that it makes go up, as bits.
  u8 counted() const { return static_cast<u8>((bitOf(writeCounter) | bitOf(readCounter)) & ((1u << kDependenceCounters) - 1)); }
  // Cycles to the earliest issue of the warp's next instruction.
  u32 distance() const { return yield && stall < 2 ? 2 : stall; }

  static u32 bitOf(u8 counter) { return 1u << counter; }
};

// As disassemblers of NVIDIA's code write them: "B0--3--:R1:W-:-:S04" waits for SB0 and SB3, counts SB1 until its operands are read, and
// stalls for four cycles; Y for the hyphen before S: yields.
std::string toText(const ControlBits& bits);

// What the compiler has to know of a machine for them: cycles from the issue of an instruction to that of one that needs its result.
struct IssueTiming {
  std::array<u32, kLatencyClasses> latency{};  // by Latency; those of memory, branches and barriers mean nothing
  u32 branch = 1;                              // from the issue of a branch to that of what follows it
  u32 guard = 0;                               // from that of an instruction that sets a predicate to that of one which it guards
  u32 otherPipe = 0;                           // that latencies are longer to another pipe (result_pipe.hpp)
  u32 memory = 0;                              // from that of a memory instruction to that of the next one
  u32 operandBanks = 0;                        // register banks of a sub-core beside which operands are kept; 0: none are
};

// When an instruction has its results.
enum class Production : u8 {
  none,      // it has none that others wait for, and has read its operands when it issues
  fixed,     // so many cycles behind its issue, whatever happens: a stall of those who need it keeps them apart
  variable,  // nobody can say: a counter does
};
// Memory and the special function unit take their time (section 4 of the above), and what takes longer than a stall can say needs a
// counter, too.
Production productionOf(const Instruction& instruction, const IssueTiming& timing);

}  // namespace warpwright::isa
