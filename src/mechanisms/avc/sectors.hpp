// The sectors of a vector's line.
#pragma once

#include <bit>

#include "mechanisms/avc/geometry.hpp"
#include "mem/request.hpp"

namespace warpwright::mechanisms::avc {

inline constexpr u32 kWordsPerSector = mem::Request::kSectorBytes / 4;
inline constexpr u32 kSectors = kWordsPerVector / kWordsPerSector;
inline constexpr u32 kAllSectors = (1u << kSectors) - 1;

// Sectors of which the mask has any word, and all words.
constexpr u32 sectorsWithAny(WordMask mask) {
  constexpr u32 kSectorWords = (1u << kWordsPerSector) - 1;
  u32 sectors = 0;
  for (u32 sector = 0; sector < kSectors; ++sector) sectors |= (mask >> sector * kWordsPerSector & kSectorWords) != 0 ? 1u << sector : 0;
  return sectors;
}
constexpr u32 sectorsWithAll(WordMask mask) { return kAllSectors & ~sectorsWithAny(~mask); }

}  // namespace warpwright::mechanisms::avc
