// Short names for the fixed-width types that the whole code base uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwright {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// The lowest `count` bits; count in 0..64.
constexpr u64 lowBits(u32 count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }

}  // namespace warpwright
