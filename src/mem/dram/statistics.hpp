// Counters of a DRAM channel.
#pragma once

#include "config/dram.hpp"
#include "mem/dram/command.hpp"
#include "stats/conservation.hpp"
#include "stats/enum_vector.hpp"
#include "stats/formula.hpp"
#include "stats/histogram.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mem {

struct DramStats {
  using Latency = stats::Histogram<stats::PowersOfTwo, 18>;
  using Occupancy = stats::Histogram<stats::PowersOfTwo, 10>;

  u64 reads = 0, writes = 0, finishedReads = 0, finishedWrites = 0;
  u64 rowHits = 0, rowMisses = 0, rowConflicts = 0, bankConflicts = 0, turnArounds = 0;
  u64 requestedBytes = 0, movedBytes = 0, busTransactions = 0, bytesIn = 0, bytesOut = 0;
  u64 ticks = 0, activeTicks = 0, busyTicks = 0, openTicks = 0;
  stats::EnumVector<dram::Command, dram::kCommands> commands;
  Occupancy queue;
  Latency readLatency, writeLatency;

  static constexpr void fields(auto&& field) {
    using S = DramStats;
    field("reads", "requests", "read requests accepted", &S::reads);
    field("writes", "requests", "write requests accepted", &S::writes);
    field("finished_reads", "requests", "read requests whose data have crossed the bus", &S::finishedReads);
    field("finished_writes", "requests", "write requests whose data have crossed the bus", &S::finishedWrites);
    field("row_hits", "column accesses", "served from a row that was open", &S::rowHits);
    field("row_misses", "column accesses", "served after activating a row of a closed bank", &S::rowMisses);
    field("row_conflicts", "column accesses", "served after closing another row and activating theirs", &S::rowConflicts);
    field("bank_conflicts", "column accesses", "that found, on arrival, accesses to another row of their bank waiting", &S::bankConflicts);
    field("turn_arounds", "times", "the data bus changed between reading and writing", &S::turnArounds);
    field("requested_bytes", "B", "in the sectors of the accepted requests, or in what travels of them", &S::requestedBytes);
    field("moved_bytes", "B", "moved over the data bus, in whole bursts", &S::movedBytes);
    field("bus_transactions", "transfers", "of the width of the data bus", &S::busTransactions);
    field("bytes_in", "B", "requests as packets", &S::bytesIn);
    field("bytes_out", "B", "responses as packets", &S::bytesOut);
    field("ticks", "ticks", "of the command clock that passed", &S::ticks);
    field("active_ticks", "ticks", "with a request in the queue or data outstanding", &S::activeTicks);
    field("busy_ticks", "ticks", "of data on the bus", &S::busyTicks);
    field("open_ticks", "ticks", "with a row open in some bank", &S::openTicks);
    field("commands", "commands", "issued, by kind", &S::commands);
    field("queue", "requests", "in the queue, one sample a tick", &S::queue);
    field("read_latency", "ticks", "of a read request, from acceptance to its last data on the bus", &S::readLatency);
    field("write_latency", "ticks", "of a write request, from acceptance to its last data on the bus", &S::writeLatency);
  }
};

// DRAM efficiency (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", section 6.5.3): bus transactions over the transfers
// that the bus could have made in the active ticks. Numerators and denominators of channels and kernels are summed before the division:
// merge the counters.
stats::Ratio dramEfficiency(const DramStats& stats, u32 dataRate);
// The same over all ticks: the share of the peak bandwidth that was used.
stats::Ratio bandwidthUtilisation(const DramStats& stats, u32 dataRate);

// Laws of a channel in which no request is waiting or under way.
void check(const DramStats& stats, const config::Dram& dram, stats::Conservation& laws);

}  // namespace warpwright::mem
