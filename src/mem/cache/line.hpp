// The state of a line of a cache. The data themselves live in the functional machine.
#pragma once

#include "mem/origin.hpp"

namespace warpwright::mem {

inline constexpr u32 kNone = ~u32{0};

// Masks have bit s for the bytes [32 s, 32 s + 32) of the line.
struct Line {
  GlobalAddress address;
  u8 valid = 0;                 // all bytes of the sector are there
  u8 dirty = 0;                 // a subset of valid, and of those of which some bytes were written and none fetched
  bool dropWhenFilled = false;  // a write passed it while it was on its way
  u8 encoding = 0, pieces = 0;  // of all sectors that are there together, as Request has them
  u8 headerBytes = 0;           // of the last write, for the write-back
  u8 prefetched = 0;            // sectors that a prefetch asked for, and no demand since
  u16 memoryPort = 0;           // the same
  u32 mshr = kNone;             // entry that fetches sectors of it; such a line cannot be evicted
  Origin origin;                // who brought the line, or wrote it last

  u32 present() const { return u32{valid} | u32{dirty}; }
  // Sectors of it have just been brought or written with these data: encoded is a line whose sectors all came at once.
  void encode(u32 sectors, u8 as, u8 inPieces) {
    const bool isAll = (present() & ~sectors) == 0;
    encoding = isAll ? as : u8{0};
    pieces = isAll ? inPieces : u8{0};
  }
};

}  // namespace warpwright::mem
