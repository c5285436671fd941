// A cache as the conformance harness sees it.
#pragma once

#include "mem/cache/cache.hpp"
#include "stats/json.hpp"
#include "unit/mem/conformance/conform.hpp"

namespace warpwright::mem {

// What a cache behind others is asked for.
inline const std::vector<AccessType> kFromCaches = {AccessType::globalRead,  AccessType::globalWrite,  AccessType::writeBack,
                                                    AccessType::textureRead, AccessType::constantRead, AccessType::instructionRead,
                                                    AccessType::atomic};

class CacheAdapter {
 public:
  CacheAdapter(const config::Cache& config, Atomics atomics, Interleave share = {}) : cache_(config, atomics, share) {}

  u32 inputs() const { return 1; }
  u32 outputs() const { return 1; }
  bool canAccept(u32, const Request& request) const { return cache_.canAccept(request); }
  void accept(u32, const Request& request, u64 now) { cache_.accept(request, {now}); }
  const Request* peek(u32) const { return cache_.peekResponse(); }
  Request take(u32) { return cache_.takeResponse(); }
  const Request* peekMiss() const { return cache_.peekMiss(); }
  Request takeMiss() { return cache_.takeMiss(); }
  bool canFill(const Request& response) const { return cache_.canFill(response); }
  void fill(const Request& response, u64 now) { cache_.fill(response, {now}); }
  bool tick(u64 now) { return cache_.tick({now}); }
  u64 nextUseful(u64 now) const { return cache_.nextUseful({now}).ticks; }
  bool quiescent() const { return cache_.quiescent(); }
  void flush() { cache_.flush(); }
  stats::Json statistics(u64 now) { return stats::toJson(cache_.statistics({now})); }
  void check(stats::Conservation& laws) const { checkAtRest(cache_.statistics(), laws); }

 private:
  Cache<CoreClock> cache_;
};

}  // namespace warpwright::mem
