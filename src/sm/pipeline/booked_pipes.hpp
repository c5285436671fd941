// Pipes side by side, each for its kind of instruction: all of an instruction's way is booked when it issues (sm/backend.hpp), and memory
// operations go through the load/store unit at their own pace.
#pragma once

#include "sm/backend.hpp"
#include "sm/pipeline/memory_front.hpp"
#include "sm/pipeline/operand_reads.hpp"
#include "sm/pipeline/pipeline.hpp"

namespace warpwright::sm {

class BookedPipes final : public Pipeline {
 public:
  BookedPipes(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events, PipelineListener* listener);

  WarpSet refused(const UnitNeeds& needs, Cycle now) const override;
  WarpSet awaitPlace(const UnitNeeds& needs, Cycle now) const override { return front_ ? front_->refused(now) & needs.memory : WarpSet{}; }
  void issue(const Issued& instruction, Cycle now) override;
  void memorySent(const MemoryOperation& operation, Cycle now) override;
  void dataArrived(const MemoryOperation& operation, Cycle time, Cycle now) override;
  bool tick(Cycle now) override { return loadStore_.tick(now); }
  Cycle nextUseful(Cycle now) const override;
  u32 lanesTogether() const override { return warpSize_; }
  BackendStats stats() const override;
  void countByOrigin() override { origins_.emplace(); }
  mem::OriginTable<mem::SmUse>* origins() override { return origins_ ? &*origins_ : nullptr; }

 private:
  Cycle dispatch(const Issued& instruction, Cycle now);
  Cycle writeBack(const Issued& instruction, Cycle time, Cycle now);
  void complete(const Issued& instruction, Cycle time) { events_.add(time, instruction.completion()); }
  void noteWay(const Issued& instruction, const MemoryFront::Passage& passage, Cycle now);

  LoadStoreUnit& loadStore_;
  Events& events_;
  PipelineListener* listener_;
  Backend backend_;
  std::optional<OperandReads> operands_;  // nothing: ports of register banks limit nothing, or collectors read
  std::optional<MemoryFront> front_;      // nothing: memory instructions go to the load/store unit at once
  const u32 warpSize_, branchLatency_;
  const bool hasCollectors_;
  std::optional<mem::OriginTable<mem::SmUse>> origins_;  // nothing: nobody asks
};

}  // namespace warpwright::sm
