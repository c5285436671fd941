// Drives a cache by hand, tick by tick.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "mem/cache/cache.hpp"

namespace warpwright::mem {

inline config::Cache testCache() {
  config::Cache cache;
  cache.bytes = 1024;  // 4 sets of 2 ways
  cache.ways = 2;
  cache.hitLatency = 10;
  cache.missLatency = 3;
  cache.fillBytesPerTick = 32;
  return cache;
}

inline Request access(AccessType type, u64 address, u32 sectors = 0xf, u32 id = 0) {
  Request request;
  request.address = GlobalAddress(address);
  request.lineBytes = 128;
  request.sectors = sectors;
  request.type = type;
  request.id = id;
  return request;
}
inline Request load(u64 address, u32 sectors = 0xf, u32 id = 0) { return access(AccessType::globalRead, address, sectors, id); }
// Of the instruction at `pc`.
inline Request by(u32 pc, Request request = load(0)) {
  request.origin = {.launch = 0, .pc = Pc(pc)};
  return request;
}
// A whole-sector write that wants no acknowledgement.
inline Request store(AccessType type, u64 address, u32 sectors = 0xf) {
  Request request = access(type, address, sectors);
  request.wholeSectors = sectors;
  request.wantsResponse = false;
  return request;
}

class CacheDriver {
 public:
  explicit CacheDriver(const config::Cache& config, Atomics atomics = Atomics::below) : cache(config, atomics) {}

  u64 now() const { return now_; }
  // Offers the request in the coming tick, and makes that tick.
  void access(const Request& request) {
    ASSERT_TRUE(cache.canAccept(request));
    cache.accept(request, {now_});
    tick();
  }
  void fill(const Request& request) {
    Request response = request;
    response.isResponse = true;
    ASSERT_TRUE(cache.canFill(response));
    cache.fill(response, {now_});
    tick();
  }
  void tick(u64 times = 1) {
    for (u64 i = 0; i < times; ++i) cache.tick({now_++});
  }
  // Ticks made until the cache shows a response, beyond those already made; nothing after 1000.
  std::optional<u64> ticksToResponse() {
    return ticksTo([this] { return cache.peekResponse() != nullptr; });
  }
  std::optional<u64> ticksToMiss() {
    return ticksTo([this] { return cache.peekMiss() != nullptr; });
  }

  // Answers fetches at once and takes everything, until the cache is at rest.
  void drain() {
    for (u64 guard = 0; !cache.quiescent() && guard < 10'000; ++guard) {
      if (pending_ && cache.canFill(*pending_)) {
        cache.fill(*pending_, {now_});
        pending_.reset();
      }
      tick();
      while (cache.peekResponse()) cache.takeResponse();
      while (!pending_ && cache.peekMiss()) sendDown(cache.takeMiss());
    }
    ASSERT_TRUE(cache.quiescent());
  }
  // The access alone, from start to end.
  void run(const Request& request) {
    access(request);
    drain();
  }

  Cache<CoreClock> cache;
  std::vector<Request> sentDown;  // by drain()

 private:
  template <class Condition>
  std::optional<u64> ticksTo(Condition condition) {
    for (u64 ticks = 0; ticks < 1000; ++ticks, tick()) {
      if (condition()) return ticks;
    }
    return std::nullopt;
  }
  void sendDown(Request request) {
    sentDown.push_back(request);
    if (!request.wantsResponse) return;
    request.isResponse = true;
    pending_ = request;
  }

  u64 now_ = 0;
  std::optional<Request> pending_;
};

}  // namespace warpwright::mem
