// The many-thread aware prefetcher in the way of an SM's data accesses.
#pragma once

#include "mechanisms/many_thread_prefetcher/settings.hpp"
#include "mechanisms/many_thread_prefetcher/statistics.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

class Prefetcher final : public PrefetchingStage {
 public:
  Prefetcher(const Settings& settings, const config::Machine& machine, const sm::StageContext& context, Statistics& statistics)
      : PrefetchingStage(settings.queue, machine, context, statistics.prefetches),
        settings_(settings),
        stats_(statistics),
        tables_(settings.tables),
        throttle_(settings.throttling()) {}

 private:
  void train(const sm::LaneAccess& load, u64 address, Cycle now) override;
  void forget() override { tables_.forget(); }
  u64& countOf(Source source);

  const Settings settings_;
  Statistics& stats_;
  Tables tables_;
  AdaptiveThrottle throttle_;
};

}  // namespace warpwright::mechanisms::many_thread_prefetcher
