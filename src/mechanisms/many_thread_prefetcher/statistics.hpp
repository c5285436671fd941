// What the many-thread aware prefetchers of SMs count.
#pragma once

#include "mechanisms/prefetching_stage.hpp"

namespace warpwright::mechanisms::many_thread_prefetcher {

struct Statistics {
  PrefetchCounts prefetches;
  u64 global = 0, interWarp = 0, perWarp = 0, throttled = 0, promotions = 0, perWarpLookups = 0;
  stats::Peak throttleDegree;

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("prefetches", "", "what was predicted, and what of it was sent", &S::prefetches);
    field("global", "loads", "with a stride that several warps share", &S::global);
    field("inter_warp", "loads", "with one between warps", &S::interWarp);
    field("per_warp", "loads", "with one of their own", &S::perWarp);
    field("per_warp_lookups", "loads", "that looked up the table of strides by warp, as none was shared", &S::perWarpLookups);
    field("throttled", "loads", "of these, for which nothing was prefetched (section 5)", &S::throttled);
    field("promotions", "strides", "of warps that became those of an instruction", &S::promotions);
    field("throttle_degree", "fifths", "most of the predictions that were dropped", &S::throttleDegree);
  }
  bool operator==(const Statistics&) const = default;
};

inline void check(const Statistics& statistics, stats::Conservation& laws) {
  check(statistics.prefetches, laws);
  laws.atMost("prefetcher: throttled loads had a stride", statistics.throttled,
              statistics.global + statistics.interWarp + statistics.perWarp);
}

}  // namespace warpwright::mechanisms::many_thread_prefetcher
