// Addresses of a DRAM channel, which are not those of the machine.
#pragma once

#include <compare>

#include "base/integers.hpp"

namespace warpwright::mem {

// The byte of a memory partition's DRAM that holds a byte of global memory: dense, from 0. AddressMap::local makes one of a global address,
// and dram::Geometry takes bank, row and column from it; a global address is not taken in its place.
class ChannelAddress {
 public:
  constexpr ChannelAddress() = default;
  constexpr explicit ChannelAddress(u64 byte) : byte_(byte) {}
  constexpr u64 byte() const { return byte_; }
  constexpr ChannelAddress operator+(u64 bytes) const { return ChannelAddress(byte_ + bytes); }
  constexpr auto operator<=>(const ChannelAddress&) const = default;

 private:
  u64 byte_ = 0;
};

}  // namespace warpwright::mem
