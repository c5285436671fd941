// What an affine vector cache is made of. The paper: Collange and Kouyoumdjian, "Affine Vector Cache for memory bandwidth savings", 2011.
#pragma once

#include "base/types.hpp"
#include "config/cache.hpp"

namespace warpwright::mechanisms::avc {

// Bit i: word i of a vector, which is lane i's in private memory (section 2.2: words of a warp's threads are interleaved).
using WordMask = u32;
inline constexpr u32 kWordsPerVector = 32;
inline constexpr u32 kVectorBytes = 4 * kWordsPerVector;
// A vector takes a base, the logarithm of its stride and a valid bit a word: 67 bits in a place of 64 (section 5.2 counts the rest as
// "additional 5 Kbits"), so that 16 vectors take what a line of the first-level cache does.
inline constexpr u32 kPlaceBytes = 8;
inline constexpr u32 kMostSubVectors = 4;

struct Geometry {
  u64 bytes = 16384;  // of data, placeBytes() a vector
  u32 ways = 2;
  u32 vectorsPerLine = 16;                   // section 4.2
  u32 subVectors = 1;                        // of a vector, each with a base and a stride: a power of two
  config::Policy replacement = "tree_plru";  // of config::replacementPolicies
  // Remedies for conflict misses (section 5.1, "Bandwidth amplification").
  bool skewed = false;  // each way has a set index of its own; the oldest of the candidate lines goes
  u32 victimLines = 0;  // evicted lines are kept in so many frames, fully associative, as they are: encoded

  bool jointTags = false;        // frames are shared with the first-level cache (joint_tags.hpp)
  bool compressedBelow = false;  // vectors lie in the levels below as they do here (compact_below.hpp)

  bool operator==(const Geometry&) const = default;

  u32 placeBytes() const { return kPlaceBytes * subVectors; }
  u32 lineBytes() const { return vectorsPerLine * kVectorBytes; }  // of memory
  u32 lines() const { return static_cast<u32>(bytes / (u64{placeBytes()} * vectorsPerLine)); }
  u32 sets() const { return lines() / ways; }
};

}  // namespace warpwright::mechanisms::avc
