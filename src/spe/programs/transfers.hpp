// Arrays that are larger than a transfer may be.
#pragma once

#include <algorithm>

#include "base/types.hpp"

namespace warpwright::spe {

// In transfers as large as there are. Move: void(u32 offset, u32 bytes).
template <typename Move>
void inParts(u32 bytes, Move&& move) {
  constexpr u32 kMost = 16 * 1024;
  for (u32 offset = 0; offset < bytes; offset += kMost) move(offset, std::min(kMost, bytes - offset));
}

}  // namespace warpwright::spe
