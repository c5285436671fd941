// A memory partition: what stands between the networks and one DRAM channel, the L2 slices themselves apart.
#pragma once

#include "base/types.hpp"

namespace warpwright::config {

struct Partition {
  u64 clockKhz = 700'000;       // the clock of all ticks here: L2 slices, their queues, the atomics unit and the last level
  u32 slices = 1;               // L2 slices of the partition
  u32 networkPorts = 1;         // ports of the partition at each of the networks, which its slices share in turn
  u32 latency = 0;              // ticks from the network's output to an L2 slice
  u32 inputQueue = 8;           // requests from the network, a slice
  u32 outputQueue = 8;          // responses to the network, a slice
  u32 dramQueue = 8;            // requests on their way to the DRAM channel
  u32 fillQueue = 8;            // responses on their way back from it
  u32 atomicsPerTick = 1;       // read-modify-write operations a slice performs
  u32 atomicSectorTime = 0;     // thousandths of a tick that the first operation on a sector takes; 0: as all others
  u32 atomicRepeatTime = 0;     // the same of each further operation on one word
  u32 atomicRepeatLatency = 0;  // thousandths of a tick by which results come later for each of these
  u32 atomicsQueue = 8;         // atomics waiting for those operations or to leave, a slice
  bool copiesFillL2 = false;    // copies from the host leave their data in the L2 slices
  u32 halves = 1;               // 2: SMs and partitions lie in two halves, and each half keeps copies of what it reads of the other
  u32 halfLatency = 0;          // ticks from one half to the other
  u32 halfBytesPerTick = 0;     // from a partition's partner in the other half to it; 0: no limit

  bool operator==(const Partition&) const = default;
};

}  // namespace warpwright::config
