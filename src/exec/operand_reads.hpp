// Operands in shared memory that a warp's asynchronous matrix products may still be reading, where races are looked for.
//
// PTX lets a product read its operands at any time until its group has been waited for. The values are read at once; the race detector
// hears of the reads when the warp waits, so that it sees what other warps have written to them meanwhile, whatever barriers were between.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"

namespace warpwright::exec {

struct PendingRead {
  u64 group = 0;  // of its warp
  Pc pc;
  u32 bytes = 0;                            // of each lane
  std::array<u64, kMaxWarpSize> offsets{};  // in shared memory, one a lane
};

// Of one warp.
struct OperandReads {
  std::vector<PendingRead> pending;
  u64 groups = 0;  // committed
};

}  // namespace warpwright::exec
