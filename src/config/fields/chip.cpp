// [chip] and what stands above all sections.
#include "config/fields/rows.hpp"

namespace warpwright::config {

using M = Machine;

Rows<Machine> machineRows() {
  static constexpr std::array kRows = {
      row<&M::name>("name", "", {}, "What the machine is called. Default: the stem of the file's name."),
      row<&M::description>("description", "", {}, "One line for `warpwright machines`."),
  };
  return kRows;
}

Rows<Machine> chipRows() {
  static constexpr std::array kRows = {
      row<&M::multiprocessors>("multiprocessors", "SMs", {1, 4096}, "Streaming multiprocessors. Default: one, the smallest machine."),
      row<&M::clusterMultiprocessors>(
          "cluster_multiprocessors", "SMs", {0, 4096},
          "The most SMs that the blocks of a cluster may be spread over: those of a GPC. The SMs of the chip are divided into as few "
          "groups "
          "as this allows, as equal as pairs of SMs allow. 0: clusters are of one block. Default: 0, before compute capability 9.0."),
      row<&M::computeMajor>("compute_major", "", {1, 99},
                            "Compute capability that device properties report; it does not limit which PTX runs. Default: 7.0, the first "
                            "with independent thread scheduling."),
      row<&M::computeMinor>("compute_minor", "", {0, 9}, "Its second part."),
      row<&M::coreClockKhz>("core_clock_khz", "kHz", {1'000, 100'000'000},
                            "Clock of the SMs. Default: 1 GHz, so that a cycle is a nanosecond."),
      row<&M::memoryClockKhz>("memory_clock_khz", "kHz", {1'000, 100'000'000},
                              "Memory clock as CUDA reports it: the peak bandwidth is 2 x clock x bus width / 8. Default: 1 GHz, a round "
                              "number."),
      row<&M::memoryBusBits>("memory_bus_bits", "bits", {8, 65'536},
                             "Width of the memory bus. Default: 256, as GT200-class and current mid-range GPUs have."),
      row<&M::globalMemoryBytes>("global_memory_bytes", "bytes", {kMi, kKi * kGi},
                                 "Device memory; allocations beyond it fail. Default: 8 GiB, that of an RTX 3070."),
      row<&M::l2CacheBytes>("l2_cache_bytes", "bytes", {0, kGi}, "Size of the L2 cache that device properties report. Default: none."),
  };
  return kRows;
}

}  // namespace warpwright::config
