// The counters of a whole GPU.
#pragma once

#include "config/machine.hpp"
#include "mem/memory_side.hpp"
#include "sm/statistics.hpp"
#include "stats/conservation.hpp"
#include "stats/named_statistics.hpp"

namespace warpwright::machines {

struct GpuStats {
  u64 cycles = 0;
  sm::SmStats sm;
  mem::CacheStats l1d, l1i, l1c, l15c, texture;
  mem::MemorySideStats memory;
  stats::NamedStatistics mechanisms;

  static constexpr void fields(auto&& field) {
    using G = GpuStats;
    field("cycles", "core cycles", "from the launch to the last answer", &G::cycles);
    field("sm", "", "all SMs together", &G::sm);
    field("l1d", "", "first-level data caches", &G::l1d);
    field("l1i", "", "instruction caches", &G::l1i);
    field("l1c", "", "constant caches", &G::l1c);
    field("l15c", "", "second-level constant caches", &G::l15c);
    field("texture_cache", "", "texture caches", &G::texture);
    field("memory", "", "networks, memory partitions and DRAM", &G::memory);
    field("mechanisms", "", "what the machine's mechanisms count, by their names (mechanisms.md); absent in a machine without any",
          &G::mechanisms);
  }
};

// The laws of the issue slots: of a launch or of a whole run, without a fault.
void checkSlots(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws);
// Laws that hold at any time, of all that the machine has done since it was made.
void check(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws);
// Traffic by who asked, of all origins together, is what the parts count.
void check(const mem::Traffic& traffic, const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws);
// Further ones, of a machine with nothing under way.
void checkAtRest(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws);

}  // namespace warpwright::machines
