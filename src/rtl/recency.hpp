// Least recent use, exactly: for each pair of the ways of a set a bit that says which was used later.
#pragma once

#include <string>
#include <string_view>

#include "base/types.hpp"

namespace warpwright::rtl {

// Bits of a set.
constexpr u32 recencyBits(u32 ways) { return ways * ways; }

// A function `touched(order, way)`: the bits of a set after a use of the way.
std::string touchedFunction(u32 ways);
// A function `oldest(valid, order)`: the first way that is not valid; or the one that was used longest ago.
std::string oldestFunction(u32 ways);

}  // namespace warpwright::rtl
