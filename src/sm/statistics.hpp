// What an SM counts.
#pragma once

#include <string_view>

#include "isa/pipe_work.hpp"
#include "sm/backend.hpp"
#include "sm/data_moved.hpp"
#include "stats/enum_vector.hpp"
#include "stats/histogram.hpp"
#include "stats/statistics.hpp"

namespace warpwright::sm {

// What became of an issue slot: one a scheduler, cycle and issue position. The groups of Vijaykumar and others ("A Framework for
// Accelerating Bottlenecks in GPU Execution with Assist Warps", Figure 2) are issued + subWarps + assist (active), memoryStructural +
// bankConflict, computeStructural + writeBackConflict, memoryDependence + computeDependence (data dependence), and the rest (idle).
//
// An in-order pipeline that stands still, or takes in the sub-warps of an instruction, comes before everything that warps wait for. The
// pipeline stalls of Gou ("Customizable Memory Schemes for Data Parallel Accelerators", section 5.6.1) are bankConflict, writeBackConflict,
// and as failed scheduling heldBack to fetch.
enum class Slot : u8 {
  issued,
  subWarps,           // in-order pipeline: further sub-warps of an instruction that issued before
  assist,             // an instruction of a helper of a warp issued (helpers.hpp)
  memoryStructural,   // a warp was ready, but the load/store unit took nothing; the in-order pipeline stood still for it
  bankConflict,       // the in-order pipeline stood still for bank conflicts of shared memory
  computeStructural,  // a warp was ready, but no operand collector or pipe was free
  writeBackConflict,  // the in-order pipeline stood still because several results were due in its write-back stage
  heldBack,           // warps were ready, but the scheduler held them back from memory that is busy
  memoryDependence,   // operands wait for a memory operation, or the warp for its helper's
  computeDependence,  // operands wait for a pipe, or the warp for its helper
  barrier,            // all that is left waits at barriers or for lanes of its own warp
  fence,              // … for its own memory operations to be performed
  fetch,              // … for instructions, or a branch
  noWarp,             // no warp is resident
};
inline constexpr std::size_t kSlots = 14;
std::string_view name(Slot slot);

using SlotCounts = stats::EnumVector<Slot, kSlots>;
using LatencyHistogram = stats::Histogram<stats::PowersOfTwo, 16>;

using PipeOperations = stats::EnumVector<isa::PipeOperation, isa::kPipeOperations>;

struct LoadStoreStats {
  u64 instructions = 0, transactions = 0, sharedAccesses = 0, sharedPasses = 0, blocked = 0, coalescedAccesses = 0, coalescedLanes = 0,
      cacheWords = 0, sharedWords = 0, bankReads = 0, bankWrites = 0, cachePasses = 0;
  u64 sharedLoads = 0, sharedLoadCycles = 0;
  u64 remoteAccesses = 0, remoteBytes = 0;
  LatencyHistogram loadLatency;

  void add(const DataMoved& moved) {
    coalescedAccesses += moved.accesses;
    coalescedLanes += moved.lanes;
    cacheWords += moved.cacheWords;
    sharedWords += moved.sharedWords;
    bankReads += moved.bankReads;
    bankWrites += moved.bankWrites;
  }

