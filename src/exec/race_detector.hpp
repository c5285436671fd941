// Finds accesses to shared and global memory that nothing orders (on request): of lanes of a warp, of warps, of blocks.
//
// What orders accesses is what PTX's memory model lets order them: barriers; __syncwarp among its lanes, or the lockstep of machines before
// Volta; and a fence before a strong write (atomic, volatile, ordered) that a strong read finds, if both reach as far as the two threads
// lie apart. A strong read acquires without a fence of its own, as programs leave that one out. Two strong accesses never race, nor two
// stores of the same value. Each warp has a clock (RaceClock) of what it knows of the others, barriers and the addresses of strong writes
// have clocks through which it passes. What cannot be remembered is taken to be ordered: races may be missed, ordered accesses are never
// reported.
#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/types.hpp"
#include "exec/race_clock.hpp"
#include "exec/race_shadow.hpp"
#include "exec/transfer.hpp"

namespace warpwright::exec {

struct RaceAccess {
  u64 block = 0;
  Pc pc;
  u32 thread = 0;  // linear in the block
  bool writes = false, strong = false;
};

// One race for each pair of instructions, the first that was seen.
struct Race {
  std::variant<GlobalAddress, SharedOffset> address;
  u64 home = 0;  // of an offset in shared memory: the block whose it is
  RaceAccess first, second;
};

// What those that have arrived at a barrier make known to those that pass it.
struct BarrierClocks {
  RaceClock known, published, broadcast;
};

// The barrier of a cluster. Threads may arrive for its next phase before others have passed this one.
struct ClusterRaces {
  BarrierClocks arriving, opened;
};

// The part that the blocks of a grid have in common.
class RaceDetector {
 public:
  RaceDetector();

  // Memory that is given to someone else: nothing that happened to it before matters.
  void forget(GlobalAddress address, u64 bytes) { global_.forget(address, bytes); }

  const std::map<std::pair<Pc, Pc>, Race>& races() const { return races_; }
  bool hasForgotten() const { return global_.hasForgotten(); }

 private:
  friend class BlockRaces;

  u64 nextMoment() { return ++moment_; }
  void add(const Race& race) { races_.try_emplace({race.first.pc, race.second.pc}, race); }
  RaceClock& released(GlobalAddress address);
  void acquire(GlobalAddress address, RaceClock& into) const;

  u64 moment_ = 0;
  u64 forgottenAt_ = 0;  // the moment up to which releases were forgotten
  RaceShadow global_;
  std::unordered_map<GlobalAddress, RaceClock> releases_;  // of other blocks' concern
  std::map<std::pair<Pc, Pc>, Race> races_;                // by pc
};

// A resident block's part.
class BlockRaces {
 public:
  struct Shape {
    u32 warps = 0, warpSize = 0, barriers = 0;
    bool lockstep = false;  // the lanes of a warp go through instructions together
  };
  BlockRaces(RaceDetector& grid, const Shape& shape);
  // inCluster: others may touch its shared memory.
  void startBlock(u64 block, bool inCluster = false);

  struct Access {
    Pc pc;
    bool inShared = false, writes = false, strong = false;
    bool releases = false;        // what its thread did before is published with it
    bool blockOnly = false;       // strong to the threads of the block alone
    bool acquires = false;        // at once; else by acquire(), when its result is there
    u32 bytes = 0;                // of each lane
    const u32* values = nullptr;  // of a plain store: registers, [element][lane] or [word][lane]
    u32 elementBytes = 4, lanes = 0;
    BlockRaces* home = nullptr;  // inShared: of the block whose memory it is; null: of this one
  };
  void access(u32 warp, const Access& access, const LaneAddresses& addresses, LaneMask mask);
  // A strong read at an address in global memory has got its value.
  void acquire(u32 warp, GlobalAddress address);

  void fence(u32 warp, bool blockOnly);
  void synchroniseLanes(u32 warp, LaneMask lanes);

  // A warp arrives at a barrier, passes it when it opens; then the barrier is used anew.
  void arrive(u32 warp, u32 barrier);
  void pass(u32 warp, u32 barrier);
  void reset(u32 barrier);
  // The same at the barrier of its cluster; relaxed: what it did is known where a fence has made it so.
  void arriveAtCluster(u32 warp, ClusterRaces& cluster, bool relaxed);
  void passCluster(u32 warp, const ClusterRaces& cluster);
  ClusterRaces& alone() { return alone_; }  // of a block that is its own cluster

  // What a warp did before it released an mbarrier object (by its offset in shared memory of the block that is its home) is ordered before
  // what a warp that acquires it does next.
  void releaseObject(u32 warp, BlockRaces& home, SharedOffset object);
  void acquireObject(u32 warp, SharedOffset object);

  RaceDetector& grid() { return grid_; }

 private:
  struct WarpState {
    u64 moment = 0;          // of its accesses
    RaceClock known;         // what is ordered before its next access
    RaceClock published;     // of that, what its strong writes make known to its block
    RaceClock broadcast;     // … and to all blocks
    std::vector<u64> lanes;  // [lane][other]: up to when the lane knows the other, where only some lanes synchronised
  };
  void advance(WarpState& warp);
  RaceClock knowledge(u32 warp) const;
  void pass(WarpState& state, const BarrierClocks& barrier);
  BlockRaces& homeOf(const Access& access) { return access.home ? *access.home : *this; }
  // Of a byte or word of either memory, its number is the address in global memory, the offset in shared memory; home: the block that has
  // it.
  void touch(u64 number, const RaceTouch& now, BlockRaces* home);
  void check(const RaceTouch& before, const RaceTouch& now, u64 word, const BlockRaces* home);
  bool isOrdered(const RaceTouch& before, LaneId lane, const RaceTouch& now) const;
  bool knows(const RaceTouch& before, const RaceTouch& now) const;
  void publish(u32 warp, const Access& access, u64 byte);
  void acquire(WarpState& state, const Access& access, u64 byte);

  RaceDetector& grid_;
  Shape shape_;
  u64 block_ = 0;
  bool inCluster_ = false;
  u32 blockKey() const { return static_cast<u32>(block_); }
  RaceShadow shared_;
  std::vector<WarpState> warps_;
  std::vector<BarrierClocks> barriers_;
  ClusterRaces alone_;
  std::unordered_map<u64, RaceClock> releases_;  // by number of the byte: offsets lie below all addresses
};

}  // namespace warpwright::exec
