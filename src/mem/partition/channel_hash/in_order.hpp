#pragma once

#include "mem/partition/channel_hash/channel_hash.hpp"

namespace warpwright::mem {

class ChannelsInOrder final : public ChannelHash {
 public:
  u32 change(u64, u32) const override { return 0; }
  bool isIdentity() const override { return true; }
};

inline constexpr ChannelHashEntry kChannelsInOrder{
    {.name = "false", .text = "Consecutive pieces go to channel after channel.", .source = "the plainest"},
    [](const std::any&) -> std::unique_ptr<ChannelHash> { return std::make_unique<ChannelsInOrder>(); }};

}  // namespace warpwright::mem
