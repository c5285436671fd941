// Between masks of lanes and per-lane values, 32 lanes at a time.
#pragma once

#include <immintrin.h>

#include "isa/semantics/values.hpp"

namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL {

inline constexpr u32 kChunk = 32;  // lanes that one pass executes; warps of 64 take two
inline constexpr u32 kAllLanes = 0xffff'ffff;

// Before a loop over lanes: no lane writes what another reads. Registers are whole planes, so planes are the same or apart.
#ifdef __clang__
#define WARPWRIGHT_LANES_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define WARPWRIGHT_LANES_APART _Pragma("GCC ivdep")
#endif

struct alignas(64) LaneBits {
  u32 bit[kChunk];
};
inline constexpr LaneBits kLaneBits = [] {
  LaneBits result{};
  for (u32 lane = 0; lane < kChunk; ++lane) result.bit[lane] = 1u << lane;
  return result;
}();

// The mask of the lanes whose value (0 or all ones) is all ones.
#if defined(__AVX512DQ__)
WARPWRIGHT_SEMANTIC u32 gatherMask(const u32* lanes) {
  const u32 low = _mm512_movepi32_mask(_mm512_load_si512(lanes));
  const u32 high = _mm512_movepi32_mask(_mm512_load_si512(lanes + 16));
  return low | high << 16;
}
#elif defined(__AVX2__)
WARPWRIGHT_SEMANTIC u32 gatherMask(const u32* lanes) {
  u32 mask = 0;
  for (u32 part = 0; part < 4; ++part) {
    const __m256 values = _mm256_load_ps(reinterpret_cast<const float*>(lanes + 8 * part));
    mask |= static_cast<u32>(_mm256_movemask_ps(values)) << (8 * part);
  }
  return mask;
}
#else
WARPWRIGHT_SEMANTIC u32 gatherMask(const u32* lanes) {
  u32 mask = 0;
  for (u32 part = 0; part < 8; ++part) {
    const __m128 values = _mm_load_ps(reinterpret_cast<const float*>(lanes + 4 * part));
    mask |= static_cast<u32>(_mm_movemask_ps(values)) << (4 * part);
  }
  return mask;
}
#endif

// Writes the values of the lanes in `mask`.
WARPWRIGHT_SEMANTIC void writeLanes(u32* __restrict destination, const u32* __restrict values, u32 mask) {
  if (mask == kAllLanes) {
    for (u32 lane = 0; lane < kChunk; ++lane) destination[lane] = values[lane];
    return;
  }
  for (u32 lane = 0; lane < kChunk; ++lane) {
    destination[lane] = (mask & kLaneBits.bit[lane]) != 0 ? values[lane] : destination[lane];
  }
}

}  // namespace warpwright::exec::lanes::WARPWRIGHT_HOST_LEVEL
