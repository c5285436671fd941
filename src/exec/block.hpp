// A resident block: its warps, shared memory and barriers. Blocks take over the state of finished ones, so that nothing is allocated while
// a grid runs.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "exec/async_copy.hpp"
#include "exec/lane_function.hpp"
#include "exec/path_tree.hpp"
#include "exec/race_detector.hpp"
#include "exec/reservation.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

inline constexpr u32 kClusterBarrier = 16;  // barrier.cluster, of clusters that are one block
inline constexpr u32 kBarriers = 17;        // per block: the 16 of bar (PTX ISA, "bar") and that of the cluster

struct Warp {
  u32 index = 0;  // in the block
  LaneMask existing = 0;
  LaneState state;
  std::array<LaneMask, isa::kPredicates + 1> predicates{};
  PathTree tree;
  u64 local = 0;  // host address of its local memory
  AsyncCopies copies;
  u32 deferred = 0;         // stepping: atomics that are still to be performed
  u32 turn = 0, polls = 0;  // stepping: instructions of the current path's turn, polls since lanes were let go

  bool canRun() const;  // has a path that is ready and does not poll
};

struct Barrier {
  u32 arrived = 0;   // threads
  u32 expected = 0;  // threads; 0: all that have not exited
  bool any = false, all = true;
  u32 count = 0;  // of true predicates
  bool inUse() const { return arrived != 0; }
};

struct BlockShape {
  u32 threads = 0;
  u32 warpSize = 32;
  u32 lanes = 32;      // of the register layout
  u32 registers = 0;   // per thread
  u32 predicates = 0;  // of those that exist, as many are in use
  u64 sharedBytes = 0;
  u64 localBytes = 0;  // per thread
  u32 warps() const { return (threads + warpSize - 1) / warpSize; }
};

class Block {
 public:
  // pool, threadIds: see LaneOperand::Bank; the latter has kIndexPlanes planes for each warp.
  Block(const BlockShape& shape, u32 slot, const u32* pool, const u32* threadIds);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void start(u64 index, Dim3 grid, u32 entry);

  u64 index = 0;  // linear
  Dim3 position;  // %ctaid
  u32 slot = 0;   // which of the resident places
  u32 liveThreads = 0;
  std::vector<Warp> warps;
  std::array<Barrier, kBarriers> barriers;
  std::vector<PendingArrival> arrivals;
  std::vector<u64> shared;  // 8-byte words, for alignment
  u64 sharedBytes = 0;
  u64 localBytes = 0;

  std::unique_ptr<RaceDetector> races;  // on request

  u64 sharedBase() const { return reinterpret_cast<u64>(shared.data()); }

 private:
  BlockShape shape_;
  std::vector<u32> registers_;
  std::vector<PlaneLine> position_;  // planes of %ctaid
  Reservation local_;
};

}  // namespace warpwright::exec
