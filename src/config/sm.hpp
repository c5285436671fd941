// The timed parts of an SM.
#pragma once

#include <string>

#include "config/policy.hpp"

namespace warpwright::config {

enum class Coalescing : u8 {
  halfWarpSegments,  // GT200: half-warps, segments of 32, 64 or 128 B that shrink to what is used
  subWarpBlocks,     // as many lanes together as the memory pipe is wide, blocks of 32 B
  lines,             // Fermi: whole lines through L1, 32 B segments beside it
  sectors,           // from Maxwell on: 32 B sectors of lines
};
enum class Pipeline : u8 { scoreboard, inOrder };
// What keeps an instruction from issuing before what it depends on has gone far enough.
enum class Dependences : u8 { scoreboard, controlBits };

// Which warp's buffer is filled next.
enum class FetchOrder : u8 { roundRobin, greedyThenYoungest };

// A kind of execution unit. Latencies by class stand in Latencies.
struct Pipes {
  u32 count = 1;   // of the SM
  u32 width = 32;  // lanes: a warp takes warp size / width ticks to enter

  bool operator==(const Pipes&) const = default;
};

// Cycles from the issue of an instruction to that of one that needs its result, as chains of dependent instructions measure them, and
// between two instructions of a class in one pipe (above what the width gives).
struct LatencyOf {
  u32 latency = 9;
  u32 interval = 1;
  u32 issues = 1;  // cycles of its scheduler

