// One pipeline of stages for all instructions, which leave it in the order in which they issued (Gou, "Customizable Memory Schemes for Data
// Parallel Accelerators", section 5.3.2): fetch, decode, … execution stages, memory stages, write-back. An instruction takes as many
// consecutive slots of a stage as it has sub-warps. Where a sub-warp cannot go on, everything before it stands still.
//
// The stages before the memory stages move as one. They are a queue with a clock of its own, which stops while they stand still: a sub-warp
// is in stage `clock - its entry`.
#pragma once

#include "sm/pipeline/memory_stages.hpp"

namespace warpwright::sm {

class InOrderPipeline final : public Pipeline {
 public:
  // With the machine's own memory stages, or with others.
  InOrderPipeline(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events, PipelineListener* listener);
  InOrderPipeline(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events, PipelineListener* listener,
                  const MakeStages& makeStages);

  WarpSet refused(const UnitNeeds&, Cycle) const override { return {}; }
  void issue(const Issued& instruction, Cycle now) override;
  void memorySent(const MemoryOperation& operation, Cycle now) override;
  void dataArrived(const MemoryOperation& operation, Cycle time, Cycle now) override;
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override;
  u32 lanesTogether() const override { return lanes_; }
  BackendStats stats() const override;
  void countByOrigin() override { origins_.emplace(); }
  mem::OriginTable<mem::SmUse>* origins() override { return origins_ ? &*origins_ : nullptr; }

 private:
  struct Entering {
    u32 instruction = 0;  // in flight
    u32 subWarps = 1;
    u64 entry = 0;  // of the first sub-warp into the first stage, by the front's clock
  };

  void countRegisters(const Issued& instruction);
  void catchUp(Cycle now);
  u64 clock(Cycle now) const { return now.ticks - standing_; }
  const SubWarp* lastOfFront(Cycle now);
  void leaveFront();
  void tellStages(Cycle cycle) const;

  LoadStoreUnit& loadStore_;
  PipelineListener* listener_;
  const u32 lanes_, frontStages_;
  InFlight inFlight_;
  std::unique_ptr<MemoryStages> memoryStages_;

  RingQueue<Entering> front_;
  SubWarp next_;         // of the first in front_: the one that comes out next
  u64 open_ = 0;         // the first stage is free from then on, by the front's clock
  u64 standing_ = 0;     // cycles in which the front stood still
  bool stands_ = false;  // in the last cycle
  Cycle ticked_{};       // cycles before it are accounted for
  u64 operandReads_ = 0, operandWrites_ = 0;
  std::optional<mem::OriginTable<mem::SmUse>> origins_;  // nothing: nobody asks
};

}  // namespace warpwright::sm
