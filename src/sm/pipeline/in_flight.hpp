// The instructions in an in-order pipeline, from issue until their last sub-warp has been written back.
//
// A warp instruction passes through the pipeline as sub-warps, as many lanes each as the SIMD unit has, one behind the other (Gou,
// "Customizable Memory Schemes for Data Parallel Accelerators", section 5.4.3). Sub-warps of dependent instructions follow one another in
// the same order: an instruction may therefore issue as soon as each of its sub-warps will find the results of the one before written.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "sm/pipeline/pipeline.hpp"

namespace warpwright::sm {

struct SubWarp {
  u32 instruction = 0;  // its number among those in flight
  u32 number = 0;       // in its warp
};

class InFlight {
 public:
  InFlight(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events, PipelineListener* listener);

  // Gives the instruction's number among those in flight.
  u32 add(const Issued& instruction, u32 subWarps, Cycle now);

  bool accessesMemory(SubWarp subWarp) const { return at(subWarp).accessesMemory; }
  // Of its instruction on the SM: IssuedInstruction::number.
  u32 numberOf(SubWarp subWarp) const { return at(subWarp).completion.instruction(); }
  // The slot of its warp.
  SlotId slotOf(SubWarp subWarp) const { return at(subWarp).completion.context.slot; }
  bool isLast(SubWarp subWarp) const { return subWarp.number + 1 == at(subWarp).subWarps; }
  // It enters the first memory stage, in which it stays for the cycles given.
  u32 enterMemory(SubWarp subWarp, Cycle now);
  // Whether the load/store unit lets it leave that stage.
  bool isServed(SubWarp subWarp, Cycle now);
  // When the banks have, as far as known.
  Cycle servedAt(SubWarp subWarp) const { return at(subWarp).served; }

  // Its result is there and needs the write-back port.
  bool wantsPort(SubWarp subWarp) const;
  // From here on it moves whenever the whole pipeline does.
  void passedMemory(SubWarp subWarp, Cycle now);
  // It leaves the first memory stage.
  void leavesFirst(SubWarp subWarp, Cycle now);
  // It has been in the write-back stage. certain: how many sub-warps of its instruction may be left for the next of its warp to issue, as
  // they will be written in time.
  void leaves(SubWarp subWarp, Cycle now, u32 certain = 0);

  void memorySent(const MemoryOperation& operation);
  // Gives how many sub-warps have passed write-back without their data, and now have to be written from outside the pipeline.
  u32 dataArrived(const MemoryOperation& operation);
  // One of them.
  void writtenFromOutside(u32 instruction, Cycle now);

 private:
  struct Instruction {
    Event completion;
    Cycle issued{};
    mem::Origin origin;                    // only with an operation
    MemoryOperation* operation = nullptr;  // until the load/store unit has it
    u32 subWarps = 1;
    u32 left = 1;    // sub-warps not yet written back
    u32 missed = 0;  // sub-warps that passed write-back without their data
    u32 cycles = 0;  // that its sub-warps have needed the first memory stage for
    Cycle served{};  // when the banks have served the last of them
    bool accessesMemory = false;
    bool isExpanded = false;                 // `passes` are known
    bool accessesBanks = false;              // of shared memory
    bool writes = false;                     // has a result
    bool awaitsData = false;                 // … that is not there yet
    bool sent = false;                       // out of the load/store unit
    bool completed = false;                  // completion is raised
    std::array<u16, kMaxWarpSize> passes{};  // of the shared-memory banks, by sub-warp; only with an operation
  };

  const Instruction& at(SubWarp subWarp) const { return instructions_[subWarp.instruction]; }
  Instruction& at(SubWarp subWarp) { return instructions_[subWarp.instruction]; }
  u32 serve(Instruction& instruction, u32 subWarp, Cycle now);
  void notePasses(Instruction& instruction) const;
  void enterLoadStore(Instruction& instruction, Cycle now);
  void written(u32 number, Cycle now, u32 certain);
  void complete(Instruction& instruction, Cycle now);

  const u32 lanes_, sharedPorts_;
  LoadStoreUnit& loadStore_;
  Events& events_;
  PipelineListener* listener_;
  std::deque<Instruction> instructions_;
  std::vector<u32> free_;
};

}  // namespace warpwright::sm
