// DRAM channels keep the protocol of memory agents under random traffic and backpressure.
#include <gtest/gtest.h>

#include "stats/json.hpp"
#include "unit/mem/conformance/conform.hpp"
#include "unit/mem/dram/probe.hpp"
#include "unit/mem/dram/timing_sets.hpp"

namespace warpwright::mem::testing {
namespace {

class Agent {
 public:
  explicit Agent(const config::Dram& config) : channel_(config) {}

  u32 inputs() const { return 1; }
  u32 outputs() const { return 1; }
  bool canAccept(u32, const Request& request) const { return channel_.canAccept(request); }
  void accept(u32, const Request& request, u64 now) { channel_.accept(request, {now}); }
  const Request* peek(u32) const { return channel_.peekResponse(); }
  Request take(u32) { return channel_.takeResponse(); }
  bool tick(u64 now) {
    now_ = now;
    return channel_.tick({now});
  }
  u64 nextUseful(u64 now) const { return channel_.nextUseful({now}).ticks; }
  bool quiescent() const { return channel_.idle(); }
  stats::Json statistics(u64 now) { return stats::toJson(channel_.statistics({now})); }
  void check(stats::Conservation& laws) const {
    DramChannel copy = channel_;
    mem::check(copy.statistics({now_ + 1}), channel_.configuration(), laws);
  }

 private:
  DramChannel channel_;
  u64 now_ = 0;
};

TEST(DramConformance, holdsTheProtocolWithEveryTimingSet) {
  for (const TimingSet& set : timingSetsWithVariants()) {
    SCOPED_TRACE(set.name);
    config::Dram config = set.dram;
    config.channels = 1;
    conformance::Traffic traffic;
    traffic.requests = 600;
    traffic.bytes = 1 << 20;
    traffic.types = {AccessType::globalRead, AccessType::globalWrite, AccessType::writeBack, AccessType::atomic, AccessType::prefetch};
    conformance::conform([&] { return Agent(config); }, traffic);
  }
}

TEST(DramConformance, holdsTheProtocolWithSparseTrafficAndSlowReceivers) {
  config::Dram config;
  config.channels = 1;
  config.returnQueue = 2;
  for (const u32 takePercent : {3u, 100u}) {
    for (const u32 offerPercent : {1u, 100u}) {
      const conformance::Traffic traffic{.seed = 5, .requests = 400, .offerPercent = offerPercent, .takePercent = takePercent};
      conformance::conform([&] { return Agent(config); }, traffic);
    }
  }
}

}  // namespace
}  // namespace warpwright::mem::testing
