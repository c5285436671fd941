// Who asked: the instruction of a warp for which a request travels. Traffic is counted by it (mem/origin_table.hpp), and policies may
// decide by it.
#pragma once

#include "base/types.hpp"

namespace warpwright::mem {

struct Origin {
  static constexpr u32 kNoLaunch = ~u32{0};

  u32 launch = kNoLaunch;  // of the launches of the machine, in their order; kNoLaunch: no instruction asked
  Pc pc;                   // of the instruction in the code of its program
  u32 block = 0;           // number in its grid, modulo 2^32
  u16 sm = 0;              // also of requests that no instruction asked for
  u16 slot = 0;            // of the warp on its SM

  bool isKnown() const { return launch != kNoLaunch; }
  bool operator==(const Origin&) const = default;
};
static_assert(sizeof(Origin) == 16, "every request carries one");

}  // namespace warpwright::mem
