// Counters of a network in one direction.
#pragma once

#include "stats/conservation.hpp"
#include "stats/histogram.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mem {

struct NetworkStats {
  using Latency = stats::Histogram<stats::PowersOfTwo, 18>;

  u64 ticks = 0;
  u64 packets = 0, bytes = 0, deliveredPackets = 0, deliveredBytes = 0;
  u64 injectedFlits = 0, ejectedFlits = 0, routedFlits = 0;
  u64 injectionStalls = 0, creditStalls = 0, arbitrationStalls = 0;
  stats::Peak mostPackets;
  Latency latency;

  static constexpr void fields(auto&& field) {
    using S = NetworkStats;
    field("ticks", "ticks", "of the network's clock that passed", &S::ticks);
    field("packets", "packets", "accepted", &S::packets);
    field("bytes", "B", "of header and data in the accepted packets", &S::bytes);
    field("delivered_packets", "packets", "whose last flit reached its output", &S::deliveredPackets);
    field("delivered_bytes", "B", "of header and data in the delivered packets", &S::deliveredBytes);
    field("injected_flits", "flits", "that entered the first router", &S::injectedFlits);
    field("ejected_flits", "flits", "that reached an output of the network", &S::ejectedFlits);
    field("routed_flits", "flits", "that left a router, summed over the routers", &S::routedFlits);
    field("injection_stalls", "flit ticks", "a flit at an input of the network found no buffer in the first router", &S::injectionStalls);
    field("credit_stalls", "flit ticks", "a flit in front of its buffer found no buffer behind its output", &S::creditStalls);
    field("arbitration_stalls", "flit ticks",
          "a flit in front of its buffer found its output, its input or the virtual channels taken by others", &S::arbitrationStalls);
    field("most_packets", "packets", "in the network at once", &S::mostPackets);
    field("latency", "ticks", "of a packet, from acceptance to the arrival of its last flit", &S::latency);
  }
};

// Laws of a network that is empty.
void check(const NetworkStats& stats, stats::Conservation& laws);

}  // namespace warpwright::mem
