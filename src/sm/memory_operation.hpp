// A memory instruction on its way through the SM.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "isa/address_space.hpp"
#include "mem/request.hpp"
#include "mem/word_access.hpp"
#include "sm/access/lane_access.hpp"
#include "sm/context.hpp"
#include "sm/data_moved.hpp"
#include "sm/instruction_info.hpp"

namespace warpwright::sm {

struct LaunchPlan;

// Where a transaction goes first.
enum class Route : u8 { l1Data, l1Constant, texture, network };

struct RoutedRequest {
  static constexpr u32 kNoWords = ~u32{0};
  mem::Request request;
  Route route = Route::network;
  u32 words = kNoWords;  // index into MemoryOperation::words
};

// The passes over the banks of shared memory of some neighbouring lanes.
struct BankPhase {
  u32 firstLane = 0, passes = 0;
};

class AccessStage;

struct MemoryOperation {
  u32 entry = 0;                          // of the load/store unit
  u32 inPipeline = 0;                     // the number of its instruction in an in-order pipeline
  Context context;                        // of its instruction
  mem::Origin origin;                     // the instruction
  u32 number = 0;                         // IssuedInstruction::number
  const InstructionInfo* info = nullptr;  // null: no instruction asked for it, but `stage`
  AccessStage* stage = nullptr;
  const LaunchPlan* plan = nullptr;  // of its launch
  Cycle issued{}, enters{};          // enters: when it is in the load/store unit
  std::vector<KeptAccess> accesses;  // the first `kept` of them are this operation's, of which `expanded` have passed the lane stages
  u32 kept = 0, expanded = 0;
  u32 sharedPasses = 0;   // of the shared-memory banks
  u32 sharedDelay = 0;    // cycles beyond the banks' latency, of what stands beside them
  Cycle sharedDone{};     // when the last of them is through
  u32 cachePasses = 0;    // of the same banks, where they hold the data cache's lines
  u32 cacheDelay = 0;     // cycles that these add when the lines are there
  bool hasBanks = false;  // for these: the unit has begun with them
  Cycle ready{};          // when the data are there of what a lane stage serves in a known time
  DataMoved moved;
  std::vector<BankPhase> bankPhases;
  std::vector<RoutedRequest> requests;
  std::vector<mem::WordAccess> words;                      // of requests to global and private memory; empty without line stages
  u32 awaited = 0;                                         // answers that lane stages owe it
  u32 sent = 0, outstanding = 0;                           // requests; answers, those of lane stages included
  std::optional<u32> atomic;                               // of the source of instructions
  u32 atomicsLeft = 0;                                     // requests whose part of the atomic is not performed yet
  bool isRemote = false;                                   // to shared memory of other SMs of the cluster: its answer comes from there
  std::array<u16, isa::kMostClusterBlocks> remoteBytes{};  // to the block with a rank
  bool isStore = false;                                    // nothing waits for its completion but fences
  bool isLocal = false, isGlobal = false, isTexture = false;
  bool isPrefetch = false;  // its requests are not answered: it is through once they are sent
  bool isQueued = false;    // in the load/store unit's queue

  // Its requests are acknowledged.
  bool isWrite() const { return isStore && !isPrefetch; }

  bool isExpanded() const { return expanded == kept; }
  void keep(const LaneAccess& access, std::span<const u64> addresses) {
    if (kept == accesses.size()) accesses.emplace_back();
    accesses[kept++].keep(access, addresses);
  }

  // Its requests are known: each performs a part of the atomic.
  void noteAtomic() { atomicsLeft = atomic ? static_cast<u32>(requests.size()) : 0; }

  void reset() {
    info = nullptr;
    stage = nullptr;
    plan = nullptr;
    kept = expanded = awaited = 0;
    ready = {};
    requests.clear();
    words.clear();
    bankPhases.clear();
    moved = {};
    sharedPasses = sharedDelay = cachePasses = cacheDelay = sent = outstanding = 0;
    sharedDone = {};
    hasBanks = false;
    atomic.reset();
    atomicsLeft = 0;
    isRemote = false;
    isStore = isLocal = isGlobal = isTexture = isPrefetch = isQueued = false;
  }
};

// Passes over the banks of shared memory, by sub-warp of so many lanes.
inline std::array<u16, kMaxWarpSize> passesBySubWarp(const MemoryOperation& operation, u32 lanes) {
  std::array<u16, kMaxWarpSize> passes{};
  for (const BankPhase& phase : operation.bankPhases) passes[phase.firstLane / lanes] += static_cast<u16>(phase.passes);
  return passes;
}

// Cycles in the first memory stage of a sub-warp with so many passes over banks of so many ports (Gou, "Customizable Memory Schemes for
// Data Parallel Accelerators", section 5.3.1).
inline u32 cyclesOfPasses(u32 passes, u32 ports) { return std::max(1u, (passes + ports - 1) / ports); }

}  // namespace warpwright::sm
