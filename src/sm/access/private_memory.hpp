// Where a warp's private memory lies, whose words its lanes share out (base/lane_interleaving.hpp).
#pragma once

#include "base/lane_interleaving.hpp"
#include "config/machine.hpp"

namespace warpwright::sm {

struct PrivateVectors {
  GlobalAddress first;  // of vector 0
  u64 apart = 0;        // bytes from one vector to the next

  // Of a byte of a lane's private memory.
  GlobalAddress addressOf(u64 offset, LaneId lane) const { return first + interleavedOffset(offset, lane, apart); }
};

// Of the warp in a slot of an SM. bytesPerThread: of the kernel. sm.memory.local_spacing says how warps lie to one another.
PrivateVectors privateVectors(const config::Machine& machine, SmId sm, SlotId slot, u64 bytesPerThread);

}  // namespace warpwright::sm
