// Random PTX kernels that compute addresses from a thread's place in its grid, and load from them.
#pragma once

#include <string>

#include "base/types.hpp"

namespace warpwright::testing {

// Of random_indices kernels: they load words no further than this from their base, in blocks of this size.
inline constexpr s64 kMostIndex = s64{1} << 21;
inline constexpr Dim3 kIndexBlock{16, 4, 2}, kIndexGrid{3, 2, 1};

// A kernel k(.param .u64 base, .param .u32 n), n from 1 to 64. The same seed gives the same text on every machine.
std::string randomIndices(u64 seed);

}  // namespace warpwright::testing
