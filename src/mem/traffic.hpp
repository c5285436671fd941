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

// What the SM itself does, beside its caches.
struct SmUse {
  u64 fetches = 0, operandReads = 0, operandWrites = 0;
  u64 coalescedAccesses = 0, coalescedLanes = 0, cacheWords = 0, sharedWords = 0, bankReads = 0, bankWrites = 0;

  static constexpr void fields(auto&& field) {
    using S = SmUse;
    field("fetches", "fetches", "of an instruction buffer, that began with the instruction", &S::fetches);
    field("operand_reads", "registers", "warp-wide, read from the register banks", &S::operandReads);
    field("operand_writes", "registers", "warp-wide, written to the register banks", &S::operandWrites);
    field("coalesced_accesses", "accesses", "that were taken apart into lines", &S::coalescedAccesses);
    field("coalesced_lanes", "lanes", "of these, that took part", &S::coalescedLanes);
    field("cache_words", "words", "of lanes, to or from the first-level caches and the memory behind them", &S::cacheWords);
    field("shared_words", "words", "of lanes, to or from shared memory", &S::sharedWords);
    field("bank_reads", "words", "that the banks of shared memory read", &S::bankReads);
    field("bank_writes", "words", "that they wrote", &S::bankWrites);
  }
  bool operator==(const SmUse&) const = default;
};

struct CacheUse {
  u64 accesses = 0, hits = 0;
  u64 sectorsRead = 0, sectorsWritten = 0, sectorsFilled = 0, mshrs = 0;

  static constexpr void fields(auto&& field) {
    using C = CacheUse;
    field("accesses", "accesses", "processed", &C::accesses);
    field("hits", "accesses", "for which every sector touched was valid", &C::hits);
    field("sectors_read", "sectors", "read from the lines, by hits and to be written back", &C::sectorsRead);
    field("sectors_written", "sectors", "written to the lines by accesses from above", &C::sectorsWritten);
    field("sectors_filled", "sectors", "of responses from below, written to the lines", &C::sectorsFilled);
    field("mshrs", "MSHRs", "that have got the last of what they waited for", &C::mshrs);
  }
  bool operator==(const CacheUse&) const = default;
};

struct NetworkUse {
  u64 bytes = 0, flits = 0;

  static constexpr void fields(auto&& field) {
    field("bytes", "bytes", "packets, headers included", &NetworkUse::bytes);
    field("flits", "flits", "that left a router, summed over the routers", &NetworkUse::flits);
  }
  bool operator==(const NetworkUse&) const = default;
};

struct DramUse {
  u64 bytesRead = 0, bytesWritten = 0, activations = 0;

  static constexpr void fields(auto&& field) {
    field("bytes_read", "B", "moved over the data bus, in whole bursts", &DramUse::bytesRead);
    field("bytes_written", "B", "moved over the data bus, in whole bursts", &DramUse::bytesWritten);
    field("activations", "rows", "opened for its accesses; others may have found them open", &DramUse::activations);
  }
  bool operator==(const DramUse&) const = default;
};

struct Traffic {
  LoadUse loads;
  SmUse sm;
  CacheUse l1d, l1i, l1c, l15c, texture, l2, lastLevel;
  NetworkUse requests, responses;
  DramUse dram;

  static constexpr void fields(auto&& field) {
    using T = Traffic;
    field("loads", "", "latency of loads and atomics", &T::loads);
    field("sm", "", "register banks, instruction buffers, lanes and shared memory", &T::sm);
    field("l1d", "", "first-level data caches", &T::l1d);
    field("l1i", "", "instruction caches", &T::l1i);
    field("l1c", "", "constant caches", &T::l1c);
    field("l15c", "", "second-level constant caches", &T::l15c);
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
