// The stages of an in-order pipeline from the first memory stage to write-back (Gou, figure 5.4).
//
// Unified, every sub-warp passes the first memory stage, and while one stays there (bank conflicts, memory that takes nothing) the stages
// before stand still. Split, those without memory access have as many stages of their own: they pass by one that stays, and may then meet
// it at write-back. Where two results are due at once, data from outside come first, then the memory stages, then the others; what has to
// wait makes the stages before it stand still, whatever they hold.
#pragma once

#include "sm/pipeline/stage_row.hpp"

namespace warpwright::sm {

class MemoryStages {
 public:
  // certain: see StageRow. mostOperations: memory operations that may be in flight.
  MemoryStages(const config::Machine& machine, InFlight& inFlight, u32 certain, u32 mostOperations);

  // Begins a cycle: from the end, everything moves that can. False: nothing left, entered another stage than the next, or had to wait.
  bool tick(Cycle now);
  // Why the stages before these stand still in this cycle, with `next` in the last of them (null: nothing).
  std::optional<Slot> refuses(const SubWarp* next, Cycle now) const;
  // Takes a sub-warp that is not refused.
  void take(SubWarp subWarp, Cycle now);
  // Data have come for sub-warps that passed write-back without.
  void addFromOutside(u32 instruction, u32 subWarps) { port_.add(instruction, subWarps); }
  Cycle nextUseful(Cycle now) const;
  u64 writeBackConflicts() const { return memory_.stalls() + others_.stalls(); }

 private:
  bool leaveFirst(Cycle now);
  bool passesMemory(SubWarp subWarp) const { return !split_ || inFlight_.accessesMemory(subWarp); }

  InFlight& inFlight_;
  const u32 stages_;
  const bool split_;
  WriteBackPort port_;
  StageRow memory_;               // behind the first memory stage
  StageRow others_;               // split: beside the memory stages
  std::optional<SubWarp> first_;  // in the first memory stage
  Cycle served_{};                // when the banks have served it
};

}  // namespace warpwright::sm
