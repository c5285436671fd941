// What the assist-warp paper leaves open of its codecs, or says in two ways. A line is made whole as what it was compressed as.
#pragma once

#include <cstddef>

#include "base/types.hpp"

namespace warpwright::compression {

// base8Delta1: values of 8 bytes, differences of 1 byte. In the order of their sizes for 128 bytes, in which they are tried.
enum class BdiEncoding : u8 { zeros, repeated, base8Delta1, base4Delta1, base8Delta2, base4Delta2, base8Delta4, base2Delta1, none };
inline constexpr std::size_t kBdiEncodings = 9;

struct Variants {
  // Taken where it fits the line and makes it smaller, even if another made it smaller still.
  BdiEncoding bdiFirst = BdiEncoding::none;
  // A power of two; a shorter line is one segment.
  u32 fpcSegmentWords = 8;
  // Of the four values: the line has three others at most.
  bool cPackZeroInDictionary = false;

  bool operator==(const Variants&) const = default;
};

}  // namespace warpwright::compression
