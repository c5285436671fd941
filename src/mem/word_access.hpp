// What a request for a line is about, word by word.
#pragma once

#include <array>

#include "base/types.hpp"

namespace warpwright::mem {

// The words of a line that an access touches, and what is in them.
struct WordAccess {
  static constexpr u32 kMostWords = 64;  // lines have up to 256 bytes

  u64 mask = 0;       // bit w: bytes [4 w, 4 w + 4) of the line
  bool whole = true;  // every byte of these words is touched, and `values` holds, by word, what is stored or loaded
  std::array<u32, kMostWords> values{};
};

}  // namespace warpwright::mem
