// What the compiler knows of an access to shared memory: its address as a sum over the thread's indices in its block.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/types.hpp"

namespace warpwright::isa {

// What an address is made of. From `derived` on they count through a list of DerivedValue.
enum class ThreadSymbol : u16 { none, tidX, tidY, tidZ, ntidX, ntidY, ntidZ, iteration, derived };

// factor x the product of the symbols.
struct ThreadTerm {
  std::array<ThreadSymbol, 3> symbols{};
  s64 factor = 0;

  bool operator==(const ThreadTerm&) const = default;
};

struct ThreadSum {
  s64 constant = 0;
  std::vector<ThreadTerm> terms;

  bool operator==(const ThreadSum&) const = default;
};

// What is no sum, of sums over the symbols before it.
struct DerivedValue {
  enum class Operation : u8 { and_, or_, xor_, shl, shr, unsignedShr };
  Operation operation{};
  ThreadSum left, right;

  bool operator==(const DerivedValue&) const = default;
};
using DerivedValues = std::vector<DerivedValue>;

// The offset in shared memory is `base` + the terms, in bytes. `isShifted`: + something more that is the same for all lanes of a warp.
struct SharedAccess {
  u64 base = 0;
  std::vector<ThreadTerm> terms;
  std::shared_ptr<const DerivedValues> derived;  // that the terms name; null: none
  bool isShifted = false;
  bool isRepeated = false;  // for each iteration of a loop, from 0 on, whose number is not known
  bool isAtomic = false;
  u32 bytes = 4;      // a lane
  double weight = 1;  // how often it runs, by the compiler's estimate

  bool operator==(const SharedAccess&) const = default;
};

// Of a thread in a block of this size, without what is not known.
s64 offsetOf(const SharedAccess& access, Dim3 thread, Dim3 block, u32 iteration = 0);

}  // namespace warpwright::isa
