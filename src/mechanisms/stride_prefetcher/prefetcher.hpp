// The stride prefetcher in the way of an SM's data accesses.
#pragma once

#include "mechanisms/prefetching_stage.hpp"
#include "mechanisms/stride_prefetcher/settings.hpp"
#include "mechanisms/stride_prefetcher/stride_table.hpp"

namespace warpwright::mechanisms::stride_prefetcher {

class Prefetcher final : public PrefetchingStage {
 public:
  Prefetcher(const Settings& settings, const config::Machine& machine, const sm::StageContext& context, PrefetchCounts& counts)
      : PrefetchingStage(settings.queue, machine, context, counts),
        settings_(settings),
        warps_(machine.warpsPerSm),
        table_(settings.entries, settings.confidence) {}

 private:
  void train(const sm::LaneAccess& load, u64 address, Cycle) override {
    const std::optional<s64> stride = table_.observe(keyOf(load.origin), address);
    if (!stride) return;
    for (u32 i = 0; i < settings_.degree; ++i) prefetch(load, *stride * (settings_.distance + i));
  }
  void forget() override { table_.forget(); }

  u64 keyOf(const mem::Origin& origin) const {
    if (settings_.index == Index::warp) return origin.slot;
    return settings_.index == Index::pc ? u64{origin.pc} : u64{origin.pc} * warps_ + origin.slot;
  }

  const Settings settings_;
  const u32 warps_;
  StrideTable table_;
};

}  // namespace warpwright::mechanisms::stride_prefetcher
