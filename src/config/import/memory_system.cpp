// The network and the memory partitions; what follows from several parts together.
#include <algorithm>

#include "config/import/parts.hpp"

namespace warpwright::config {
namespace {

// -gpgpu_dram_partition_queues FROM_NETWORK:TO_DRAM:FROM_DRAM:TO_NETWORK
void importQueues(Options& options, Partition& partition) {
  const Option* option = options.take("gpgpu_dram_partition_queues");
  if (option == nullptr) return;
  const auto parts = split(option->value, ':');
  if (parts.size() != 4) refuse(*option, "expected four sizes", "from the network:to DRAM:from DRAM:to the network, as 8:8:8:8");
  u32* const queues[] = {&partition.inputQueue, &partition.dramQueue, &partition.fillQueue, &partition.outputQueue};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const u64 size = numberOf(*option, parts[i]);
    if (size == 0 || size > 65'536) refuse(*option, "the sizes are 1 to 65536");
    *queues[i] = static_cast<u32>(size);
  }
}

// Core cycles there, ticks of the partition's clock here.
void importLatency(Options& options, Machine& machine) {
  u32 cycles = 0;
  if (!options.number("gpgpu_l2_rop_latency", cycles) && !options.number("rop_latency", cycles)) return;
  machine.partition.latency = static_cast<u32>(std::min<u64>(u64{cycles} * machine.partition.clockKhz / machine.coreClockKhz, ~u32{0}));
}

void importNetwork(Options& options, Network& network) {
  options.number("icnt_flit_size", network.flitBytes);
  options.number("gpgpu_n_cluster_ejection_buffer_size", network.ejectionQueue);
  options.number("icnt_in_buffer_limit", network.buffersPerChannel);
  if (const Option* option = options.take("icnt_out_buffer_limit")) {
    options.note(*option, "the buffers of an output are network.ejection_queue, in packets");
  }
  if (const Option* option = options.take("network_mode")) {
    if (option->value != "2") options.note(*option, "the topology stands in the network simulator's own file; the machine gets a crossbar");
  }
}

}  // namespace

void importMemorySystem(Options& options, Machine& machine) {
  importQueues(options, machine.partition);
  importLatency(options, machine);
  importNetwork(options, machine.network);
  options.number("gpgpu_n_sub_partition_per_mchannel", machine.partition.slices);
  machine.partition.networkPorts = machine.partition.slices;  // its crossbar has a node for each
  machine.partition.copiesFillL2 = true;                      // the option's default
  options.flag("gpgpu_perf_sim_memcpy", machine.partition.copiesFillL2);
  machine.memoryClockKhz = machine.dram.clockKhz * machine.dram.dataRate / 2;
  machine.memoryBusBits = static_cast<u32>(std::min<u64>(u64{8} * machine.dram.channels * machine.dram.busBytes, ~u32{0}));
  machine.l2CacheBytes =
      machine.l2.bytes * std::min<u64>(machine.partition.slices, kMostCount) * std::min<u64>(machine.dram.channels, kMostCount);
}

}  // namespace warpwright::config
