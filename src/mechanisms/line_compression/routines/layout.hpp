// The buffer of a routine, in shared memory: the line, what it becomes when it is compressed, and how long that is. Compressed lines have a
// head and a body (compression/*.hpp); the body begins where words of 8 bytes may begin, the head ends there.
#pragma once

#include "base/types.hpp"
#include "compression/codec.hpp"

namespace warpwright::mechanisms::line_compression::routines {

inline constexpr u32 kBodyAt = 160, kSizeAt = kBodyAt + 128, kBufferBytes = kSizeAt + 4;
// Between line and head: the encoding of BDI that is to be tried first, as a word of 32 bits.
inline constexpr u32 kFirstAt = 128;

// Of a line with this encoding (form.hpp).
u32 headBytes(u8 encoding, u32 lineBytes, const compression::Variants& variants);
// Where a line that is compressed so begins.
inline u32 packedAt(u8 encoding, u32 lineBytes, const compression::Variants& variants) {
  return kBodyAt - headBytes(encoding, lineBytes, variants);
}

}  // namespace warpwright::mechanisms::line_compression::routines
