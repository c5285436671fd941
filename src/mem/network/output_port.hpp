// An output of a router: who waits for it, and the state of the virtual channels behind it.
#pragma once

#include <algorithm>
#include <array>

#include "mem/network/channel_buffers.hpp"
#include "mem/network/index_set.hpp"

namespace warpwright::mem {

struct OutputPort {
  static constexpr u32 kMostChannels = 8;  // virtual channels
  static constexpr u32 kFree = ~0u;
  static constexpr u32 kNoChannel = ~0u;

  // A virtual channel of the input behind the link. Where the link ends at an output of the network it only keeps packets apart.
  struct Downstream {
    ChannelId owner = kFree;  // the channel whose packet is passing
    u32 credits = 0;          // flits that fit into the buffer
  };

  bool isTerminal = false;
  u32 end = 0;           // router's input or network's output
  u32 firstChannel = 0;  // of the router: `waiting` counts from here
  u32 channels = 0;      // of the router
  u32 waitingCount = 0;
  u32 nextTurn = 0;        // round robin: goes first
  u32 flitsPerTick = 1;    // of the link
  NetworkTick linkTick{};  // the last in which it has taken, or will take, flits
  u32 linkFlits = 0;       // in that tick
  u32 slots = 0;           // packets that fit into the ejection queue
  u32 virtualChannels = 1;
  u32 creditsForHead = 1;  // that a virtual channel needs to be given to a packet
  std::array<Downstream, kMostChannels> downstream;
  IndexSet waiting;  // channels of the router with a flit for this output

  // The tick in which the link takes the next flit.
  NetworkTick takeLink(NetworkTick now) {
    const NetworkTick departs = std::max(now, linkFlits == flitsPerTick ? linkTick + 1 : linkTick);
    if (departs > linkTick) linkFlits = 0;
    linkTick = departs;
    ++linkFlits;
    return departs;
  }

  bool hasCredit(u32 channel) const { return isTerminal || downstream[channel].credits != 0; }

  bool takesHead(u32 channel) const {
    return downstream[channel].owner == kFree && (isTerminal || downstream[channel].credits >= creditsForHead);
  }

  // The free virtual channel with the most credits, for a new packet; kNoChannel when none can take it.
  u32 channelForHead() const {
    if (isTerminal && slots == 0) return kNoChannel;
    u32 best = kNoChannel;
    for (u32 channel = 0; channel < virtualChannels; ++channel) {
      if (!takesHead(channel)) continue;
      if (best == kNoChannel || downstream[channel].credits > downstream[best].credits) best = channel;
    }
    return best;
  }
  bool hasFreeChannel() const {
    for (u32 channel = 0; channel < virtualChannels; ++channel) {
      if (downstream[channel].owner == kFree) return true;
    }
    return false;
  }

  void addWaiting(ChannelId channel) {
    waiting.insert(channel - firstChannel);
    ++waitingCount;
  }
  void removeWaiting(ChannelId channel) {
    waiting.erase(channel - firstChannel);
    --waitingCount;
  }
  bool isWaiting(ChannelId channel) const { return waiting.contains(channel - firstChannel); }
};

}  // namespace warpwright::mem