  static constexpr void fields(auto&& field) {
    using L = LoadStoreStats;
    field("instructions", "warp instructions", "that entered the load/store unit", &L::instructions);
    field("transactions", "transactions", "sent to a cache or to the network", &L::transactions);
    field("shared_accesses", "warp instructions", "accesses to shared memory", &L::sharedAccesses);
    field("shared_passes", "passes", "cycles of the shared-memory banks that they took: accesses plus bank conflicts", &L::sharedPasses);
    field("cache_passes", "passes", "cycles of the same banks that loads through L1 took (sm.memory.unified_banks)", &L::cachePasses);
    field("remote_accesses", "warp instructions", "of these, to shared memory of other SMs of the cluster", &L::remoteAccesses);
    field("remote_bytes", "bytes", "of their data", &L::remoteBytes);
    field("coalesced_accesses", "accesses", "to global and private memory, one a lane, that were taken apart into lines",
          &L::coalescedAccesses);
    field("coalesced_lanes", "lanes", "of these, that took part", &L::coalescedLanes);
    field("cache_words", "words", "of 32 bits that lanes sent to the first-level caches and the memory behind them, or got from there",
          &L::cacheWords);
    field("shared_words", "words", "of 32 bits that lanes sent to shared memory, or got from there", &L::sharedWords);
    field("bank_reads", "words", "that the banks of shared memory read; lanes that share a word count once", &L::bankReads);
    field("bank_writes", "words", "that they wrote; of atomics, once for each lane", &L::bankWrites);
    field("blocked", "cycles",
          "cycles in which the transaction at hand was not accepted by a cache or the network, or was a store's beyond "
          "sm.memory.stores_in_flight",
          &L::blocked);
    field("shared_loads", "warp instructions", "loads and atomics of shared memory that were written back", &L::sharedLoads);
    field("shared_load_cycles", "cycles", "from their issue to their write-back, summed; a part of `load_latency`", &L::sharedLoadCycles);
    field("load_latency", "cycles", "from issue of a load or atomic to its write-back", &L::loadLatency);
  }
};

struct SmStats {
  u64 cycles = 0, warpInstructions = 0, threadInstructions = 0, residentWarpCycles = 0, activeCycles = 0, drainCycles = 0,
      endedBlockCycles = 0, memoryQueueCycles = 0, blocks = 0, instructionFetches = 0, l0Misses = 0, prefetchedLines = 0,
      usedPrefetches = 0, serialInstructions = 0, replays = 0, bytesToNetwork = 0, bytesFromNetwork = 0, assistInstructions = 0,
      assistReplays = 0;
  PipeOperations operations;
  SlotCounts slots;
  BackendStats backend;
  LoadStoreStats loadStore;

  // An instruction was issued that so many lanes execute.
  void add(const isa::PipeWork& work, u32 lanes) { operations[work.operation] += work.of(1, lanes); }

  static constexpr void fields(auto&& field) {
    using S = SmStats;
    field("cycles", "cycles", "core cycles of the launch, summed over the SMs", &S::cycles);
    field("warp_instructions", "warp instructions", "issued", &S::warpInstructions);
    field("thread_instructions", "thread instructions", "issued, lanes whose guard held", &S::threadInstructions);
    field("resident_warp_cycles", "warp cycles", "warps resident, summed over the cycles", &S::residentWarpCycles);
    field("active_cycles", "cycles", "with a warp resident, summed over the SMs", &S::activeCycles);
    field("drain_cycles", "cycles",
          "without a warp resident, but with a block that keeps its place until its memory operations are performed; summed over the SMs",
          &S::drainCycles);
    field("ended_block_cycles", "block cycles",
          "blocks whose warps have ended, and that keep their place until their memory operations are performed, summed over the cycles",
          &S::endedBlockCycles);
    field("memory_queue_cycles", "instruction cycles", "memory instructions in the queue of the load/store unit, summed over the cycles",
          &S::memoryQueueCycles);
    field("blocks", "blocks", "finished", &S::blocks);
    field("instruction_fetches", "fetches", "of the instruction buffers from the instruction cache", &S::instructionFetches);
    field("l0_misses", "fetches", "that the instruction cache of the sub-core did not have (sm.pipeline.l0_bytes)", &S::l0Misses);
    field("prefetched_lines", "lines", "of code, asked for ahead of the instruction cache (sm.pipeline.prefetch_lines)",
          &S::prefetchedLines);
    field("used_prefetches", "lines", "of these, answered a miss of the instruction cache", &S::usedPrefetches);
    field("serial_instructions", "warp instructions", "system calls and surface writes, issued outside the issue slots",
          &S::serialInstructions);
    field("replays", "issues", "that had to wait for other lanes of the warp, or for an atomic of the SM, and were tried again",
          &S::replays);
    field("assist_instructions", "warp instructions", "of helpers of warps, issued; in no other count of instructions issued",
          &S::assistInstructions);
    field("assist_replays", "issues", "of helpers, that had to wait as in `replays`", &S::assistReplays);
    field("bytes_to_network", "bytes", "requests as packets", &S::bytesToNetwork);
    field("bytes_from_network", "bytes", "responses as packets", &S::bytesFromNetwork);
    field(
        "operations", "operations",
        "of lanes that executed, by the circuit they need (docs/energy.md), helpers' included: of 32 bits, or of an element; branches and "
        "`none` (barriers, fences) of warps",
        &S::operations);
    field("slots", "issue slots", "what became of each issue slot", &S::slots);
    field("backend", "", "operand collection, dispatch and write-back", &S::backend);
    field("load_store", "", "the load/store unit", &S::loadStore);
  }
};

}  // namespace warpwright::sm
