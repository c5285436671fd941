// Where a warp's private memory lies: word w of lane l is word l of vector w (Collange and Kouyoumdjian, "Affine Vector Cache for memory
// bandwidth savings", section 2.2).
#pragma once

#include "config/machine.hpp"

namespace warpwright::sm {

struct PrivateVectors {
  u64 first = 0, apart = 0;  // bytes: address of vector 0, and from one vector to the next

  // Of a byte of a lane's private memory.
  u64 placeOf(u64 offset, u32 lane) const { return first + offset / kWordBytes * apart + u64{lane} * kWordBytes + offset % kWordBytes; }

  static constexpr u32 kWordBytes = 4;
};

// Of the warp in a slot of an SM. bytesPerThread: of the kernel. sm.memory.local_spacing says how warps lie to one another.
PrivateVectors privateVectors(const config::Machine& machine, u32 sm, u32 slot, u64 bytesPerThread);

}  // namespace warpwright::sm
