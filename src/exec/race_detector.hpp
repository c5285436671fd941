// Finds accesses to shared memory of different warps that no barrier orders (on request). Every warp has a vector clock;
// barriers join the clocks of those who pass. Within a warp only the lanes of one store can race.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "exec/transfer.hpp"

namespace warpwright::exec {

struct RaceAccess {
  u32 pc = 0;
  u32 thread = 0;  // linear in the block
  bool writes = false, atomic = false;
};

// One race for each pair of instructions, the first that was seen.
struct Race {
  u64 block = 0;
  u64 offset = 0;  // in the block's shared memory
  RaceAccess first, second;
};
class RaceLog {
 public:
  void add(const Race& race) { races_.try_emplace({race.first.pc, race.second.pc}, race); }
  bool empty() const { return races_.empty(); }
  const std::map<std::pair<u32, u32>, Race>& races() const { return races_; }

 private:
  std::map<std::pair<u32, u32>, Race> races_;
};

class RaceDetector {
 public:
  RaceDetector(u64 sharedBytes, u32 warps, u32 warpSize, u32 barriers, RaceLog& log);
  void startBlock(u64 block);

  void access(u32 warp, u32 pc, bool reads, bool writes, bool atomic, const LaneAddresses& addresses, LaneMask mask, u32 bytes);

  // A warp arrives at a barrier, passes it when it opens; then the barrier is used anew.
  void arrive(u32 warp, u32 barrier);
  void pass(u32 warp, u32 barrier);
  void reset(u32 barrier);

  // What a warp did before it released an object (an address in shared memory) is ordered before what a warp that acquires it does next.
  void release(u32 warp, u64 object);
  void acquire(u32 warp, u64 object);

 private:
  struct Touch {
    RaceAccess access;
    u32 warp = 0;
    u32 clock = 0;        // of the warp; 0: none
    u32 instruction = 0;  // serial number of the warp instruction
  };
  // Readers of two different warps are remembered: one of them always differs from the next writer's warp.
  struct Shadow {
    Touch write, read, otherRead;
  };
  using Clock = std::vector<u32>;  // by warp

  void touch(Shadow& shadow, u64 offset, const Touch& touch, bool reads);
  void check(const Touch& before, const Touch& now, u64 offset);

  u32 warpSize_;
  u64 block_ = 0;
  u32 serial_ = 0;
  std::vector<Shadow> shadow_;  // by byte
  std::vector<Clock> clocks_;   // by warp
  std::vector<Clock> barriers_;
  std::map<u64, Clock> objects_;
  RaceLog& log_;
};

}  // namespace warpwright::exec
