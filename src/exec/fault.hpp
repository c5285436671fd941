// What stops a grid, and the reports about it.
#pragma once

#include <optional>
#include <string>

#include "exec/block.hpp"
#include "exec/launch.hpp"

namespace warpwright::exec {

// Thrown inside the engine and turned into the LaunchResult; never leaves launch().
struct Fault {
  LaunchStatus status;
  std::string message;
  std::optional<LaneId> lane{};  // whose it is
  u64 address = 0;               // of its access, in its space; 0: it is none
};

struct FaultSite {
  const LaunchRequest& request;
  const Block& block;
  const Warp& warp;
  Pc pc;
};

// "block (1,0,0), thread (33,0,0)"
std::string threadText(const LaunchRequest& request, const Block& block, u32 thread);
// Thread of a lane, linear in the block.
u32 threadOf(const LaunchRequest& request, const Warp& warp, LaneId lane);

// The full report: what happened where, the thread, further lines (each without line end), the remedy.
std::string report(const FaultSite& site, LaneId lane, const std::string& what, const std::vector<std::string>& notes,
                   const std::string& remedy);

struct BadAccess {
  enum class Kind : u8 { load, store, atomic } kind = Kind::load;
  isa::Space space = isa::Space::global;
  u64 address = 0;  // within the space: of global memory a GlobalAddress, else an offset
  u32 bytes = 0;
  u64 spaceBytes = 0;  // size of the space, but for global memory
};
// What it is to the grid, to be thrown or reported.
Fault outOfBounds(const FaultSite& site, LaneId lane, const BadAccess& access, const GlobalMemory& memory);
Fault uninitialised(const FaultSite& site, LaneId lane, const BadAccess& access, const GlobalMemory& memory);
[[noreturn]] void faultMisaligned(const FaultSite& site, LaneId lane, const BadAccess& access, const GlobalMemory& memory);
[[noreturn]] void fault(const FaultSite& site, LaneId lane, LaunchStatus status, const std::string& what, const std::string& remedy = {});

// What helps a thread whose stack is exhausted.
std::string stackRemedy(const MachineLimits& limits);

// "12 bytes past the end of allocation #3 [0x…, 4096 bytes]"; empty when nothing was ever allocated.
std::string nearestAllocation(const GlobalMemory& memory, GlobalAddress address);

}  // namespace warpwright::exec
