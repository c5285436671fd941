// Who follows warp instructions through an SM: traces, timelines.
#pragma once

#include "base/time.hpp"
#include "isa/instruction.hpp"
#include "sm/context.hpp"

namespace warpwright::sm {

struct IssuedInstruction {
  SmId sm;
  u32 number = 0;  // of the instruction on its SM, in the order of issue; counts modulo 2^32
  SlotId slot;     // warp slot of the SM
  u32 warp = 0;    // of the block
  u64 block = 0;
  u32 launch = 0;  // LaunchPlan::id
  Pc pc;
  const isa::Instruction* instruction = nullptr;
  LaneMask active, executing;
  u32 helper = Context::kParent;  // of the slot's warp, that issued it
};

// Where a sub-warp is in an in-order pipeline.
struct Stage {
  enum class Kind : u8 {
    front,   // fetch, decode, … execution
    premem,  // queue before the first memory stage
    memory,
    nonmem,  // stages, or a queue, beside those for memory
    writeBack,
  };
  Kind kind{};
  u32 index = 0;  // among the stages of its kind; 0: the first that is passed. Of a queue: 0 is its head

  bool operator==(const Stage&) const = default;
};

// Each SM has a listener of its own: SMs run in parallel. Times are those of events that have happened, but for dispatched() and
// operandsRead(). Every instruction issued completes; memory operations are done before (loads) or after (stores) that.
class PipelineListener {
 public:
  virtual ~PipelineListener() = default;
  // A fetch that began at `asked` has brought the next `count` instructions of the slot's buffer.
  virtual void fetched(SlotId /*slot*/, u32 /*count*/, Cycle /*asked*/, Cycle /*now*/) {}
  // The slot's warp goes on elsewhere: what its buffer holds is dropped.
  virtual void fetchDropped(SlotId /*slot*/) {}
  // Takes the oldest instruction of the slot's buffer.
  virtual void issued(const IssuedInstruction& /*instruction*/, Cycle /*now*/) {}
  // It will enter its pipe, or the load/store unit. Told at issue; a memory instruction of an in-order pipeline, which nobody can foresee,
  // when it does. Branches, barriers and fences enter none.
  virtual void dispatched(u32 /*number*/, Cycle /*enters*/) {}
  // It will have read its operands. Told at issue, where sub-cores buffer memory instructions.
  virtual void operandsRead(u32 /*number*/, Cycle /*time*/) {}
  // Its results may be used, and what it blocked goes on; a store has left the load/store unit.
  virtual void completed(u32 /*number*/, Cycle /*now*/) {}
  // The last answer of its memory operation has arrived.
  virtual void memoryDone(u32 /*number*/, Cycle /*now*/) {}

  // Whether it wants to know every stage of an in-order pipeline, in every cycle that is simulated.
  virtual bool followsStages() const { return false; }
  // The instruction's sub-warp was there at the end of the cycle. Data from outside pass write-back untold.
  virtual void inStage(u32 /*number*/, u32 /*subWarp*/, Stage /*stage*/, Cycle /*cycle*/) {}
};

}  // namespace warpwright::sm
