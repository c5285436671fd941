// What the issue stage keeps of each warp where the compiler keeps dependent instructions apart (isa/control_bits.hpp): a stall that runs
// down, and six counters.
#pragma once

#include <array>

#include "base/time.hpp"
#include "isa/control_bits.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

class DependenceCounters {
 public:
  // The slot has a new warp: all counters are 0.
  void start(SlotId slot) {
    warps_[slot] = {};
    stalled_.erase(slot);
  }

  // The warp does not issue before `until`, at which stallEnds() is to be called.
  void stall(SlotId slot, Cycle until) {
    warps_[slot].until = until;
    stalled_.insert(slot);
  }
  // Does nothing when the stall at hand lasts longer: it is another one.
  void stallEnds(SlotId slot, Cycle now) {
    if (warps_[slot].until <= now) stalled_.erase(slot);
  }

  // The instruction makes its counters go up. ofMemory: it accesses memory.
  void count(SlotId slot, const isa::ControlBits& bits, bool ofMemory) {
    change(slot, bits.writeCounter, ofMemory, 1);
    change(slot, bits.readCounter, ofMemory, 1);
  }
  // Its result is written; its operands are read.
  void written(SlotId slot, const isa::ControlBits& bits, bool ofMemory) { change(slot, bits.writeCounter, ofMemory, -1); }
  void read(SlotId slot, const isa::ControlBits& bits, bool ofMemory) { change(slot, bits.readCounter, ofMemory, -1); }

  // Whether the warp has to wait with an instruction: for its stall, for counters that have to be 0, or as one that it counts is full.
  bool mustWait(SlotId slot, const isa::ControlBits& bits) const {
    if (stalled_.contains(slot)) return true;
    for (u32 counter = 0; counter < isa::kDependenceCounters; ++counter) {
      const u32 pending = warps_[slot].pending[counter];
      if (pending != 0 && (bits.waits >> counter & 1) != 0) return true;
      if (pending == isa::kMostCounted && (bits.counted() >> counter & 1) != 0) return true;
    }
    return false;
  }
  // … among others, for an access to memory.
  bool awaitsMemory(SlotId slot, const isa::ControlBits& bits) const {
    for (u32 counter = 0; counter < isa::kDependenceCounters; ++counter)
      if ((bits.waits >> counter & 1) != 0 && warps_[slot].accesses[counter] != 0) return true;
    return false;
  }

 private:
  struct Warp {
    std::array<u8, isa::kDependenceCounters> pending{}, accesses{};  // accesses: those of memory among them
    Cycle until{};                                                   // of its last stall
  };

  void change(SlotId slot, u8 counter, bool ofMemory, int by) {
    if (counter == isa::ControlBits::kNoCounter) return;
    Warp& warp = warps_[slot];
    warp.pending[counter] = static_cast<u8>(warp.pending[counter] + by);
    if (ofMemory) warp.accesses[counter] = static_cast<u8>(warp.accesses[counter] + by);
  }

  std::array<Warp, kMostWarps> warps_{};
  WarpSet stalled_;
};

}  // namespace warpwright::sm
