#pragma once

#include <bit>

#include "mem/partition/channel_hash/channel_hash.hpp"

namespace warpwright::mem {

// Exclusive-or of all groups of as many bits of the round's number as number the destinations.
class FoldedChannels final : public ChannelHash {
 public:
  u32 change(u64 round, u32 count) const override {
    const auto bits = static_cast<u32>(std::bit_width(count - 1));
    u64 result = 0;
    for (; round != 0; round >>= bits) result ^= round;
    return static_cast<u32>(result & ((u64{1} << bits) - 1));
  }
};

inline constexpr ChannelHashEntry kFoldedChannels{
    {.name = "true",
     .text = "The order changes by the exclusive-or of the higher address bits.",
     .source = "Rau, \"Pseudo-Randomly Interleaved Memory\", ISCA 1991, for hashing by exclusive-or; the bits are chosen here"},
    [](const std::any&) -> std::unique_ptr<ChannelHash> { return std::make_unique<FoldedChannels>(); }};

}  // namespace warpwright::mem
