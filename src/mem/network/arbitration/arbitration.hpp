// Who goes first among the channels that wait for an output of a router. A policy is one file of this folder and one line of catalogue.cpp
// (docs/adding-a-policy.md).
#pragma once

#include <memory>
#include <vector>

#include "config/policy_list.hpp"
#include "mem/network/channel_buffers.hpp"
#include "mem/network/output_port.hpp"

namespace warpwright::mem {

// The channels that wait for an output, by their number on the router.
class Contest {
 public:
  // inputOf: of a channel of the network. busy: by input, the last step in which it sent a flit. headChannel: the virtual channel that a
  // new packet would get.
  Contest(const OutputPort& port, const ChannelBuffers& buffers, const PacketPool& packets, const std::vector<u32>& inputOf,
          const std::vector<u64>& busy, u64 step, u32 headChannel)
      : port_(port), buffers_(buffers), packets_(packets), inputOf_(inputOf), busy_(busy), step_(step), headChannel_(headChannel) {}

  const IndexSet& waiting() const { return port_.waiting; }
  // The first one behind the one that went last.
  u32 nextTurn() const { return port_.nextTurn; }
  // Its flit can go now.
  bool isEligible(u32 local) const {
    const ChannelId channel = port_.firstChannel + local;
    if (busy_[inputOf_[channel]] == step_) return false;
    const u32 assigned = buffers_.way(channel).assigned;
    return assigned == ChannelBuffers::kUnassigned ? headChannel_ != OutputPort::kNoChannel : port_.hasCredit(assigned);
  }
  // When the packet of its flit entered the network, and what it carries.
  NetworkTick accepted(u32 local) const { return packet(local).accepted; }
  const Request& request(u32 local) const { return packet(local).request; }

 private:
  const Packet& packet(u32 local) const { return packets_[buffers_.front(port_.firstChannel + local).flit.packet()]; }

  const OutputPort& port_;
  const ChannelBuffers& buffers_;
  const PacketPool& packets_;
  const std::vector<u32>& inputOf_;
  const std::vector<u64>& busy_;
  u64 step_;
  u32 headChannel_;
};

// One for all outputs of a network.
class Arbitration {
 public:
  virtual ~Arbitration() = default;
  // One of the waiting channels that are eligible, or IndexSet::kNone.
  virtual u32 pick(const Contest& contest) = 0;
};

using ArbitrationEntry = config::PolicyEntry<Arbitration>;
using ArbitrationList = config::PolicyList<Arbitration>;

ArbitrationList& arbitrationList();

}  // namespace warpwright::mem
