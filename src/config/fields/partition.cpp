// [partition].
#include "config/fields/rows.hpp"

namespace warpwright::config {

Rows<Partition> partitionRows() {
  using P = Partition;
  static constexpr std::array kRows = {
      row<&P::clockKhz>("clock_khz", "kHz", {1'000, 100'000'000},
                        "Clock of the L2 slices, their queues, the atomics unit and the last level. Default: 700 MHz (GTX480)."),
      row<&P::slices>("slices", "slices", {1, 64, true}, "L2 slices of a partition. Default: 1, the smallest; a GTX480 has 2."),
      row<&P::networkPorts>("network_ports", "ports", {1, 64},
                            "Ports of a partition at each of the networks, which its slices share in turn. Default: 1, a port a "
                            "partition; in GPGPU-Sim each slice has one (its crossbar joins 15 SMs and 12 slices of a GTX480)."),
      row<&P::latency>("latency", "ticks", {0, 100'000},
                       "From the network's output to an L2 slice. Default: 0; the GTX480 configuration of GPGPU-Sim has 120."),
      row<&P::inputQueue>("input_queue", "requests", {1, 65'536}, "From the network, a slice. Default: 8 (GTX480)."),
      row<&P::outputQueue>("output_queue", "responses", {1, 65'536}, "To the network, a slice. Default: 8 (GTX480)."),
      row<&P::dramQueue>("dram_queue", "requests", {1, 65'536}, "On their way to the DRAM channel. Default: 8 (GTX480)."),
      row<&P::fillQueue>("fill_queue", "responses", {1, 65'536}, "On their way back from it. Default: 8 (GTX480)."),
      row<&P::atomicsQueue>("atomics_queue", "requests", {1, 65'536},
                            "Atomics that wait for the unit, a slice. Default: 8, as the others."),
      row<&P::atomicsPerTick>("atomics_per_tick", "operations", {1, 1024},
                              "Read-modify-write operations that a slice performs. Default: 1, on one address a cycle as Fermi's "
                              "whitepaper says."),
      choice<&P::copiesFillL2>(
          "copies_fill_l2",
          "Copies from the host to the device leave their lines in the L2 slices, clean, as `-gpgpu_perf_sim_memcpy 1` of "
          "GPGPU-Sim does: all of a GPU's memory traffic passes its L2. Default: false, a cold L2."),
  };
  return kRows;
}

}  // namespace warpwright::config
