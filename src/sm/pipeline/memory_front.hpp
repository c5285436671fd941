// The part of the memory pipeline that each sub-core has for itself, and the way into the one that they share (Huerta, Shoushtary, Cruz,
// González, "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025, section 5.4, tables 1 and 2).
//
// A sub-core buffers some instructions from their issue on, computes the addresses of one after the other, and hands each to the shared
// part, which takes one every few cycles from any of them. All of that is booked when an instruction issues.
#pragma once

#include <vector>

#include "base/ring_queue.hpp"
#include "config/machine.hpp"
#include "sm/calendar.hpp"
#include "sm/instruction_info.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

class MemoryFront {
 public:
  explicit MemoryFront(const config::Machine& machine);

  // Warps whose sub-core has no room for a memory instruction in this cycle.
  WarpSet refused(Cycle now) const;
  // When one of those that are full has room, from `now` on.
  Cycle nextUseful(Cycle now) const;

  struct Passage {
    Cycle enters{};  // the shared part, with all that it needs there
    Cycle read{};    // its operands
  };
  // An instruction of the warp in `slot` issues.
  Passage pass(const InstructionInfo& info, SlotId slot, Cycle now);

 private:
  struct SubCore {
    WarpSet slots;
    RingQueue<Cycle> leave;  // of its instructions, in their order
    Cycle last{};            // when the last of them left, or will
  };
  bool isFull(const SubCore& core, Cycle now) const { return core.leave.full() && core.leave.front() > now; }
  bool isShared(Cycle first) const;

  const u32 addressInterval_, sharedInterval_;
  std::vector<SubCore> cores_;
  Calendar shared_{1};  // the entrance of the shared part
};

}  // namespace warpwright::sm
