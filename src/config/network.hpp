// The network between SMs and memory partitions: two of them, one a direction.
#pragma once

#include "config/policy.hpp"

namespace warpwright::config {

enum class Topology : u8 { crossbar, butterfly };

struct Network {
  Topology topology = Topology::crossbar;
  u64 clockKhz = 700'000;
  u32 flitBytes = 32;
  u32 headerBytes = 8;                 // of a packet, beside its data
  u32 radix = 2, stages = 5;           // butterfly: k-ary n-fly
  u32 virtualChannels = 1;             // a port
  u32 buffersPerChannel = 8;           // flits
  u32 routerLatency = 1;               // ticks from a flit's arrival at a router to its earliest departure
  u32 channelLatency = 1;              // ticks on the wire behind a router's output: to the next router, or to the network's output
  bool waitForTailCredit = false;      // a virtual channel takes a packet when the one before has left the buffer behind it
  Policy arbitration = "round_robin";  // of arbitrations
  u32 ejectionFlits = 1;               // that the link from the network to an SM carries in a tick
  u32 internalSpeedup = 1;             // flits that a router moves in a tick from an input, and to an output, which sends one on
  u32 injectionLatency = 8;            // core cycles from an SM to the network, and from the network to an SM (also of credits)
  u32 injectionQueue = 8;              // packets at an input
  u32 ejectionQueue = 8;               // packets at an output

  bool operator==(const Network&) const = default;
};

}  // namespace warpwright::config
