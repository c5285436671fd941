// A random stream of requests with the surroundings' random readiness.
#pragma once

#include <functional>
#include <vector>

#include "mem/request.hpp"
#include "unit/mem/conformance/random.hpp"

namespace warpwright::mem::conformance {

struct Traffic {
  u64 seed = 1;
  u32 requests = 2000;
  u64 bytes = 64 * 1024;  // addresses lie below this
  u32 lineBytes = 128;
  std::vector<AccessType> types = {AccessType::globalRead, AccessType::globalWrite, AccessType::localRead, AccessType::localWrite};
  u32 sources = 4;         // values of Request::sm
  u32 offerPercent = 60;   // chance that an input port offers its next request in a tick
  u32 takePercent = 70;    // chance that an output port takes in a tick, and that the memory below does
  u32 lowerLatency = 20;   // the memory below answers after 1 to this many ticks, out of order
  u32 lowerCapacity = 64;  // requests that the memory below holds; it takes no more before one is answered
  u32 pausePercent = 2;    // chance that a tick begins a pause of the stream …
  u32 pauseTicks = 100;    // … of this length: the agent runs dry
  u64 patience = 100'000;  // ticks without any exchange until the agent counts as stuck
  // Last changes to a request made by `port`; e.g. a network's destination.
  std::function<void(Request&, u32 port, Random&)> shape = {};
};

// The id is the request's number in the stream.
inline Request makeRequest(const Traffic& traffic, u32 id, u32 port, Random& random) {
  Request request;
  request.lineBytes = traffic.lineBytes;
  request.address = GlobalAddress(random.below(traffic.bytes / traffic.lineBytes) * traffic.lineBytes);
  const u32 all = (1u << (traffic.lineBytes / Request::kSectorBytes)) - 1;
  request.sectors = random.chance(40) ? all : static_cast<u32>(random.below(all)) + 1;
  request.type = traffic.types[random.below(traffic.types.size())];
  if (isWrite(request.type)) {
    request.wholeSectors = request.sectors & static_cast<u32>(random.chance(50) ? all : random.next());
    request.wantsResponse = request.type != AccessType::writeBack && random.chance(50);
    // Of other sectors, a quarter: some writes together cover a whole one. Of some nobody knows.
    const bool isKnown = random.chance(80);
    for (u32 s = 0; s < 8; ++s) {
      const bool isPart = ((request.sectors & ~request.wholeSectors) >> s & 1) != 0;
      if (isPart && isKnown) request.written[s] = 0xffu << random.below(4) * 8;
    }
  }
  if (request.type == AccessType::writeBack) {
    request.wholeSectors = request.sectors;
    request.written = {};
  }
  if (request.type == AccessType::prefetch) request.wantsResponse = false;
  if (request.type == AccessType::atomic) request.operations = static_cast<u16>(1 + random.below(32));
  request.origin.sm = static_cast<u16>(random.below(traffic.sources));
  request.origin.launch = 0;
  request.origin.pc = Pc(request.origin.sm);  // for policies that ask
  request.id = id;
  if (traffic.shape) traffic.shape(request, port, random);
  return request;
}

}  // namespace warpwright::mem::conformance
