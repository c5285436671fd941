#include "mechanisms/many_thread_prefetcher/prefetcher.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

u64& Prefetcher::countOf(Source source) {
  if (source == Source::global) return stats_.global;
  return source == Source::interWarp ? stats_.interWarp : stats_.perWarp;
}

void Prefetcher::train(const sm::LaneAccess& load, u64 address, Cycle now) {
  throttle_.observe(cacheStatistics(), now);
  stats_.throttleDegree.observe(throttle_.degree());
  const u64 promotionsBefore = tables_.promotions();
  const std::optional<Prediction> prediction = tables_.observe(load.origin.pc, load.origin.slot, address);
  stats_.promotions += tables_.promotions() - promotionsBefore;
  stats_.perWarpLookups += !prediction || prediction->source != Source::global;
  if (!prediction) return;
  ++countOf(prediction->source);
  if (throttle_.drops()) {
    ++stats_.throttled;
    return;
  }
  const u32 first = prediction->source == Source::interWarp ? settings_.warpDistance : settings_.distance;
  for (u32 i = 0; i < settings_.degree; ++i) prefetch(load, prediction->stride * (first + i));
}

}  // namespace warpwright::mechanisms::many_thread_prefetcher
