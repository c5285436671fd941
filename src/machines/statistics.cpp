#include "machines/statistics.hpp"

namespace warpwright::machines {

void checkSlots(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws) {
  const sm::SmStats& sm = stats.sm;
  laws.equal("SM: cycles of all SMs = cycles x SMs", sm.cycles, stats.cycles * machine.multiprocessors);
  laws.equal("SM: issued and lost slots = issue slots", sm.slots.total(), sm.cycles * machine.schedulersPerSm * machine.sm.issueWidth);
  laws.equal("SM: warp instructions + replays = issued slots + serial instructions", sm.warpInstructions + sm.replays,
             sm.slots[sm::Slot::issued] + sm.serialInstructions);
  laws.atMost("SM: thread instructions <= lanes of warp instructions", sm.threadInstructions, sm.warpInstructions * machine.warpSize);
  laws.atMost("SM: resident warps <= warps of the SM", sm.residentWarpCycles, sm.cycles * machine.warpsPerSm);
  laws.atMost("SM: lines of code used from the stream <= asked for", sm.usedPrefetches, sm.prefetchedLines);
  laws.atMost("load/store unit: instructions <= warp instructions", sm.loadStore.instructions, sm.warpInstructions);
  laws.atMost("load/store unit: accesses to shared memory <= passes", sm.loadStore.sharedAccesses, sm.loadStore.sharedPasses);
}

void check(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws) {
  checkSlots(stats, machine, laws);
  for (const mem::CacheStats* cache : {&stats.l1d, &stats.l1i, &stats.l1c, &stats.texture}) check(*cache, laws);
  laws.atMost("SM: lines of code used from the stream <= fetches of the instruction cache", stats.sm.usedPrefetches, stats.l1i.fetches);
  const mem::MemorySideStats& memory = stats.memory;
  check(memory.partition, laws);
  laws.atMost("bytes from SMs >= into the request network", memory.requests.bytes, stats.sm.bytesToNetwork);
  laws.atMost("bytes out of the request network >= into the partitions", memory.partition.bytesFromNetwork, memory.requests.deliveredBytes);
  laws.atMost("bytes out of the response network >= into the SMs", stats.sm.bytesFromNetwork, memory.responses.deliveredBytes);
}

void checkAtRest(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws) {
  for (const mem::CacheStats* cache : {&stats.l1d, &stats.l1i, &stats.l1c, &stats.texture}) checkAtRest(*cache, laws);
  const mem::MemorySideStats& memory = stats.memory;
  checkAtRest(memory.partition, laws);
  check(memory.requests, laws);
  check(memory.responses, laws);
  check(memory.dram, machine.dram, laws);
  laws.equal("bytes from SMs = into the request network", stats.sm.bytesToNetwork, memory.requests.bytes);
  laws.equal("bytes out of the request network = into the partitions", memory.requests.deliveredBytes, memory.partition.bytesFromNetwork);
  laws.equal("bytes from the partitions = into the response network", memory.partition.bytesToNetwork, memory.responses.bytes);
  laws.equal("bytes out of the response network = into the SMs", memory.responses.deliveredBytes, stats.sm.bytesFromNetwork);
  if (memory.hasStages) return;
  laws.equal("bytes from the partitions = into DRAM", memory.partition.bytesToDram, memory.dram.bytesIn);
  laws.equal("bytes out of DRAM = into the partitions", memory.dram.bytesOut, memory.partition.bytesFromDram);
}

}  // namespace warpwright::machines
