// Two listeners where there is one.
#pragma once

#include "sm/pipeline_listener.hpp"

namespace warpwright::machines::trace {

class ListenerPair final : public sm::PipelineListener {
 public:
  // Both must outlive it.
  ListenerPair(sm::PipelineListener& first, sm::PipelineListener& second) : first_(first), second_(second) {}

  void fetched(SlotId slot, u32 count, Cycle asked, Cycle now) override {
    first_.fetched(slot, count, asked, now);
    second_.fetched(slot, count, asked, now);
  }
  void fetchDropped(SlotId slot) override {
    first_.fetchDropped(slot);
    second_.fetchDropped(slot);
  }
  void issued(const sm::IssuedInstruction& instruction, Cycle now) override {
    first_.issued(instruction, now);
    second_.issued(instruction, now);
  }
  void dispatched(u32 number, Cycle enters) override {
    first_.dispatched(number, enters);
    second_.dispatched(number, enters);
  }
  void operandsRead(u32 number, Cycle time) override {
    first_.operandsRead(number, time);
    second_.operandsRead(number, time);
  }
  void completed(u32 number, Cycle now) override {
    first_.completed(number, now);
    second_.completed(number, now);
  }
  void memoryDone(u32 number, Cycle now) override {
    first_.memoryDone(number, now);
    second_.memoryDone(number, now);
  }
  bool followsStages() const override { return first_.followsStages() || second_.followsStages(); }
  void inStage(u32 number, u32 subWarp, sm::Stage stage, Cycle cycle) override {
    first_.inStage(number, subWarp, stage, cycle);
    second_.inStage(number, subWarp, stage, cycle);
  }

 private:
  sm::PipelineListener &first_, &second_;
};

}  // namespace warpwright::machines::trace
