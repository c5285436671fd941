// Addresses of a DRAM channel, which are not those of the machine.
#pragma once

#include "base/address.hpp"

namespace warpwright::mem {

// The byte of a memory partition's DRAM that holds a byte of global memory: dense, from 0. AddressMap::local makes one of a global address,
// and dram::Geometry takes bank, row and column from it; a global address is not taken in its place.
using ChannelAddress = AddressIn<struct ChannelSpace>;

}  // namespace warpwright::mem
