// Moving data between a warp's registers and host memory, and the address arithmetic before it. These are the loops that
// gain from wide vectors; every host level gives the same bits.
#pragma once

#include "base/types.hpp"
#include "exec/lane_function.hpp"
#include "isa/types.hpp"

namespace warpwright::exec {

// The addresses of one warp access, in the space that its instruction names or its lanes' generic addresses lie in. They are plain numbers
// because the same loops compute them for every space; what leaves them for one space becomes an address of that space there. Lanes outside
// the mask are undefined.
struct LaneAddresses {
  alignas(64) u64 lane[kMaxWarpSize];
  u64 lowest = 0, highest = 0;  // of the first bytes; bounds only, until tighten() makes them exact
  u64 anyBits = 0;              // OR of all: shows misalignment
  bool uniform = false;         // all the same
  bool consecutive = false;     // lane l at address(lane 0) + l * bytes of the access
};

// Registers of the address: low words, and high words or null. bytes: size of the whole access of one lane.
using AddressFunction = void (*)(const u32* low, const u32* high, u64 offset, bool wrap32, u32 bytes, LaneMask mask, LaneAddresses& result);

// Moves `elements` elements a lane between the registers at `planes` (register-major) and host memory at `base` + address.
using TransferFunction = void (*)(u64 base, const LaneAddresses& addresses, LaneMask mask, u32 elements, u32* planes);

AddressFunction addressFunction(u32 lanes, HostLevel level);
TransferFunction loadFunction(isa::DataType type, u32 lanes, HostLevel level);
// Stores read `planes` only.
TransferFunction storeFunction(isa::DataType type, u32 lanes, HostLevel level);

// Makes lowest and highest exact.
void tighten(LaneAddresses& addresses, LaneMask mask);

// Fills in all but the addresses themselves, for addresses computed otherwise.
void summarise(LaneAddresses& addresses, LaneMask mask, u32 bytes);

}  // namespace warpwright::exec
