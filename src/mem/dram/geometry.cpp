#include "mem/dram/geometry.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::mem::dram {

namespace {

u32 bitsFor(u32 powerOfTwo) { return static_cast<u32>(std::countr_zero(powerOfTwo)); }

// Takes the lowest bits off an address.
u32 take(u64& address, u32 bits) {
  const u64 result = address & ((u64{1} << bits) - 1);
  address >>= bits;
  return static_cast<u32>(result);
}

}  // namespace

Geometry::Geometry(const config::Dram& dram)
    : byteBits_(bitsFor(columnBytes(dram))),
      groupBits_(bitsFor(dram.bankGroups)),
      bankBits_(bitsFor(dram.banks / dram.bankGroups)),
      rankBits_(bitsFor(dram.ranks)) {
  const u32 columnBits = bitsFor(dram.rowBytes) - byteBits_;
  const u32 pieceBits = bitsFor(dram.interleaveBytes);
  lowColumnBits_ = std::min(columnBits, pieceBits > byteBits_ ? pieceBits - byteBits_ : 0);
  highColumnBits_ = columnBits - lowColumnBits_;
}

Location Geometry::location(ChannelAddress address) const {
  u64 rest = address;
  take(rest, byteBits_);
  const u32 lowColumn = take(rest, lowColumnBits_);
  const u32 group = take(rest, groupBits_);
  const u32 highColumn = take(rest, highColumnBits_);
  const u32 bank = take(rest, bankBits_);
  Location result;
  result.rank = take(rest, rankBits_);
  result.row = rest;
  result.column = highColumn << lowColumnBits_ | lowColumn;
  result.group = result.rank << groupBits_ | group;
  result.bank = result.group << bankBits_ | bank;
  return result;
}

}  // namespace warpwright::mem::dram
