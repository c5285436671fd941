// Part of a line of global memory that a launch has touched.
#pragma once

#include "base/types.hpp"

namespace warpwright {

// Bit s: bytes [32 s, 32 s + 32) of the line.
struct TouchedLine {
  GlobalAddress address;  // of its first byte
  u32 touched = 0;
  u32 stored = 0;  // of these, those that something was stored to
  bool operator==(const TouchedLine&) const = default;
};

}  // namespace warpwright