  bool operator==(const LatencyOf&) const = default;
};

// Of a part of a class, which may be as the rest of it.
constexpr const LatencyOf& finerOr(const LatencyOf& finer, const LatencyOf& coarse) { return finer.latency == 0 ? coarse : finer; }

struct Sm {
  Pipeline pipeline = Pipeline::scoreboard;
  Dependences dependences = Dependences::scoreboard;
  u32 stages = 24;                          // inOrder: of the pipeline, from fetch to write-back
  u32 memoryStages = 4;                     // inOrder: the last stages before write-back
  bool splitMemoryStages = false;           // inOrder: instructions without memory accesses pass beside them, in as many stages
  Policy scheduler = "greedy_then_oldest";  // of warpSchedulers
  u32 issueWidth = 1;                       // instructions a scheduler issues a cycle, from one warp
  u32 twoLevelActive = 8;                   // twoLevel: warps of a scheduler's active set
  u32 instructionBytes = 8;                 // of code, as the instruction cache holds it
  u32 fetchWidth = 2;                       // instructions that one fetch brings
  u32 fetchesPerCycle = 1;                  // each for another warp
  u32 instructionBuffer = 2;                // decoded instructions of a warp
  u32 decodeLatency = 1;
  FetchOrder fetchOrder = FetchOrder::roundRobin;
  u32 l0Bytes = 0;            // of each sub-core's instruction cache; 0: none
  u32 l0PrefetchLines = 0;    // of its stream buffer; 0: none
  u32 l0LineInterval = 1;     // cycles from one line that it asks for to the next
  u32 prefetchLines = 0;      // of the instruction stream (sm/instruction_stream.hpp); 0: none
  bool perfectFetch = false;  // what is fetched is there, without an instruction cache
  u32 registerBanks = 16;
  u32 registerBankPorts = 1;  // accesses that a bank serves a cycle
  u32 operandWindow = 0;  // cycles in which an instruction of fixed latency reads its operands; 0: ports of register banks limit nothing
  bool operandCache = false;   // operands that the compiler marks are kept beside the register banks
  u32 collectors = 16;         // operand collector units; 0: operands are read at issue, without bank conflicts
  u32 writeBackPorts = 2;      // results a cycle
  bool integerOnFp32 = false;  // integer instructions use the fp32 pipes (before Volta)
  Pipes integer{2, 32}, fp32{2, 32}, fp64{1, 32}, sfu{1, 8}, loadStore{1, 32}, tensor{0, 32};
  LatencyOf simple{9, 1}, multiply{11, 2}, divide{151, 8}, fma32{9, 1}, divide32{45, 4}, fma64{14, 8}, divide64{336, 130}, special{14, 8},
      convert{9, 1}, shuffle{38, 4}, branch{2, 1}, matrix{69, 64}, groupMatrix{69, 64};
  // Parts of these classes; {0, 0}: as the class that they come from (isa::Latency).
  LatencyOf add64{0, 0}, shift{0, 0}, count{0, 0}, add32{0, 0}, fma16{0, 0}, convertInteger{0, 0}, vote{0, 0}, reduce{0, 0},
      matrixInteger{0, 0}, matrix64{0, 0};
  u32 memoryQueue = 8;      // memory instructions between dispatch and the last transaction
  u32 subCoreQueue = 0;     // memory instructions that each sub-core buffers before the shared part; 0: there is no such part
  u32 addressInterval = 4;  // cycles between two memory instructions of a sub-core
  u32 sharedInterval = 2;   // cycles between two that the shared part takes
  Coalescing coalescing = Coalescing::lines;
  bool cacheGlobalLoads = true;   // in L1; otherwise only local data and what asks for it
  u32 sharedLatency = 26;         // of a conflict-free access, dispatch to write-back
  u32 sharedAtomicLatency = 0;    // what an atomic takes more
  u32 remoteSharedLatency = 180;  // of an access to the shared memory of another SM of the cluster
  u32 remoteSharedBytes = 16;     // a cycle, to other SMs and from them
  u32 sharedPorts = 1;            // accesses (conflict passes) a cycle
  // Cycles from the issue of a fence of the scope of a block, of a cluster or the GPU, or of the system to the warp's next instruction; 0:
  // the cycle after, as of any instruction.
  u32 fenceBlockLatency = 0, fenceLatency = 0, fenceSystemLatency = 0;
  u32 passLatency = 1;        // cycles that a further pass adds to an access' latency
  bool unifiedBanks = false;  // L1's data lie in the banks of shared memory
  std::string carveOuts;      // KiB that shared memory may have of what it shares with L1; none: L1 has a memory of its own
  u64 unifiedBytes = 0;       // that L1 and shared memory have together, where they do
  bool sharedMulticast =
      true;  // lanes that read the same word of a bank are served together, for every such word; otherwise one word broadcasts
  bool sharedIdlePass = false;  // an access to shared memory that no lane executes takes the banks as long as one lane's does
  bool sharedPairs = false;     // pairs of lanes of a wide load that ask for one address count as one lane (access/bank_conflicts.hpp)
  u32 localSpacing = 4096;      // bytes: a warp's piece of local memory begins at a multiple of it; 0: words of all warps are interleaved
  std::string bankMap = "low_order";  // which bank of shared memory holds a word (config/bank_map.hpp)
  u32 bankMapLatency = 0;             // cycles that the map's logic and switches add to sharedLatency
  u32 storesInFlight = 0;             // lines written and not yet acknowledged; a store waits beyond that. 0: no limit
  u32 directQueue = 8;                // requests that wait for the network beside the caches
  u32 bulkLatency = 0;                // cycles from a bulk copy's issue to its first request of global memory
  u32 bulkBytesPerCycle = 128;        // that the copy engine asks for
  u32 bulkReadLatency = 27;           // cycles from the issue of one that reads shared memory to its first bytes
  u32 bulkReadBytes = 32;             // that it reads there a cycle
  u32 bulkBytesInFlight = 32'768;     // asked for and not there yet
  u32 perfectLatency = 0;             // of memory beyond the first-level caches that has no limits; 0: memory is simulated
  u32 launchLatency = 0;              // core cycles from a launch to its first block
  u32 launchPrefetchBytes = 0;        // of its code that are in an SM's instruction cache when its first block begins there
  u32 blockStarts = 0;                // of the GPU, in a thousand core cycles; 0: no limit
  u32 barrierLatency = 0;             // cycles from the last arrival at a barrier to the first warp that goes on
  u32 barrierInterval = 0;            // cycles between two warps that a barrier lets go
  u32 guardLatency = 0;               // cycles from the issue of what sets a predicate to that of what it guards; 0: as of who reads it
  u32 otherPipeLatency = 0;           // cycles that results come later to other pipes (isa/result_pipe.hpp)
  u32 warpMemoryInterval = 0;         // cycles between two memory instructions of a warp; 0: they follow each other as any others

  bool operator==(const Sm&) const = default;
};

// From an instruction's issue until it enters a pipe of a scoreboarded pipeline: operands are read in between where there are collectors.
constexpr u32 cyclesToPipe(const Sm& sm) { return sm.collectors == 0 ? 1 : 2; }

}  // namespace warpwright::config
