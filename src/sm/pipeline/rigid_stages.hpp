// The baseline's stages from the first memory stage to write-back (Gou, figure 5.4).
//
// Unified, every sub-warp passes the first memory stage, and while one stays there (bank conflicts, memory that takes nothing) the stages
// before stand still. Split, those without memory access have as many stages of their own: they pass by one that stays, and may then meet
// it at write-back. Where two results are due at once, data from outside come first, then the memory stages, then the others; what has to
// wait makes the stages before it stand still, whatever they hold.
#pragma once

#include "sm/pipeline/memory_path.hpp"
#include "sm/pipeline/memory_stages.hpp"

namespace warpwright::sm {

class RigidStages final : public MemoryStages {
 public:
  RigidStages(const config::Machine& machine, const StagesContext& context);

  bool tick(Cycle now) override;
  std::optional<Slot> refuses(const SubWarp* next, Cycle now) const override;
  void take(SubWarp subWarp, Cycle now) override;
  void addFromOutside(u32 instruction, u32 subWarps) override { port_.add(instruction, subWarps); }
  Cycle nextUseful(Cycle now) const override;
  void show(const ShowSubWarp& show, Cycle now) const override;
  u64 writeBackConflicts() const override { return memory_.stalls() + others_.stalls(); }

 private:
  bool passesMemory(SubWarp subWarp) const { return !split_ || inFlight_.accessesMemory(subWarp); }

  InFlight& inFlight_;
  const u32 stages_;
  const bool split_;
  WriteBackPort port_;
  MemoryPath memory_;
  StageRow others_;  // split: beside the memory stages
};

}  // namespace warpwright::sm
