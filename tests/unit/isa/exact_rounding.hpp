// What operations round: exact results, in 113-bit arithmetic, and the neighbours that they are rounded to.
#pragma once

#include <cmath>
#include <limits>

#include "isa/instruction.hpp"

namespace warpwright::test {

__extension__ using Exact = __float128;

inline constexpr isa::Rounding kModes[] = {isa::Rounding::nearest, isa::Rounding::zero, isa::Rounding::down, isa::Rounding::up};

// Rounds an exact value to 2^-fraction of its binade the slow way: counts units in the last place.
template <class T>
T rounded(Exact exact, isa::Rounding mode) {
  const T nearest = static_cast<T>(exact);
  const T infinity = std::numeric_limits<T>::infinity();
  const bool downwards = mode == isa::Rounding::down || (mode == isa::Rounding::zero && exact > 0);
  if (mode == isa::Rounding::nearest) return nearest;
  if (downwards) return static_cast<Exact>(nearest) > exact ? std::nextafter(nearest, -infinity) : nearest;
  return static_cast<Exact>(nearest) < exact ? std::nextafter(nearest, infinity) : nearest;
}

}  // namespace warpwright::test
