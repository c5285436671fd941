// What a memory partition counts beside its caches.
#pragma once

#include "mem/cache/statistics.hpp"

namespace warpwright::mem {

struct PartitionStats {
  PerType requests, responses;
  u64 responsesDue = 0;
  u64 partnerReads = 0, partnerMisses = 0;
  u64 inputQueueTicks = 0, outputQueueTicks = 0, atomicsQueueTicks = 0, dramQueueTicks = 0, fillQueueTicks = 0;
  u64 atomicOperations = 0, atomicTicks = 0;
  u64 bytesFromNetwork = 0, bytesToNetwork = 0, bytesToDram = 0, bytesFromDram = 0, bytesToPartner = 0, bytesForPartner = 0;
  CacheStats l2, lastLevel;

  static constexpr void fields(auto&& field) {
    using S = PartitionStats;
    field("requests", "requests", "from the network", &S::requests);
    field("responses", "responses", "taken by the network", &S::responses);
    field("responses_due", "responses", "requests that want one", &S::responsesDue);
    field("partner_reads", "requests", "of partners in the other half of the chip (partition.halves)", &S::partnerReads);
    field("partner_misses", "requests", "of these, reads of lines of which DRAM was asked", &S::partnerMisses);
    field("input_queue_ticks", "ticks", "ticks that requests waited before an L2 slice, beyond its latency, summed", &S::inputQueueTicks);
    field("output_queue_ticks", "ticks", "responses that wait behind an L2 slice for the network, at the beginning of a tick, summed",
          &S::outputQueueTicks);
    field("atomics_queue_ticks", "ticks", "atomics in the atomics units, at the beginning of a tick, summed", &S::atomicsQueueTicks);
    field("dram_queue_ticks", "ticks", "requests that wait for the DRAM channel to take them, at the beginning of a tick, summed",
          &S::dramQueueTicks);
    field("fill_queue_ticks", "ticks",
          "responses of the DRAM channel that wait for L2 or the last level, at the beginning of a tick, summed", &S::fillQueueTicks);
    field("atomic_operations", "operations", "read-modify-write operations", &S::atomicOperations);
    field("atomic_ticks", "ticks", "ticks of work of the atomics units, summed", &S::atomicTicks);
    field("bytes_from_network", "bytes", "requests as packets", &S::bytesFromNetwork);
    field("bytes_to_network", "bytes", "responses as packets", &S::bytesToNetwork);
    field("bytes_to_dram", "bytes", "requests to the channel, headers included", &S::bytesToDram);
    field("bytes_from_dram", "bytes", "responses of the channel, headers included", &S::bytesFromDram);
    field("bytes_to_partner", "bytes", "requests to it, as packets", &S::bytesToPartner);
    field("bytes_for_partner", "bytes", "of bytes_to_dram: its reads of lines that are not here", &S::bytesForPartner);
    field("l2", "", "the L2 slices together; zero without", &S::l2);
    field("last_level", "", "the cache between L2 and DRAM; zero without", &S::lastLevel);
  }
};

// What one L2 slice did.
struct SliceLoad {
  u64 accesses = 0, atomicTicks = 0;
};

// Laws that hold at any time, those of the caches included.
void check(const PartitionStats& stats, stats::Conservation& laws);
// Further ones, of a partition with nothing under way.
void checkAtRest(const PartitionStats& stats, stats::Conservation& laws);

}  // namespace warpwright::mem
