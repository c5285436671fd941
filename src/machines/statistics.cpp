#include "machines/statistics.hpp"

#include <fmt/format.h>

#include <string>

#include "mem/dram/geometry.hpp"

namespace warpwright::machines {
namespace {

void check(const mem::SmUse& use, const sm::SmStats& sm, stats::Conservation& laws) {
  const auto law = [&](const char* what, u64 ofOrigins, u64 all) {
    laws.equal(fmt::format("{0} by instruction and the rest = {0}", what), ofOrigins, all);
  };
  law("fetches", use.fetches, sm.instructionFetches);
  law("registers read", use.operandReads, sm.backend.operandReads);
  law("registers written", use.operandWrites, sm.backend.operandWrites);
  law("accesses coalesced", use.coalescedAccesses, sm.loadStore.coalescedAccesses);
  law("lanes coalesced", use.coalescedLanes, sm.loadStore.coalescedLanes);
  law("words of caches", use.cacheWords, sm.loadStore.cacheWords);
  law("words of shared memory", use.sharedWords, sm.loadStore.sharedWords);
  law("reads of banks", use.bankReads, sm.loadStore.bankReads);
  law("writes of banks", use.bankWrites, sm.loadStore.bankWrites);
}

}  // namespace

void checkSlots(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws) {
  const sm::SmStats& sm = stats.sm;
  laws.equal("SM: cycles of all SMs = cycles x SMs", sm.cycles, stats.cycles * machine.multiprocessors);
  laws.equal("SM: issued and lost slots = issue slots", sm.slots.total(), sm.cycles * machine.schedulersPerSm * machine.sm.issueWidth);
  laws.equal("SM: warp instructions + replays = issued slots + serial instructions", sm.warpInstructions + sm.replays,
             sm.slots[sm::Slot::issued] + sm.serialInstructions);
  laws.equal("SM: assist instructions + their replays = assist slots", sm.assistInstructions + sm.assistReplays,
             sm.slots[sm::Slot::assist]);
  laws.atMost("SM: thread instructions <= lanes of warp instructions", sm.threadInstructions, sm.warpInstructions * machine.warpSize);
  laws.atMost("SM: resident warps <= warps of the SM", sm.residentWarpCycles, sm.cycles * machine.warpsPerSm);
  laws.atMost("SM: cycles with a warp, and with ended blocks alone <= cycles", sm.activeCycles + sm.drainCycles, sm.cycles);
  laws.atMost("SM: cycles with ended blocks alone <= cycles of ended blocks", sm.drainCycles, sm.endedBlockCycles);
  laws.atMost("SM: lines of code used from the stream <= asked for", sm.usedPrefetches, sm.prefetchedLines);
  laws.atMost("load/store unit: instructions <= warp instructions, helpers' included", sm.loadStore.instructions,
              sm.warpInstructions + sm.assistInstructions);
  laws.atMost("load/store unit: loads of shared memory <= loads", sm.loadStore.sharedLoads, sm.loadStore.loadLatency.count());
  laws.atMost("load/store unit: accesses to shared memory <= passes", sm.loadStore.sharedAccesses, sm.loadStore.sharedPasses);
}

void check(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws) {
  checkSlots(stats, machine, laws);
  for (const mem::CacheStats* cache : {&stats.l1d, &stats.l1i, &stats.l1c, &stats.l15c, &stats.texture}) check(*cache, laws);
  laws.atMost("SM: lines of code used from the stream <= fetches of the instruction cache", stats.sm.usedPrefetches, stats.l1i.fetches);
  laws.atMost("second-level constant caches: accesses <= fetches of the first level", stats.l15c.accesses.total(), stats.l1c.fetches);
  const mem::MemorySideStats& memory = stats.memory;
  check(memory.partition, laws);
  laws.atMost("bytes from SMs >= into the request network", memory.requests.bytes, stats.sm.bytesToNetwork);
  laws.atMost("bytes out of the request network >= into the partitions", memory.partition.bytesFromNetwork, memory.requests.deliveredBytes);
  laws.atMost("bytes out of the response network >= into the SMs", stats.sm.bytesFromNetwork, memory.responses.deliveredBytes);
}

void check(const mem::Traffic& traffic, const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws) {
  const auto cache = [&](const std::string& name, const mem::CacheUse& use, const mem::CacheStats& all) {
    laws.equal("accesses by instruction and the rest = accesses, " + name, use.accesses, all.accesses.total());
    laws.equal("hits by instruction and the rest = hits, " + name, use.hits, all.hits.total());
    laws.equal("sectors by instruction and the rest = sectors read, " + name, use.sectorsRead, all.sectorsRead + all.sectorsWrittenBack);
    laws.equal("sectors by instruction and the rest = sectors written, " + name, use.sectorsWritten, all.sectorsWritten);
    laws.equal("sectors by instruction and the rest = sectors filled, " + name, use.sectorsFilled, all.sectorsFilled);
    laws.equal("MSHRs by instruction and the rest = MSHRs, " + name, use.mshrs, all.fetchLatency.count());
  };
  check(traffic.sm, stats.sm, laws);
  const mem::MemorySideStats& memory = stats.memory;
  cache("l1d", traffic.l1d, stats.l1d);
  cache("l1i", traffic.l1i, stats.l1i);
  cache("l1c", traffic.l1c, stats.l1c);
  cache("l15c", traffic.l15c, stats.l15c);
  cache("texture_cache", traffic.texture, stats.texture);
  cache("l2", traffic.l2, memory.partition.l2);
  cache("last_level", traffic.lastLevel, memory.partition.lastLevel);
  laws.equal("bytes by instruction and the rest = bytes, request network", traffic.requests.bytes, memory.requests.bytes);
  laws.equal("bytes by instruction and the rest = bytes, response network", traffic.responses.bytes, memory.responses.bytes);
  laws.equal("flits by instruction and the rest = flits, request network", traffic.requests.flits, memory.requests.routedFlits);
  laws.equal("flits by instruction and the rest = flits, response network", traffic.responses.flits, memory.responses.routedFlits);
  const auto& commands = memory.dram.commands;
  using dram = mem::dram::Command;
  const u64 reads = commands[dram::read] + commands[dram::readPrecharge], writes = commands[dram::write] + commands[dram::writePrecharge];
  const u64 bytes = mem::dram::columnBytes(machine.dram);
  laws.equal("bytes by instruction and the rest = bytes read, DRAM", traffic.dram.bytesRead, reads * bytes);
  laws.equal("bytes by instruction and the rest = bytes written, DRAM", traffic.dram.bytesWritten, writes * bytes);
  laws.equal("rows by instruction and the rest = rows opened, DRAM", traffic.dram.activations, commands[dram::activate]);
  const sm::LatencyHistogram& loads = stats.sm.loadStore.loadLatency;
  laws.equal("loads by instruction and the rest = loads", traffic.loads.count, loads.count());
  laws.equal("cycles of loads by instruction and the rest = cycles of loads", traffic.loads.cycles, loads.sum());
}

void checkAtRest(const GpuStats& stats, const config::Machine& machine, stats::Conservation& laws) {
  stats.mechanisms.forEach([&](const std::string&, const stats::AnyStatistics& counted) { counted.checkLaws(laws); });
  for (const mem::CacheStats* cache : {&stats.l1d, &stats.l1i, &stats.l1c, &stats.l15c, &stats.texture}) checkAtRest(*cache, laws);
  if (machine.l15c.bytes != 0)
    laws.equal("second-level constant caches: accesses = fetches of the first level", stats.l15c.accesses.total(), stats.l1c.fetches);
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
