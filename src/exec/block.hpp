// A resident block: its warps, shared memory and barriers. Blocks take over the state of finished ones, so that nothing is allocated while
// a grid runs.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "exec/async_copy.hpp"
#include "exec/bulk_copy.hpp"
#include "exec/initialisation_map.hpp"
#include "exec/lane_function.hpp"
#include "exec/operand_reads.hpp"
#include "exec/path_tree.hpp"
#include "exec/race_detector.hpp"
#include "exec/reservation.hpp"
#include "isa/instruction.hpp"

namespace warpwright::exec {

inline constexpr u32 kGroupBarriers = 16;  // from here on, those at which warp groups wait for their products
inline constexpr u32 kMostGroups = 8;      // of 1024 threads
inline constexpr u32 kBarriers = 24;       // per block: the 16 of bar (PTX ISA, "bar"), those of warp groups
static_assert(kBarriers == kGroupBarriers + kMostGroups);
inline constexpr u32 kClusterBarrier = kBarriers;  // where paths wait for the barrier of their cluster: see cluster.hpp

struct Cluster;

struct Warp {
  u32 index = 0;  // in the block
  LaneMask existing;
  LaneState state;
  std::array<LaneMask, isa::kPredicates + 1> predicates{};
  PathTree tree;
  u64 local = 0;  // host address of its local memory
  AsyncCopies copies;
  OperandReads operands;
  std::vector<u64> polled;      // by Op::poll: hash of what it last read
  u32 polls = 0;                // in a row that read what they had read before
  u32 yields = 0;               // stepping: times that a path has let others run, without news
  u64 issues = 0, results = 0;  // where faults are injected: instructions that issued, and those that wrote
  u32 turn = 0;                 // stepping: instructions of the current path's turn
  u32 deferred = 0;             // stepping: atomics that are still to be performed
  bool isHeld = false;          // stepping: it runs no more until a helper of the SM has ended

  bool isHelper = false;       // a routine beside a warp of the block, whose identity it has: see helpers.cpp
  bool isSpeculative = false;  // … whose mistakes have no effect

  bool mayStore = false;  // to global memory, in this turn: see runWarp()

  LaneMask atCluster;      // have arrived at the barrier of the cluster in its current phase
  LaneMask awaitsCluster;  // … in this phase or the one before, and have not waited since

  void hearNews() { polls = yields = 0; }
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
  u32 polls = 0;       // instructions that poll
  u64 sharedBytes = 0;
  u32 helperBytes = 0, helperTableBytes = 0;  // per warp, per block
  u64 localBytes = 0;                         // per thread
  u32 warps() const { return (threads + warpSize - 1) / warpSize; }
};

// What was ever written of a block's own memory.
struct WrittenMemory {
  explicit WrittenMemory(const BlockShape& shape);
  void forgetAll();
  // Byte `offset` of a lane's local memory: lane after lane, not interleaved.
  u64 byteOf(LaneId lane, u64 offset) const { return lane * localBytes + offset; }

  u64 sharedBytes, localBytes;
  u32 lanes;
  InitialisationMap shared;
  std::vector<InitialisationMap> local;  // by warp
};

class Block {
 public:
  // pool, threadIds: see LaneOperand::Bank; the latter has kIndexPlanes planes for each warp.
  Block(const BlockShape& shape, u32 slot, const u32* pool, const u32* threadIds);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void start(u64 index, Dim3 grid, Pc entry);
  // Once it has ended: registers and shared memory are as a block finds them. start() does it where nobody has. It is most of what a start
  // takes, which must wait for other SMs, and this need not.
  void clear();

  u64 index = 0;  // linear
  Dim3 position;  // %ctaid
  u32 slot = 0;   // its number among those of all SMs
  u32 liveThreads = 0;
  Cluster* cluster = nullptr;  // null: the block is its own
  u32 rank = 0;                // in its cluster
  u32 arrivedAtCluster = 0;    // threads at its barrier, in the current phase
  u64 lastArrival = 0;         // there: Issue::now of the last of them
  std::vector<Warp> warps;
  std::array<Barrier, kBarriers> barriers;
  std::vector<PendingArrival> arrivals;
  std::vector<BulkArrival> bulkArrivals;
  std::vector<u64> shared;  // 8-byte words, for alignment
  u64 sharedBytes = 0;
  u64 localBytes = 0;

  std::unique_ptr<BlockRaces> races;       // on request
  InitialisationMap unfenced;              // with races: shared memory that threads have written since the last fence.proxy.async
  std::unique_ptr<WrittenMemory> written;  // on request

  // Host address of the byte at offset 0 of shared memory.
  u64 sharedBase() const { return reinterpret_cast<u64>(shared.data()); }
  // Of what helpers have behind it, the offsets in shared memory: all of the block the table, those of a warp what follows. Helpers alone
  // reach it.
  u64 helperTableOffset() const { return (sharedBytes + 127) / 128 * 128; }
  u64 helperOffset(u32 warp) const { return helperTableOffset() + shape_.helperTableBytes + u64{warp} * shape_.helperBytes; }
  u32 helperBytes() const { return shape_.helperBytes; }
  u32 helperTableBytes() const { return shape_.helperTableBytes; }
  // Whether these bytes are memory that helpers of the warp have behind the block's own.
  bool isOfHelpers(u32 warp, u64 address, u32 bytes) const {
    return isWithin(address, bytes, helperTableOffset(), shape_.helperTableBytes) ||
           isWithin(address, bytes, helperOffset(warp), shape_.helperBytes);
  }
  // Bytes of shared memory that the warp reaches; of what lies behind the block's own, a helper some (isOfHelpers).
  u64 sharedReach(const Warp& warp) const { return warp.isHelper ? helperOffset(warp.index) + shape_.helperBytes : sharedBytes; }

 private:
  static bool isWithin(u64 address, u32 bytes, u64 begin, u64 size) {
    return address >= begin && address - begin <= size && bytes <= size - (address - begin);
  }

  BlockShape shape_;
  bool isClear_ = true;
  std::vector<u32> registers_;
  std::vector<PlaneLine> position_;  // planes of %ctaid
  Reservation local_;
};

}  // namespace warpwright::exec
