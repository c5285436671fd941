// Where spaces without addresses of their own lie as the memory system sees them: beyond every address of a host process (2^47), within the
// 48 bits that the address map takes. Constants are in the program's memory, where copies to them go.
#pragma once

#include "base/types.hpp"

namespace warpwright::sm {

inline constexpr GlobalAddress kLocalBase{u64{1} << 47};
inline constexpr u64 kLocalBytes = u64{1} << 45;
inline constexpr GlobalAddress kParameterBase = kLocalBase + kLocalBytes + (u64{1} << 32);
// What hardware keeps in memory beside the program's data.
inline constexpr GlobalAddress kHiddenBase = kLocalBase + kLocalBytes + (u64{1} << 44);

}  // namespace warpwright::sm
