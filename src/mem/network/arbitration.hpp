// Who goes first among the channels that wait for an output.
#pragma once

#include "mem/network/channel_buffers.hpp"
#include "mem/network/output_port.hpp"

namespace warpwright::mem {

// Each policy returns one of the waiting channels for which isEligible(channel of the router) holds, or IndexSet::kNone.

// The first one after the one that went last.
template <class Eligible>
u32 pickInTurn(const OutputPort& port, Eligible&& isEligible) {
  return port.waiting.findFrom(port.nextTurn, isEligible);
}

// The one whose packet was accepted first; of several the lowest number.
template <class Eligible>
u32 pickOldest(const OutputPort& port, const ChannelBuffers& buffers, const PacketPool& packets, Eligible&& isEligible) {
  u32 best = IndexSet::kNone;
  u64 bestTime = ~u64{0};
  port.waiting.forEach([&](u32 local) {
    if (!isEligible(local)) return;
    const u64 accepted = packets[buffers.front(port.firstChannel + local).flit.packet()].accepted;
    if (accepted >= bestTime) return;
    best = local;
    bestTime = accepted;
  });
  return best;
}

}  // namespace warpwright::mem
