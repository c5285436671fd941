// A trace as a source of instructions for an SM: see exec/warp_source.hpp.
#pragma once

#include <memory>
#include <vector>

#include "exec/step_recorder.hpp"
#include "exec/warp_source.hpp"
#include "sass/kernel_trace.hpp"

namespace warpwright::sass {

class TracePlayer final : public exec::WarpSource {
 public:
  // request.observer hears of memory, branches and blocks.
  TracePlayer(std::shared_ptr<const KernelTrace> trace, const exec::LaunchRequest& request);

  void start(BlockSlotId slot, u64 block, exec::Cluster* cluster = nullptr) override;
  bool isFinished(BlockSlotId slot) const override;
  exec::NextInstruction next(BlockSlotId slot, u32 warp) override;
  const exec::StepRecord* step(BlockSlotId slot, u32 warp, Cycle now) override;
  std::string whereThreadsWait() const override;
  u64 changes() const override { return played_; }
  bool hasThreads() const override;
  exec::LaunchResult result() override;

  // What was executed has had its effects: nothing faults, goes in a circle or has stores under way.
  const std::optional<exec::StepFault>& fault() const override { return noFault_; }
  void watch(bool) override {}
  void waitsForSlot(BlockSlotId, u32, bool) override {}
  bool isStuck() override { return false; }
  std::string circlingRoutine() const override { return {}; }
  bool releaseWaiting() override { return false; }
  bool hasStores() const override { return false; }
  void publishStores() override {}
  void performAtomic(u32) override {}

 private:
  struct Warp {
    u64 at = 0, end = 0;  // its next step
    LaneMask path;        // the lanes that it goes on with
    u32 barriers = 0;     // in all of its steps
    u32 arrived = 0;      // … that it has come to
    bool waits = false;   // for others, at the last of these
    bool isFinished() const { return at == end; }
  };
  struct Block {
    u64 number = 0;
    bool isResident = false;
    std::vector<Warp> warps;
  };
  // A step with what is known of it.
  struct Played {
    Block& block;
    u32 warp;
    const WarpStep& step;
    const CodeEntry& entry;
    Pc place;
    LaneMask active, executing;
  };

  void count(const Played& played);
  void branch(const Played& played);
  void access(const Played& played);
  void accessSpaces(const Played& played, LaneAddresses& addresses, Spread spread);
  void raise(const Played& played, isa::Space space, LaneAddresses& addresses, LaneMask lanes, Spread spread);
  void barrier(const Played& played, exec::StepRecord& record);
  void goOn(const Played& played, exec::StepRecord& record);
  Pc placeOf(const Warp& warp) const { return trace_->placeOf[trace_->steps[warp.at].code]; }

  std::shared_ptr<const KernelTrace> trace_;
  std::shared_ptr<const exec::Launch> launch_;
  mutable exec::StepRecorder recorder_;
  Windows windows_;
  mutable std::vector<Block> blocks_;  // by slot
  std::optional<exec::StepFault> noFault_;
  exec::LaunchResult result_;
  u64 played_ = 0;
  u32 atomics_ = 0;
};

}  // namespace warpwright::sass
