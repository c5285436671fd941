#include "mem/network/statistics.hpp"

namespace warpwright::mem {

void check(const NetworkStats& s, stats::Conservation& laws) {
  laws.equal("network: packets accepted and delivered", s.packets, s.deliveredPackets);
  laws.equal("network: bytes accepted and delivered", s.bytes, s.deliveredBytes);
  laws.equal("network: flits in and out", s.injectedFlits, s.ejectedFlits);
  laws.equal("network: latencies and delivered packets", s.latency.count(), s.deliveredPackets);
  laws.atMost("network: flits out and routed", s.ejectedFlits, s.routedFlits);
}

}  // namespace warpwright::mem
