// Units of memory that every part of the machine means alike.
#pragma once

#include "base/types.hpp"

namespace warpwright {

// What moves at once between caches and memory: bytes, aligned to their size.
inline constexpr u32 kSectorBytes = 32;
// A word: what a register of one lane holds.
inline constexpr u32 kWordBytes = 4;
// The longest line of any cache, and so the longest that one request can name. Sets of its sectors and masks of its bytes have this size.
inline constexpr u32 kLongestLineBytes = 256;

}  // namespace warpwright
