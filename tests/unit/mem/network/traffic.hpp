// A network under a test's control.
#pragma once

#include <vector>

#include "mem/network/network.hpp"

namespace warpwright::mem::testing {

// A packet of so many flits of 32 B to a partition: a write of one sector less (its header takes 8 B of the first flit), or a read request.
inline Request packet(u32 destination, u32 flits = 1, u32 id = 0) {
  Request request;
  request.lineBytes = 256;
  request.type = flits == 1 ? AccessType::globalRead : AccessType::globalWrite;
  request.sectors = flits == 1 ? 1 : (1u << (flits - 1)) - 1;
  request.memoryPort = static_cast<u16>(destination);
  request.id = id;
  return request;
}

inline config::Network butterfly(u32 radix, u32 stages) {
  config::Network config;
  config.topology = config::Topology::butterfly;
  config.radix = radix;
  config.stages = stages;
  return config;
}

// Ticks from acceptance to arrival of one packet in an empty network.
inline u64 latencyOf(Network& network, u32 input, const Request& request) {
  static constexpr u64 kStart = 10, kPatience = 1000;
  network.accept(input, request, {kStart});
  const u32 output = network.destination(request);
  for (u64 now = kStart; now < kStart + kPatience; ++now) {
    network.tick({now});
    if (network.peek(output) == nullptr) continue;
    network.take(output);
    return now - kStart;
  }
  return ~u64{0};
}

// Keeps every input's queue full with what `make(input)` returns, and takes everything, for so many ticks from tick 0 on. Returns the
// number of packets that arrived, by output.
template <class Make>
std::vector<u64> saturate(Network& network, u64 ticks, Make&& make) {
  std::vector<u64> arrived(network.outputs());
  for (u64 now = 0; now < ticks; ++now) {
    for (u32 input = 0; input < network.inputs(); ++input) {
      while (network.canAccept(input, {})) network.accept(input, make(input), {now});
    }
    network.tick({now});
    for (u32 output = 0; output < network.outputs(); ++output) {
      for (; network.peek(output) != nullptr; network.take(output)) ++arrived[output];
    }
  }
  return arrived;
}

}  // namespace warpwright::mem::testing
