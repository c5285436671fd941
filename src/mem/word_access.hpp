// What a request for a line is about, word by word.
#pragma once

#include <array>

#include "mem/request.hpp"

namespace warpwright::mem {

// The words of a line that an access touches, and what is in them.
struct WordAccess {
  static constexpr u32 kMostWords = 64;  // lines have up to 256 bytes

  u64 mask = 0;       // bit w: bytes [4 w, 4 w + 4) of the line
  bool whole = true;  // every byte of these words is touched, and `values` holds, by word, what is stored or loaded
  std::array<u32, kMostWords> values{};
  // Of the sectors of the request, which bytes its lanes touch; of none where the coalescing rule does not say (`half_warp_segments`).
  SectorBytes bytes{};
};

}  // namespace warpwright::mem
