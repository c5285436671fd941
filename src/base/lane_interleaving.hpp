// Memory that the lanes of a warp share out word by word, as private (local) memory is: word w of lane l is word l of vector w, so that the
// same offset in every lane is one piece of memory (Collange and Kouyoumdjian, "Affine Vector Cache for memory bandwidth savings",
// section 2.2).
#pragma once

#include "base/types.hpp"

namespace warpwright {

inline constexpr u32 kInterleavedWordBytes = 4;

// How far a byte of a lane lies from vector 0. offset: in the lane's own memory; apart: bytes from one vector to the next.
constexpr u64 interleavedOffset(u64 offset, LaneId lane, u64 apart) {
  return offset / kInterleavedWordBytes * apart + u64{lane} * kInterleavedWordBytes + offset % kInterleavedWordBytes;
}

// From one vector to the next where nothing lies between them.
constexpr u64 vectorBytes(u32 warpSize) { return u64{warpSize} * kInterleavedWordBytes; }

}  // namespace warpwright
