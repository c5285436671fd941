// What the compiler knows of an access to shared memory: its address as a sum over the thread's place in its block.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"

namespace warpwright::isa {

enum class ThreadSymbol : u8 { none, tidX, tidY, tidZ, ntidX, ntidY, ntidZ };

// factor x the product of the symbols.
struct ThreadTerm {
  std::array<ThreadSymbol, 3> symbols{};
  s64 factor = 0;

  bool operator==(const ThreadTerm&) const = default;
};

// The offset in shared memory is `base` + the terms, in bytes. `isShifted`: + something more that is the same for all lanes of a warp.
struct SharedAccess {
  u64 base = 0;
  std::vector<ThreadTerm> terms;
  bool isShifted = false;
  bool isAtomic = false;
  u32 bytes = 4;      // a lane
  double weight = 1;  // how often it runs, by the compiler's estimate

  bool operator==(const SharedAccess&) const = default;
};

// Of a thread in a block of this size, without what is not known.
s64 offsetOf(const SharedAccess& access, Dim3 thread, Dim3 block);

}  // namespace warpwright::isa
