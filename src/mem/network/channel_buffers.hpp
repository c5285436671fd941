// The virtual channels of all router inputs: a buffer of flits each, and the way of the packet in front.
#pragma once

#include <vector>

#include "mem/network/packet.hpp"

namespace warpwright::mem {

using ChannelId = u32;  // router's input x virtual channels + virtual channel

class ChannelBuffers {
 public:
  static constexpr u32 kUnassigned = ~0u;

  // A flit is put into its buffer when it is sent, and can go on from tick `ready`.
  struct Entry {
    Flit flit;
    NetworkTick ready{};
  };
  // The router's output that the packet in front takes, and the virtual channel behind it once the head has got one.
  struct Way {
    u32 output = 0, assigned = kUnassigned;
  };

  ChannelBuffers(u32 channels, u32 depth) : depth_(depth), channels_(channels), entries_(std::size_t{channels} * depth) {}

  bool empty(ChannelId id) const { return channels_[id].size == 0; }
  const Entry& front(ChannelId id) const { return entries_[std::size_t{id} * depth_ + channels_[id].head]; }
  // There must be room: senders hold credits.
  void push(ChannelId id, const Entry& entry) {
    Channel& channel = channels_[id];
    u32 index = channel.head + channel.size++;
    if (index >= depth_) index -= depth_;
    entries_[std::size_t{id} * depth_ + index] = entry;
  }
  void pop(ChannelId id) {
    Channel& channel = channels_[id];
    channel.head = channel.head + 1 == depth_ ? 0 : channel.head + 1;
    --channel.size;
  }
  Way& way(ChannelId id) { return channels_[id].way; }
  const Way& way(ChannelId id) const { return channels_[id].way; }

 private:
  struct Channel {
    u32 head = 0, size = 0;
    Way way;
  };
  u32 depth_;
  std::vector<Channel> channels_;
  std::vector<Entry> entries_;
};

}  // namespace warpwright::mem
