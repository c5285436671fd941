// An input of a network: packets that wait, and how far the first one has got into the router behind the input.
#pragma once

#include <algorithm>
#include <vector>

#include "base/ring_queue.hpp"
#include "mem/network/channel_buffers.hpp"

namespace warpwright::mem {

class Injector {
 public:
  // spaceForHead: free buffers of a channel that a new packet needs.
  void build(u32 packets, ChannelId firstChannel, u32 channels, u32 buffers, u32 spaceForHead) {
    queue_.reserve(packets);
    spaceForHead_ = spaceForHead;
    firstChannel_ = firstChannel;
    space_.assign(channels, buffers);
  }

  bool full() const { return queue_.full(); }
  bool empty() const { return queue_.empty(); }
  void push(PacketId id, const Packet& packet) { queue_.push({id, packet.flits, packet.accepted}); }
  // The tick in which the first packet was accepted. There must be one.
  NetworkTick accepted() const { return queue_.front().accepted; }

  // The channel that the next flit goes to, if there is a buffer for it: a new packet takes the emptiest one.
  bool hasBuffer() {
    if (sent_ == 0 && space_.size() > 1) {
      channel_ = static_cast<u32>(std::max_element(space_.begin(), space_.end()) - space_.begin());
    }
    return space_[channel_] >= (sent_ == 0 ? spaceForHead_ : 1);
  }
  ChannelId channel() const { return firstChannel_ + channel_; }
  // Takes the next flit, and a buffer for it.
  Flit takeFlit() {
    const Waiting& packet = queue_.front();
    const bool isHead = sent_ == 0, isTail = ++sent_ == packet.flits;
    const Flit flit(packet.id, isHead, isTail);
    --space_[channel_];
    if (isTail) {
      queue_.pop();
      sent_ = 0;
    }
    return flit;
  }
  void freeBuffer(ChannelId channel) { ++space_[channel - firstChannel_]; }

  bool isStalled = false;  // found no buffer, and none has become free since

 private:
  struct Waiting {
    PacketId id = 0;
    u32 flits = 0;
    NetworkTick accepted{};
  };
  RingQueue<Waiting> queue_;
  ChannelId firstChannel_ = 0;
  u32 sent_ = 0, channel_ = 0, spaceForHead_ = 1;
  std::vector<u32> space_;  // free flit buffers, by virtual channel
};

}  // namespace warpwright::mem
