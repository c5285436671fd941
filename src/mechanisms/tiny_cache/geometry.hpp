// Sizes of the cache of one lane.
#pragma once

#include "base/types.hpp"

namespace warpwright::mechanisms::tiny_cache {

struct Geometry {
  static constexpr u32 kMostLineBytes = 128, kMostGranules = 64;

  u32 lines = 16, ways = 8, lineBytes = 64;
  u32 granuleBytes = 2;  // what has a control bit

  constexpr u32 sets() const { return lines / ways; }
  constexpr u32 words() const { return lineBytes / sizeof(u32); }
  constexpr u32 granules() const { return lineBytes / granuleBytes; }
  constexpr u64 allGranules() const { return granules() == 64 ? ~u64{0} : (u64{1} << granules()) - 1; }
  // Bit g: granule g of the line has some of the bytes. They lie within the line.
  constexpr u64 granulesOf(u32 offset, u32 bytes) const {
    const u32 first = offset / granuleBytes, count = (offset + bytes - 1) / granuleBytes - first + 1;
    return (count == 64 ? ~u64{0} : (u64{1} << count) - 1) << first;
  }
  // Bits of a word of the line: those of these granules.
  constexpr u32 bitsOf(u64 granules, u32 word) const {
    const u32 perWord = sizeof(u32) / granuleBytes, width = granuleBytes * 8;
    u32 bits = 0;
    for (u32 part = 0; part < perWord; ++part)
      if ((granules >> (word * perWord + part) & 1) != 0) bits |= ~u32{0} >> (32 - width) << part * width;
    return bits;
  }
  // Nothing but whole granules, as accesses are aligned to their size.
  constexpr bool isWhole(u32 bytes) const { return bytes >= granuleBytes; }

  bool operator==(const Geometry&) const = default;
};

}  // namespace warpwright::mechanisms::tiny_cache
