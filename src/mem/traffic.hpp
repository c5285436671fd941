// What the memory system does for an instruction, a source line or a whole machine.
#pragma once

#include <vector>

#include "mem/origin_table.hpp"

namespace warpwright::mem {

struct LoadUse {
  u64 count = 0, cycles = 0;

  static constexpr void fields(auto&& field) {
    field("count", "warp instructions", "loads and atomics whose results were written back", &LoadUse::count);
    field("cycles", "cycles", "from their issue to their write-back, summed", &LoadUse::cycles);
  }
  bool operator==(const LoadUse&) const = default;
};

struct CacheUse {
  u64 accesses = 0, hits = 0;

  static constexpr void fields(auto&& field) {
    field("accesses", "accesses", "processed", &CacheUse::accesses);
    field("hits", "accesses", "for which every sector touched was valid", &CacheUse::hits);
  }
  bool operator==(const CacheUse&) const = default;
};

struct NetworkUse {
  u64 bytes = 0;

  static constexpr void fields(auto&& field) { field("bytes", "bytes", "packets, headers included", &NetworkUse::bytes); }
  bool operator==(const NetworkUse&) const = default;
};

struct DramUse {
  u64 bytesRead = 0, bytesWritten = 0;

  static constexpr void fields(auto&& field) {
    field("bytes_read", "B", "moved over the data bus, in whole bursts", &DramUse::bytesRead);
    field("bytes_written", "B", "moved over the data bus, in whole bursts", &DramUse::bytesWritten);
  }
  bool operator==(const DramUse&) const = default;
};

struct Traffic {
  LoadUse loads;
  CacheUse l1d, l1i, l1c, texture, l2, lastLevel;
  NetworkUse requests, responses;
  DramUse dram;

  static constexpr void fields(auto&& field) {
    using T = Traffic;
    field("loads", "", "latency of loads and atomics", &T::loads);
    field("l1d", "", "first-level data caches", &T::l1d);
    field("l1i", "", "instruction caches", &T::l1i);
    field("l1c", "", "constant caches", &T::l1c);
    field("texture_cache", "", "texture caches", &T::texture);
    field("l2", "", "L2 slices", &T::l2);
    field("last_level", "", "the cache between L2 and DRAM", &T::lastLevel);
    field("requests", "", "network to the memory partitions", &T::requests);
    field("responses", "", "network to the SMs", &T::responses);
    field("dram", "", "DRAM channels", &T::dram);
  }
  bool operator==(const Traffic&) const = default;
};

// By the pc of who asked.
using TrafficByPc = std::vector<Traffic>;

inline Traffic& at(TrafficByPc& traffic, Pc pc) {
  if (traffic.size() <= pc) traffic.resize(pc + 1);
  return traffic[pc];
}

inline void merge(TrafficByPc& into, const TrafficByPc& from) {
  for (Pc pc{0}; pc < from.size(); ++pc) stats::merge(at(into, pc), from[pc]);
}

// Ends the launch in the table of one part.
template <class Counts>
void takeLaunch(TrafficByPc& into, Counts Traffic::*part, OriginTable<Counts>& table, u32 launch) {
  const std::vector<Counts> counts = table.end(launch);
  for (Pc pc{0}; pc < counts.size(); ++pc) stats::merge(at(into, pc).*part, counts[pc]);
}

}  // namespace warpwright::mem
