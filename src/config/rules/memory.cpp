// Rules of the memory partitions, the network and DRAM.
#include <fmt/format.h>

#include <algorithm>

#include "config/rules/lists.hpp"

namespace warpwright::config {

using M = Machine;

namespace {

// Of a network, on the side that has more.
u64 terminals(const M& machine) {
  return std::max<u64>(machine.multiprocessors, u64{machine.dram.channels} * machine.partition.networkPorts);
}

// Of a router: all of a crossbar's inputs in the direction that has more.
u64 inputs(const M& machine) { return machine.network.topology == Topology::butterfly ? machine.network.radix : terminals(machine); }

bool reachesAll(const Network& network, u64 terminals) {
  u64 reached = 1;
  for (u32 stage = 0; stage < network.stages && reached < terminals; ++stage) reached *= network.radix;
  return reached >= terminals;
}

}  // namespace

std::vector<Rule> partitionRules() {
  return {
      {{"chip.l2_cache_bytes", "l2.bytes", "partition.slices", "dram.channels"},
       "device properties report chip.l2_cache_bytes, which must be l2.bytes x partition.slices x dram.channels",
       [](const M& m) { return m.l2CacheBytes == m.l2.bytes * m.partition.slices * m.dram.channels; },
       true},
      {{"partition.network_ports", "partition.slices"},
       "the slices of a partition share its ports evenly: partition.slices must be a multiple of partition.network_ports",
       [](const M& m) { return m.partition.slices % m.partition.networkPorts == 0; },
       true},
      {{"partition.halves", "dram.channels"},
       "two halves have as many channels each: dram.channels must be even",
       [](const M& m) { return m.partition.halves == 1 || m.dram.channels % 2 == 0; },
       true},
      {{"partition.halves", "l2.bytes", "llc.bytes"},
       "halves keep copies in L2: l2.bytes must not be 0, and llc.bytes must be",
       [](const M& m) { return m.partition.halves == 1 || (m.l2.bytes != 0 && m.llc.bytes == 0); },
       true},
      {{"partition.halves", "partition.half_latency", "partition.latency", "network.injection_latency"},
       "the way between halves takes at least a cycle, and that from the network to a slice as long as network.injection_latency there and "
       "back",
       [](const M& m) {
         return m.partition.halves == 1 || (m.partition.halfLatency != 0 && m.partition.latency >= 2 * m.network.injectionLatency);
       },
       true},
  };
}

std::vector<Rule> networkRules() {
  return {
      {{"network.radix", "network.stages", "chip.multiprocessors", "dram.channels", "partition.network_ports"},
       "a butterfly joins at most radix^stages terminals: SMs, or channels x network_ports",
       [](const M& m) { return m.network.topology != Topology::butterfly || reachesAll(m.network, terminals(m)); },
       true},
      {{"network.virtual_channels", "network.topology", "network.radix", "chip.multiprocessors", "dram.channels",
        "partition.network_ports"},
       "a router has at most 256 virtual channels, those of all its inputs: SMs or ports of memory partitions of a crossbar, radix of a "
       "butterfly",
       [](const M& m) { return inputs(m) * m.network.virtualChannels <= 256; },
       true},
      {{"network.ejection_flits", "network.internal_speedup"},
       "a link carries no more than the router before it moves: network.ejection_flits must be at most network.internal_speedup",
       [](const M& m) { return m.network.ejectionFlits <= m.network.internalSpeedup; },
       true},
  };
}

std::vector<Rule> dramRules() {
  const auto rule = [](std::vector<std::string> keys, std::string text, bool (*holds)(const M&)) {
    return Rule{std::move(keys), std::move(text), holds, true};
  };
  return {
      rule({"chip.memory_bus_bits", "dram.channels", "dram.bus_bytes"}, "the bus must have 8 x channels x bus_bytes bits",
           [](const M& m) { return m.memoryBusBits == u64{8} * m.dram.channels * m.dram.busBytes; }),
      rule({"chip.memory_clock_khz", "dram.clock_khz", "dram.data_rate"},
           "CUDA's memory clock counts two transfers a tick: 2 x chip.memory_clock_khz must be dram.clock_khz x dram.data_rate",
           [](const M& m) { return 2 * m.memoryClockKhz == m.dram.clockKhz * m.dram.dataRate; }),
      rule({"dram.burst_length", "dram.data_rate"}, "a burst must take whole ticks",
           [](const M& m) { return m.dram.burstLength % m.dram.dataRate == 0; }),
      rule({"dram.row_bytes", "dram.bus_bytes", "dram.burst_length"}, "a row must hold at least one burst",
           [](const M& m) { return m.dram.rowBytes >= columnBytes(m.dram); }),
      rule({"dram.interleave_bytes", "dram.bus_bytes", "dram.burst_length"}, "a burst must lie in one channel",
           [](const M& m) { return m.dram.interleaveBytes >= columnBytes(m.dram); }),
      rule({"dram.banks", "dram.bank_groups"}, "every bank group needs a bank",
           [](const M& m) { return m.dram.banks >= m.dram.bankGroups; }),
      rule({"dram.kind", "dram.bank_groups"}, "GDDR3 has no bank groups",
           [](const M& m) { return m.dram.kind != DramKind::gddr3 || m.dram.bankGroups == 1; }),
      rule({"dram.banks", "dram.ranks"}, fmt::format("a channel has at most {} banks, all ranks together", kMostBanks),
           [](const M& m) { return u64{m.dram.banks} * m.dram.ranks <= kMostBanks; }),
      rule({"dram.request_queue", "dram.bus_bytes", "dram.burst_length"},
           fmt::format("all requests of the queue have at most {} column accesses: each {} / (bus_bytes x burst_length), at least one",
                       kMostColumnAccesses, kLongestLineBytes),
           [](const M& m) { return u64{m.dram.requestQueue} * mostColumns(m.dram) <= kMostColumnAccesses; }),
      rule({"dram.fixed_latency", "dram.clock_khz", "chip.core_clock_khz"},
           fmt::format("the fixed latency takes at most {} ticks of dram.clock_khz", kMostFixedTicks),
           [](const M& m) { return u64{m.dram.fixedLatency} * m.dram.clockKhz <= kMostFixedTicks * m.coreClockKhz; }),
      rule({"dram.t_ccdl", "dram.t_ccd"}, "column commands of one bank group cannot be closer than those of two",
           [](const M& m) { return m.dram.tCCDL >= m.dram.tCCD; }),
      rule({"dram.t_ras", "dram.t_rcd"}, "a row must be open long enough for a column command",
           [](const M& m) { return m.dram.tRAS >= m.dram.tRCD; }),
      rule({"dram.t_rc", "dram.t_ras"}, "a bank cannot be activated again before it may be precharged",
           [](const M& m) { return m.dram.tRC > m.dram.tRAS; }),
      rule({"dram.t_faw", "dram.t_rrd"}, "the window of four activations cannot be shorter than one t_rrd",
           [](const M& m) { return m.dram.tFAW == 0 || m.dram.tFAW >= m.dram.tRRD; }),
      rule({"dram.t_refi", "dram.t_rfc"}, "both or neither must be 0",
           [](const M& m) { return (m.dram.tREFI == 0) == (m.dram.tRFC == 0); }),
      rule({"dram.t_refi", "dram.t_rfc", "dram.t_rc"}, "between refreshes there must be time to activate a row",
           [](const M& m) { return m.dram.tREFI == 0 || m.dram.tREFI > u64{m.dram.tRFC} + m.dram.tRC; }),
      rule({"dram.t_rtw", "dram.t_cl", "dram.t_wl", "dram.burst_length", "dram.data_rate"},
           "unless it is 0, t_rtw must keep the data of a write behind that of the read: t_cl + burst_length / data_rate - t_wl at least",
           [](const M& m) { return m.dram.tRTW == 0 || u64{m.dram.tRTW} + m.dram.tWL >= u64{m.dram.tCL} + burstTicks(m.dram); }),
  };
}

}  // namespace warpwright::config
