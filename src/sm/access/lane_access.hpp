// A warp's access to one space of memory, as its lanes ask for it: what stands before the coalescers sees.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/lane_count.hpp"
#include "base/spread.hpp"
#include "base/types.hpp"
#include "isa/instruction.hpp"
#include "mem/origin.hpp"

namespace warpwright::sm {

struct LaunchPlan;

struct LaneAccess {
  // --- whose it is
  const LaunchPlan* plan = nullptr;  // of the launch
  mem::Origin origin;                // the instruction: its warp's slot, its block, its pc
  SlotId firstSlot;                  // the first warp slot of the block: names it on this SM
  u32 warp = 0;                      // in the block

  // --- what it is
  isa::Space space = isa::Space::global;  // never generic: such an access comes apart
  bool isStore = false, isAtomic = false, isTexel = false, isPrefetch = false;
  isa::Ordering ordering = isa::Ordering::weak;
  isa::CacheOp cache = isa::CacheOp::none;
  u32 bytes = 0;                    // at each address
  Spread spread = Spread::unknown;  // of the addresses of `lanes`
  // By lane, as the program has them: addresses of global memory, offsets in shared, private, constant and parameter memory. They are plain
  // numbers because `space` alone says of what, and the functional machine's own array is handed on. Of texels, and of prefetches of many
  // bytes: a list of `count` addresses of global memory.
  const u64* addresses = nullptr;
  u32 count = 0;
  // Word p of lane l at p * valueLanes + l: what is stored or was loaded; null: not known, or parts of words.
  const u32* values = nullptr;
  // The same of elements of less than a word, in the low `partBytes` bytes.
  const u32* parts = nullptr;
  u32 partBytes = 0, valueLanes = 0;

  // --- what the stages make of it
  LaneMask asked;        // lanes of the access
  LaneMask lanes;        // those that nobody has served yet
  u32 passesBeside = 0;  // shared memory: of what serves lanes at the time of the banks
  u32 bankPasses = 0;    // shared memory: of the banks, beyond those of the lanes that are left to them
  u32 delay = 0;         // shared memory: cycles until the data are there, beyond the banks' latency

  // 32-bit words that the lanes which are left send or get; atomics do both. Less than a word goes as one.
  u32 words() const { return static_cast<u32>(countLanes(lanes)) * std::max(bytes / 4, 1u) * (isAtomic ? 2 : 1); }

  // They need nothing more of the stages behind.
  void serve(LaneMask served) {
    if (served.empty()) return;
    lanes &= ~served;
    spread = Spread::unknown;
  }
};

// An access with copies of its addresses and values, which change with the next instruction.
class KeptAccess {
 public:
  void keep(const LaneAccess& access, std::span<const u64> addresses);
  // Valid while this is.
  LaneAccess access() const;

 private:
  LaneAccess access_;
  std::vector<u64> addresses_;
  std::vector<u32> values_;
};

}  // namespace warpwright::sm
