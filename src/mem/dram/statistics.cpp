#include "mem/dram/statistics.hpp"

#include "mem/dram/geometry.hpp"

namespace warpwright::mem {

stats::Ratio dramEfficiency(const DramStats& stats, u32 dataRate) {
  return stats::ratio(stats.busTransactions, dataRate * stats.activeTicks);
}

stats::Ratio bandwidthUtilisation(const DramStats& stats, u32 dataRate) {
  return stats::ratio(stats.busTransactions, dataRate * stats.ticks);
}

void check(const DramStats& s, const config::Dram& dram, stats::Conservation& laws) {
  using dram::Command;
  const u64 columns = s.rowHits + s.rowMisses + s.rowConflicts;
  const u64 reads = s.commands[Command::read] + s.commands[Command::readPrecharge];
  const u64 writes = s.commands[Command::write] + s.commands[Command::writePrecharge];
  laws.equal("dram: reads accepted and finished", s.reads, s.finishedReads);
  laws.equal("dram: writes accepted and finished", s.writes, s.finishedWrites);
  laws.equal("dram: column accesses and column commands", columns, reads + writes);
  laws.equal("dram: bytes moved and column commands", s.movedBytes, columns * dram::columnBytes(dram));
  laws.equal("dram: bus transactions and column commands", s.busTransactions, columns * dram.burstLength);
  laws.equal("dram: busy ticks and column commands", s.busyTicks, columns * dram::burstTicks(dram));
  laws.equal("dram: read latencies and finished reads", s.readLatency.count(), s.finishedReads);
  laws.equal("dram: write latencies and finished writes", s.writeLatency.count(), s.finishedWrites);
  laws.equal("dram: queue samples and ticks", s.queue.count(), s.ticks);
  laws.atMost("dram: row misses and conflicts, and activations", s.rowMisses + s.rowConflicts, s.commands[Command::activate]);
  laws.atMost("dram: requested and moved bytes", s.requestedBytes, s.movedBytes);
  laws.atMost("dram: busy and active ticks", s.busyTicks, s.activeTicks);
  laws.atMost("dram: open and all ticks", s.openTicks, s.ticks);
  laws.atMost("dram: active and all ticks", s.activeTicks, s.ticks);
}

}  // namespace warpwright::mem
