// [sm]: what the functional machine and occupancy need of an SM.
#include "config/fields/rows.hpp"

namespace warpwright::config {

using M = Machine;

Rows<Machine> smRows() {
  static constexpr std::array<std::string_view, 2> kReconvergence = {"independent", "stack"};
  static constexpr std::array kRows = {
      row<&M::warpSize>("warp_size", "lanes", {4, 64, true},
                        "Lanes of a warp. Default: 32, that of every NVIDIA GPU (CUDA C++ Programming Guide, compute capabilities)."),
      row<&M::warpsPerSm>("warps", "warps", {1, 1024},
                          "Warps that can be resident on an SM. Default: 48, compute capability 2.x (CUDA C++ Programming Guide)."),
      row<&M::blocksPerSm>("blocks", "blocks", {1, 1024},
                           "Blocks that can be resident on an SM. Default: 8, compute capability 2.x (CUDA C++ Programming Guide)."),
      row<&M::threadsPerBlock>("threads_per_block", "threads", {1, 65'536},
                               "Largest block. Default: 1024, compute capability 2.0 and later (CUDA C++ Programming Guide)."),
      row<&M::registersPerSm>("registers", "registers", {256, 1 << 24},
                              "32-bit registers of an SM. Default: 32768, compute capability 2.x (CUDA C++ Programming Guide)."),
      row<&M::registersPerThread>("registers_per_thread", "registers", {16, 255},
                                  "Most 32-bit registers of one thread. Default: 255, compute capability 3.5 and later (CUDA C++ "
                                  "Programming Guide)."),
      row<&M::programCounterRegisters>("program_counter_registers", "registers", {0, 8},
                                       "Of these, how many hold the program counter of a thread that can run apart from its warp: no "
                                       "instruction names them. Default: none, as before Volta; 2 from Volta on (NVIDIA Tesla V100 GPU "
                                       "Architecture, 2017, table 2, footnote)."),
      row<&M::registerAllocationUnit>("register_allocation_unit", "registers", {1, 65'536, true},
                                      "A warp receives a multiple of it. Default: 64, compute capability 2.x (NVIDIA's occupancy tables)."),
      row<&M::sharedBytesPerSm>("shared_bytes", "bytes", {0, 16 * kMi},
                                "Shared memory of an SM. Default: 48 KiB, compute capability 2.x (CUDA C++ Programming Guide)."),
      row<&M::sharedBytesPerBlock>("shared_bytes_per_block", "bytes", {0, 16 * kMi},
                                   "Most shared memory of a block that asks for no more. Default: 48 KiB (CUDA C++ Programming Guide)."),
      row<&M::sharedBytesPerBlockOptin>("shared_bytes_per_block_optin", "bytes", {0, 16 * kMi},
                                        "Most shared memory of a block whose kernel opts in by "
                                        "cudaFuncAttributeMaxDynamicSharedMemorySize. Default: no more than without."),
      row<&M::sharedAllocationUnit>("shared_allocation_unit", "bytes", {1, 65'536, true},
                                    "A block receives a multiple of it. Default: 128, compute capability 2.x (NVIDIA's occupancy tables)."),
      row<&M::sharedReservedBytes>(
          "shared_reserved_bytes", "bytes", {0, kMi},
          "Shared memory that the system takes for each block, beside what its kernel asks for. Default: none; 1 KiB "
          "from compute capability 8.0 on (CUDA C++ Programming Guide)."),
      row<&M::sharedBanks>("shared_banks", "banks", {1, 64, true},
                           "Banks of shared memory. Default: 32, compute capability 2.0 and later (CUDA C++ Programming Guide)."),
      row<&M::sharedBankBytes>("shared_bank_bytes", "bytes", {4, 8, true},
                               "Width of a bank. Default: 4 (CUDA C++ Programming Guide); 8 is the wide mode of compute capability 3.x."),
      row<&M::schedulersPerSm>("schedulers", "schedulers", {1, 16},
                               "Warp schedulers of an SM; each issues one warp instruction a cycle. Default: one, the smallest machine."),
      row<&M::reconvergence>("reconvergence", "", {.choices = kReconvergence},
                             "`stack`: one path of a warp runs until it reconverges, as before Volta. `independent`: paths take turns, so "
                             "that threads of a warp may wait for each other, as from Volta on. Default: independent, what current CUDA "
                             "promises."),
      row<&M::pathTurn>("path_turn", "instructions", {1, 1'000'000'000},
                        "`independent`, in a timed machine: what a path of a diverged warp executes before another path gets a turn. "
                        "Default: 256; chosen, as no source says how hardware shares a warp among its paths."),
      row<&M::pollsBeforeYield>("polls_before_yield", "polls", {1, 1'000'000},
                                "Loads of one place in a row that read what they had read before, after which a path is taken to wait for "
                                "another one, which then runs. Default: 16; chosen, as no source says when hardware changes paths."),
  };
  return kRows;
}

}  // namespace warpwright::config
