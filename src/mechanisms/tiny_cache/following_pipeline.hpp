// Tells the caches of an SM what its pipeline hears, which it passes on to the one inside.
#pragma once

#include <memory>

#include "mechanisms/tiny_cache/stage.hpp"
#include "sm/pipeline/pipeline.hpp"

namespace warpwright::mechanisms::tiny_cache {

// The stage of an SM, which is made after its pipeline.
struct StageOfSm {
  Stage* stage = nullptr;
};

class FollowingPipeline final : public sm::Pipeline {
 public:
  FollowingPipeline(std::unique_ptr<sm::Pipeline> inner, StageOfSm& of) : inner_(std::move(inner)), of_(of) {}

  sm::WarpSet refused(const sm::UnitNeeds& needs, Cycle now) const override { return inner_->refused(needs, now); }
  void issue(const sm::Issued& instruction, Cycle now) override {
    of_.stage->issued(instruction);
    inner_->issue(instruction, now);
  }
  void memorySent(const sm::MemoryOperation& operation, Cycle now) override {
    of_.stage->sent(operation);
    inner_->memorySent(operation, now);
  }
  void dataArrived(const sm::MemoryOperation& operation, Cycle time, Cycle now) override { inner_->dataArrived(operation, time, now); }
  bool tick(Cycle now) override {
    const bool moved = inner_->tick(now);
    closed_ = inner_->closed();
    return moved;
  }
  Cycle nextUseful(Cycle now) const override { return inner_->nextUseful(now); }
  u32 lanesTogether() const override { return inner_->lanesTogether(); }
  sm::BackendStats stats() const override { return inner_->stats(); }
  void countByOrigin() override { inner_->countByOrigin(); }
  mem::OriginTable<mem::SmUse>* origins() override { return inner_->origins(); }

 private:
  std::unique_ptr<sm::Pipeline> inner_;
  StageOfSm& of_;
};

}  // namespace warpwright::mechanisms::tiny_cache
