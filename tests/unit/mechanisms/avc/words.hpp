// Sets of the words of a vector.
#pragma once

#include "mechanisms/avc/affine_vector_cache.hpp"

namespace warpwright::mechanisms::avc {

inline constexpr WordMask kAll = ~WordMask{0}, kLow = 0xffff, kHigh = 0xffff'0000;

}  // namespace warpwright::mechanisms::avc
