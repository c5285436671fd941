// What an SPU did, and what it waited for.
#pragma once

#include <array>
#include <string_view>

#include "base/types.hpp"
#include "spe/port.hpp"
#include "spe/unit.hpp"

namespace warpwright::spe {

// Why no instruction is issued in a cycle.
enum class Stall : u8 {
  loadResult,  // of a load that has not come back
  result,      // of any other instruction
  localStore,  // its port is taken, or a store has not reached it
  fetch,       // instructions have not come
  branch,      // a taken branch was not hinted, or too late
  dma,         // transfers have not ended, or the queue of commands is full
};
inline constexpr std::size_t kStalls = 6;
inline constexpr std::array<std::string_view, kStalls> kStallNames{"load result", "result", "local store", "fetch", "branch", "dma"};

struct Statistics {
  u64 cycles = 0;       // to the issue of the last instruction
  u64 issueCycles = 0;  // in which at least one instruction was issued
  u64 dualIssues = 0;   // in which two were
  u64 instructions = 0;
  u64 loads = 0, stores = 0;
  u64 conflictCycles = 0;  // more than one for an access to the local store
  u64 takenBranches = 0;
  u64 transfers = 0, transferBytes = 0;  // DMA commands, and what they moved
  u64 unawaited = 0;                     // accesses to what a transfer moves that was not waited for
  u64 mismatches = 0;                    // words that were read in another layout than they were written in
  u32 mostRegisters = 0;
  // Accesses to the local store by what they come through (table 4.1): loads and stores; a cycle of a transfer or a line of instructions
  // that comes, through the wide port.
  std::array<u64, kPorts> byPort{};
  std::array<u64, kUnits> byUnit{};
  std::array<u64, kStalls> stalls{};

  // Every cycle issues or stalls for one cause; every load and store comes through a narrow port.
  bool isConserved() const;
};

inline bool Statistics::isConserved() const {
  u64 all = issueCycles, units = 0, narrow = 0;
  for (const u64 stall : stalls) all += stall;
  for (const u64 unit : byUnit) units += unit;
  for (std::size_t port = 0; port < kPorts; ++port)
    if (static_cast<Port>(port) != Port::wide) narrow += byPort[port];
  return all == cycles && narrow == loads + stores && units == instructions && issueCycles + dualIssues == instructions;
}

}  // namespace warpwright::spe
