// The counters of a whole GPU.
#pragma once

#include "mem/memory_side.hpp"
#include "sm/statistics.hpp"
#include "stats/conservation.hpp"

namespace warpwright::machines {

struct GpuStats {
  u64 cycles = 0;
  sm::SmStats sm;
  mem::CacheStats l1d, l1i, l1c, texture;
  mem::MemorySideStats memory;

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
        field("memory", "", "networks, memory partitions and DRAM", &G::memory),
    };
  }
};

// The conservation laws of a launch, or of a whole run, that left nothing under way.
void check(const GpuStats& stats, u32 schedulers, u32 issueWidth, stats::Conservation& laws);

}  // namespace warpwright::machines
