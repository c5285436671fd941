// The counters of a whole GPU.
#pragma once

#include "mem/cache/statistics.hpp"
#include "mem/dram/statistics.hpp"
#include "mem/network/statistics.hpp"
#include "mem/partition/statistics.hpp"
#include "sm/statistics.hpp"
#include "stats/conservation.hpp"

namespace warpwright::machines {

struct GpuStats {
  u64 cycles = 0;
  sm::SmStats sm;
  mem::CacheStats l1d, l1i, l1c, texture;
  mem::NetworkStats requests, responses;
  mem::CacheStats l2, llc;
  mem::PartitionStats partition;
  mem::DramStats dram;

  static constexpr auto fields() {
    using stats::field;
    using G = GpuStats;
    return std::tuple{
        field("cycles", "core cycles", "from the launch to the last answer", &G::cycles),
        field("sm", "", "all SMs together", &G::sm),
        field("l1d", "", "first-level data caches", &G::l1d),
        field("l1i", "", "instruction caches", &G::l1i),
        field("l1c", "", "constant caches", &G::l1c),
        field("texture_cache", "", "texture caches", &G::texture),
        field("request_network", "", "from the SMs to the memory partitions", &G::requests),
        field("response_network", "", "from the memory partitions to the SMs", &G::responses),
        field("l2", "", "all slices of the L2", &G::l2),
        field("llc", "", "last-level caches", &G::llc),
        field("partition", "", "memory partitions", &G::partition),
        field("dram", "", "all DRAM channels", &G::dram),
    };
  }
};

// The conservation laws of a launch, or of a whole run, that left nothing under way.
void check(const GpuStats& stats, u32 schedulers, u32 issueWidth, stats::Conservation& laws);

}  // namespace warpwright::machines
