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
      row<&P::atomicSectorTime>("atomic_sector_time", "ticks / 1000", {0, 1'000'000},
                                "What the first operation on each sector of 32 bytes takes of a slice's unit for atomics; "
                                "atomics_per_tick is then the rate of the others. 0: all come at that rate. Default: 0; no source gives "
                                "one."),
      row<&P::atomicRepeatTime>("atomic_repeat_time", "ticks / 1000", {0, 1'000'000},
                                "What each further operation of an atomic on one word takes of the unit, of the word that most lanes "
                                "update; those on others count as if each had its own. 0: they come at the rate of the others. Default: 0; "
                                "no source gives one."),
      row<&P::atomicRepeatLatency>("atomic_repeat_latency", "ticks / 1000", {0, 1'000'000},
                                   "How much later the results of an atomic come for each further operation on one word, while the unit "
                                   "goes on with the next atomic. Default: 0; no source gives one."),
      choice<&P::copiesFillL2>(
          "copies_fill_l2",
          "Copies from the host to the device leave their lines in the L2 slices, clean, as `-gpgpu_perf_sim_memcpy 1` of "
          "GPGPU-Sim does: all of a GPU's memory traffic passes its L2. Default: false, a cold L2."),
      row<&P::halves>(
          "halves", "halves", {1, 2},
          "2: SMs and partitions lie in two halves of the chip, the lower numbers in the first. What an SM reads it asks of the "
          "partition of its own half that is the partner of the one which has the address; a slice without the line fetches it "
          "from its partner, and keeps a copy. Writes and atomics go to where the address lies (docs/memory-system.md). Default: 1."),
      row<&P::halfLatency>("half_latency", "ticks", {0, 100'000}, "`halves`: from one half to the other. Default: 0; 71 on an H100."),
      row<&P::halfBytesPerTick>(
          "half_bytes_per_tick", "bytes", {0, 4096},
          "`halves`: what the link from a partition's partner to it carries, packets with their headers: answers to what "
          "it has asked, what the partner asks, writes and atomics of SMs of the other half. 0: no limit. Default: 0."),
  };
  return kRows;
}

}  // namespace warpwright::config
