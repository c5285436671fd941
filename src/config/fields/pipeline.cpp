// [sm.pipeline] and [sm.memory].
#include "config/fields/rows.hpp"

namespace warpwright::config {

template <>
inline constexpr std::array<std::string_view, 4> kNamesOf<Coalescing> = {"half_warp_segments", "sub_warp_blocks", "lines", "sectors"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<Pipeline> = {"scoreboard", "in_order"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<FetchOrder> = {"round_robin", "greedy_then_youngest"};
template <>
inline constexpr std::array<std::string_view, 2> kNamesOf<Dependences> = {"scoreboard", "control_bits"};

Rows<Sm> pipelineRows() {
  static constexpr std::array kRows = {
      choice<&Sm::pipeline>("model",
                            "`scoreboard`: instructions of a warp wait for their operands only, and pipes of their own serve each kind. "
                            "`in_order`: one pipeline of `stages`, which every instruction passes in the order of issue and which stands "
                            "still where it cannot go on; latencies of [sm.operations] then mean nothing. Default: scoreboard, Fermi and "
                            "later."),
      choice<&Sm::dependences>(
          "dependences",
          "What keeps an instruction from issuing too early. `scoreboard`: the SM marks the registers that are to be written. "
          "`control_bits`: the compiler says beside each instruction how long its warp stalls and which of the warp's six dependence "
          "counters it counts and waits for (docs/modern-cores.md); code that has no such bits, as traces of SASS, finds a scoreboard. "
          "Default: scoreboard, as GPGPU-Sim; NVIDIA's GPUs from Kepler on have control bits (Huerta and others, \"Dissecting and "
          "Modeling the Architecture of Modern GPU Cores\", MICRO 2025)."),
      row<&Sm::stages>("stages", "stages", {5, 256},
                       "`in_order`: of the pipeline, from fetch to write-back, a cycle each. Default: 24 (Gou, \"Customizable Memory "
                       "Schemes for Data Parallel Accelerators\", table 5.4)."),
      row<&Sm::memoryStages>("memory_stages", "stages", {2, 64},
                             "`in_order`: the last stages before write-back. An access to shared memory stays in the first of them while "
                             "its bank conflicts last. Default: 4 (Gou, table 5.4)."),
      choice<&Sm::splitMemoryStages>("split_memory_stages",
                                     "`in_order`: instructions without memory access pass beside the memory stages, in as many stages of "
                                     "their own (Gou, figure 5.4b), and not through them (figure 5.4a). Default: false, the pipeline that "
                                     "Gou compares with (footnote 8)."),
      policy<&Sm::scheduler>("scheduler", warpSchedulers,
                             "Which ready warp issues. Default: greedy_then_oldest, the GTX480 configuration of GPGPU-Sim."),
      row<&Sm::issueWidth>("issue_width", "instructions", {1, 2}, "What a scheduler issues a cycle, from one warp. Default: 1 (GTX480)."),
      row<&Sm::twoLevelActive>("two_level_active", "warps", {1, 1024},
                               "`two_level`: a scheduler's active set. Default: 8, that of the publication of two-level scheduling "
                               "(Narasiman and others, 2011)."),
      row<&Sm::instructionBytes>(
          "instruction_bytes", "bytes", {4, 64, true},
          "Of code that an instruction takes in the instruction cache and its lines: 8 up to Pascal, 16 from Volta on "
          "(Jia and others, \"Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking\", chapter 2). Words "
          "that control others, one to 7 instructions of Kepler and to 3 of Maxwell and Pascal, are not counted. Function "
          "pointers stay 16 bytes apart. Default: 8 (GTX480)."),
      row<&Sm::fetchWidth>("fetch_width", "instructions", {1, 16}, "What one fetch brings. Default: 2, as GPGPU-Sim."),
      row<&Sm::fetchesPerCycle>("fetches_per_cycle", "fetches", {1, 16},
                                "Fetches that begin in a cycle, each for another warp. Default: 1, as GPGPU-Sim."),
      row<&Sm::instructionBuffer>("instruction_buffer", "instructions", {1, 32},
                                  "Decoded instructions that a warp holds. Default: 2, as GPGPU-Sim."),
      row<&Sm::decodeLatency>("decode_latency", "cycles", {1, 64}, "From a fetched instruction to the buffer. Default: 1, as GPGPU-Sim."),
      choice<&Sm::fetchOrder>("fetch_order",
                              "Whose instructions are fetched next. `round_robin`: the warps in turn, one fetch of each at a time. "
                              "`greedy_then_youngest`: in each sub-core those of the warp that issued last, as far as its buffer has room "
                              "for what is under way, else of the youngest that has room; each sub-core begins a fetch a cycle. Default: "
                              "round_robin, as GPGPU-Sim; the other is what Huerta and others, section 5.2, assume from Turing on."),
      row<&Sm::l0Bytes>("l0_bytes", "bytes", {0, 1u << 20},
                        "Instruction cache of each sub-core, before that of the SM, whose lines it has; what is in it is there at once. 0: "
                        "none. Default: 0, as GPGPU-Sim; Volta has 12 KiB (Jia and others, \"Dissecting the NVIDIA Volta GPU "
                        "Architecture via Microbenchmarking\")."),
      row<&Sm::l0PrefetchLines>(
          "l0_prefetch_lines", "lines", {0, 64},
          "Lines of code that a stream buffer asks the SM's instruction cache for ahead of the last miss in that of a "
          "sub-core. Default: 0, none; 8 fits Ampere best (Huerta and others, table 5)."),
      row<&Sm::l0LineInterval>(
          "l0_line_interval", "cycles", {1, 256},
          "From one line that the instruction cache of a sub-core asks that of the SM for to the next, be it a miss or "
          "fetched ahead. Default: 1, so that only the ports of the SM's cache limit it; an H100 takes 16.4 (all SMs) to 17.6 (one SM), "
          "for lines of eight instructions (data/hardware/h100-2/probe.csv, code)."),
      row<&Sm::prefetchLines>("prefetch_lines", "lines", {0, 64},
                              "Lines of code that a stream buffer below the instruction cache asks for ahead of the last miss. Default: 0, "
                              "none, as GPGPU-Sim."),
      choice<&Sm::perfectFetch>(
          "perfect_fetch",
          "Whatever is fetched is in the instruction cache, with a latency of 0 cycles, and no cache is asked; what "
          "jumps and decoding take remains. For what misses of instructions cost a program (`warpwright run --what-if`). "
          "Default: false."),
      row<&Sm::registerBanks>("register_banks", "banks", {1, 64, true}, "Banks of the register file. Default: 16 (GTX480)."),
      row<&Sm::registerBankPorts>("register_bank_ports", "accesses", {1, 8},
                                  "What a bank of the register file serves a cycle. Default: 1, as GPGPU-Sim "
                                  "(gpgpu_reg_file_port_throughput)."),
      row<&Sm::operandWindow>(
          "operand_window", "cycles", {0, 16},
          "Cycles that an instruction of fixed latency has for reading its operands, by the `register_bank_ports` of its sub-core's banks "
          "(`register_banks` / sm.schedulers of them); it is held, and the sub-core issues nothing, until it finds them free. 0: nothing "
          "is "
          "held. Default: 0; 3 from Turing on (Huerta and others, section 5.3)."),
      choice<&Sm::operandCache>("operand_cache",
                                "`operand_window`: each sub-core keeps, for each bank and each of three places of an operand, the register "
                                "that the compiler has marked for reuse (docs/modern-cores.md). Default: false; from Turing on it does "
                                "(Huerta and others, section 5.3.1)."),
      row<&Sm::collectors>("collectors", "units", {0, 64},
                           "Operand collectors; 0: operands are read at issue, without bank conflicts. Default: 16, the GTX480 "
                           "configuration's total."),
      row<&Sm::writeBackPorts>("write_back_ports", "results", {1, 64}, "Results a cycle. Default: 2, one a scheduler of a GTX480."),
      choice<&Sm::integerOnFp32>("integer_on_fp32",
                                 "Integer instructions use the fp32 pipes, as before Volta; sm.pipes.integer then stands for nothing. "
                                 "Default: false."),
      row<&Sm::launchLatency>("launch_latency", "core cycles", {0, 10'000'000},
                              "From a launch to its first block. Default: 0: the kernel alone is measured."),
      row<&Sm::launchPrefetchBytes>(
          "launch_prefetch_bytes", "bytes", {0, 1u << 20},
          "Of a kernel's code, from its beginning, that are in an SM's instruction cache when its first block begins there: the descriptor "
          "of a launch names code that the GPU is to fetch ahead, up to 511 pieces of 256 bytes (NVIDIA's published class headers from "
          "Volta on, PROGRAM_PREFETCH_SIZE). It costs nothing beyond launch_latency. Default: 0, as GPGPU-Sim."),
      row<&Sm::blockStarts>(
          "block_starts", "blocks / 1000 core cycles", {0, 1'000'000},
          "The rate at which the GPU starts blocks, on all SMs together; 0: as many as find room. Default: 0; no source gives one."),
      row<&Sm::barrierLatency>("barrier_latency", "cycles", {0, 10'000},
                               "From the issue of the barrier instruction that opens a barrier of a block to that of the first warp which "
                               "waited for it; 0: the cycle after, as of any instruction. Default: 0, as GPGPU-Sim."),
      row<&Sm::barrierInterval>(
          "barrier_interval", "cycles", {0, 1'000},
          "Between one warp that an open barrier lets go on and the next; 0: all go at once. Default: 0, as GPGPU-Sim."),
      row<&Sm::guardLatency>(
          "guard_latency", "cycles", {0, 15},
          "From the issue of an instruction that sets a predicate to that of one which it guards, branches and exits too; who reads it as "
          "an operand has it as any other result. 0: guards, too. Default: 0, as GPGPU-Sim; 13 by the stall counts of NVIDIA's compiler "
          "(docs/hardware.md)."),
      row<&Sm::otherPipeLatency>(
          "other_pipe_latency", "cycles", {0, 15},
          "By which a result comes later where it goes to another pipe: from sums and products of floating-point numbers and products of "
          "integers to other integer instructions, comparisons and selections, from these to those, and from both to accesses that have it "
          "as their address or store it. 0: none. Default: 0, as GPGPU-Sim; 1 by the stall counts of NVIDIA's compiler (docs/hardware.md) "
          "and, of addresses, by Huerta and others, listing 3."),
  };
  return kRows;
}

Rows<Sm> smMemoryRows() {
  static constexpr std::array kRows = {
      row<&Sm::memoryQueue>("queue", "instructions", {1, 256},
                            "Memory instructions between dispatch and their last transaction. Default: 8, as GPGPU-Sim."),
      row<&Sm::subCoreQueue>(
          "sub_core_queue", "instructions", {0, 64},
          "Memory instructions that each sub-core buffers from their issue until the part of the memory pipeline that all sub-cores share "
          "takes them, at the earliest after what table 2 of Huerta and others gives; latencies of shared memory and of the first-level "
          "caches then count from there on. 0: they go there at once. Default: 0, as GPGPU-Sim; 5 on Ampere (Huerta and others, section "
          "5.4: a queue of four and a latch)."),
      row<&Sm::warpMemoryInterval>("warp_interval", "cycles", {0, 64},
                                   "Between two memory instructions of one warp; 0: they follow each other as any others. Default: 0, as "
                                   "GPGPU-Sim; 4 by the stall counts of NVIDIA's compiler (docs/hardware.md)."),
      row<&Sm::fenceBlockLatency>("fence_block_latency", "cycles", {0, 100'000},
                                  "From the issue of a fence of the scope of a block, whose accesses are through, to the warp's next "
                                  "instruction; its stores may still be on their way to L2 then, as all threads of a block see what its "
                                  "L1 has. 0: the cycle after, with all stores through. Default: 0, as GPGPU-Sim."),
      row<&Sm::fenceLatency>("fence_latency", "cycles", {0, 100'000}, "The same of a cluster or the GPU. Default: 0."),
      row<&Sm::fenceSystemLatency>("fence_system_latency", "cycles", {0, 100'000}, "The same of the system. Default: 0."),
      row<&Sm::addressInterval>("address_interval", "cycles", {1, 64},
                                "`sub_core_queue`: between two instructions whose addresses a sub-core computes. Default: 4 (Huerta and "
                                "others, table 1)."),
      row<&Sm::sharedInterval>("shared_interval", "cycles", {1, 64},
                               "`sub_core_queue`: between two instructions that the shared part takes, from any sub-core. Default: 2 "
                               "(Huerta and others, table 1)."),
      choice<&Sm::coalescing>("coalescing",
                              "How a warp's accesses become transactions (CUDA C Programming Guide). `half_warp_segments`: compute "
                              "capability 1.2 and 1.3, segments of 32, 64 or 128 B, shrunk to what is used. `sub_warp_blocks`: each "
                              "sub-warp, as many lanes as sm.pipes.load_store is wide, on its own, a request for each block of 32 B that "
                              "its lanes touch (Gou, section 6.4.1, footnote 7). `lines`: 2.x, whole lines "
                              "through L1 and 32 B segments beside it. `sectors`: 5.x and later, 32 B sectors. Default: lines (GTX480)."),
      choice<&Sm::cacheGlobalLoads>("cache_global_loads",
                                    "Global loads go through L1; otherwise only local data and loads that ask for it. Default: true "
                                    "(GTX480)."),
      row<&Sm::sharedLatency>("shared_latency", "cycles", {1, 10'000},
                              "Of a shared-memory access without conflict, from dispatch to write-back. Default: 26 (GTX480)."),
      row<&Sm::sharedAtomicLatency>(
          "shared_atomic_latency", "cycles", {0, 1'000},
          "What an atomic on shared memory takes more than a load; `in_order` pipelines do not use it. Default: 0; no source gives one."),
      row<&Sm::remoteSharedLatency>(
          "remote_shared_latency", "cycles", {1, 10'000},
          "Of an access to the shared memory of another SM of the cluster, from dispatch to write-back, with "
          "nothing in its way. Means nothing without chip.cluster_multiprocessors. Default: 180, the H100 (Luo et "
          "al., \"Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via Microbenchmarking\", 2024)."),
      row<&Sm::remoteSharedBytes>(
          "remote_shared_bytes", "bytes", {1, 1024},
          "That an SM sends to others of its cluster in a cycle, and that it receives from them. Default: 16; chosen "
          "after Luo et al., who find about 3.3 TB/s over the 114 SMs of an H100 PCIe at 1.755 GHz."),
      row<&Sm::sharedPorts>(
          "shared_ports", "accesses", {1, 64},
          "Passes of a shared-memory instruction that the banks serve a cycle; 64: no conflict costs a cycle. Default: 1, "
          "single-ported banks."),
      row<&Sm::passLatency>("pass_latency", "cycles", {1, 1'000},
                            "What each further pass over the banks adds to the latency of an access; they begin with the next pass, be it "
                            "of this access or of another one, in the next cycle whatever this says. `in_order` pipelines have stages for "
                            "it instead: 1. Default: 1, as GPGPU-Sim."),
      choice<&Sm::unifiedBanks>(
          "unified_banks",
          "L1's data lie in the banks of shared memory, words in turn, as from Volta on: beside the look-up of its lines, a load through "
          "L1 takes passes over them for the words that its lanes ask for, in turn with accesses to shared memory, and waits pass_latency "
          "for each further pass when its last line is there. Stores and atomics take none. Default: false: L1 gives a whole line for each "
          "look-up, as GPGPU-Sim's."),
      row<&Sm::carveOuts>(
          "carve_outs", "", {},
          "Shared memory and L1 share a memory, of which shared memory has one of these sizes in KiB, ascending, as `0 16 64`: the least "
          "that holds what the blocks of the launch need which may be resident together. L1 has what is left of sm.memory.unified_bytes, "
          "in "
          "whole ways of l1d, and no more than l1d.bytes. Of launches that run together, the one that leaves it least decides. Empty: L1 "
          "has l1d.bytes. Default: empty, as GPGPU-Sim's L1 of one size."),
      row<&Sm::unifiedBytes>("unified_bytes", "bytes", {0, 16 * kMi},
                             "What L1 and shared memory have together, with sm.memory.carve_outs. Default: 0, as there are none."),
      choice<&Sm::sharedMulticast>("shared_multicast",
                                   "Lanes that read the same word of a bank are served together, for every such word; otherwise only one "
                                   "word a pass is broadcast. Default: true, compute capability 2.0 and later (CUDA C++ Programming "
                                   "Guide)."),
      choice<&Sm::sharedIdlePass>("shared_idle_pass",
                                  "An access to shared memory whose guard lets no lane of the warp execute it takes the banks a pass, as "
                                  "one of a lane does. Default: "
                                  "false: it never gets there, as in GPGPU-Sim."),
      choice<&Sm::sharedPairs>(
          "shared_pairs",
          "A load of 64 or 128 bits a lane takes half the passes when all its lanes ask for one address in pairs, lanes "
          "n and n^1 or n and n^2, as what returns to the registers is packed. Default: false, as GPGPU-Sim."),
      row<&Sm::localSpacing>("local_spacing", "bytes", {0, 1u << 20},
                             "A warp's piece of local memory begins at a multiple of it; 0: there are no pieces, word 0 of all of an SM's "
                             "warps lies side by side, then word 1. Default: 4096, a page of the host's."),
      row<&Sm::bankMap>(
          "bank_map", "", {},
          "Which bank of shared memory holds a word: a map of `warpwright banks --list` for sm.shared_banks banks "
          "(bank-maps.md), such as `sams:s=5`; or `per_array`: for each array of a kernel the SAMS map with the fewest "
          "conflicts, as far as the compiler knows its accesses (`per_array:harper`: the XOR scheme, with lines of a word); or "
          "`per_access`: the SAMS map of the stride family that the access itself names (Gou, table 4.1), none where it names none. "
          "Default: low_order, neighbouring words in neighbouring banks (CUDA C++ "
          "Programming Guide)."),
      row<&Sm::bankMapLatency>("bank_map_latency", "cycles", {0, 1'000},
                               "What the logic and the switches of the bank map add to shared_latency. SAMS in an SPE: 4 for a load (Gou, "
                               "section 4.4.2). `in_order` pipelines have stages for it instead: 0. Default: 0, as for low_order."),
      row<&Sm::storesInFlight>(
          "stores_in_flight", "lines", {0, 65'536},
          "Lines written and not yet acknowledged; a store that writes more waits, and what is behind it in the load/store unit with it. "
          "0: no limit but the queues on the way, as in GPGPU-Sim, which counts stores and bounds nothing by them. An in-order pipeline "
          "needs a limit. Default: 0; no source gives one."),
      row<&Sm::directQueue>("direct_queue", "requests", {1, 65'536},
                            "Requests that wait for the network and pass no cache: of what goes beside L1, and, in a queue of its own, of "
                            "fetches where there is no instruction cache. Default: 8, as the miss queues (GTX480)."),
      row<&Sm::bulkLatency>(
          "bulk_latency", "cycles", {0, 100'000},
          "From the issue of a bulk or tensor copy (Hopper's Tensor Memory Accelerator) until the copy engine asks L2 for its first line. "
          "Default: 0, as such a copy of few bytes takes no longer on an H100 than a load that L2 serves: 225 to 258 cycles "
          "(data/hardware/h100-3/hopper.csv)."),
      row<&Sm::bulkBytesPerCycle>("bulk_bytes_per_cycle", "bytes", {1, 4'096},
                                  "What the copy engine asks L2 for a cycle. Default: 128, a line: 105 were measured on an H100, where the "
                                  "way to L2 lets 121 through "
                                  "(data/hardware/h100-3/hopper.csv, h100-2/probe.csv)."),
      row<&Sm::bulkReadLatency>("bulk_read_latency", "cycles", {0, 100'000},
                                "From the issue of a bulk copy whose source is shared memory until the copy engine reads its first bytes. "
                                "Default: 27, with which a "
                                "store of 16 bytes has read its source after 41 cycles, as on an H100 (data/hardware/h100-3/hopper.csv)."),
      row<&Sm::bulkReadBytes>(
          "bulk_read_bytes", "bytes", {1, 4'096},
          "What the copy engine reads of shared memory a cycle, for stores and for copies to other blocks. Default: 32, measured on an "
          "H100 "
          "(data/hardware/h100-3/hopper.csv: a store is read, and complete, after 41 cycles and one for every 32 bytes)."),
      row<&Sm::bulkBytesInFlight>(
          "bulk_bytes_in_flight", "bytes", {32, 1u << 24},
          "Bytes that the copy engine has asked for, or written, and that are not there or acknowledged; at least one "
          "line. Default: chosen: 32768, which 64 bytes a cycle need at a latency of 512 cycles."),
      row<&Sm::perfectLatency>("perfect_latency", "cycles", {0, 1'000'000},
                               "Perfect memory: all that an SM asks of the memory beyond its first-level caches is there so many cycles "
                               "later, however much it asks for, and neither network nor DRAM see it; atomics alone go their way. 0: "
                               "memory is simulated. For what programs would need of it (Gou, section 6.5.1, figure 6.6). Default: 0."),
  };
  return kRows;
}

}  // namespace warpwright::config
