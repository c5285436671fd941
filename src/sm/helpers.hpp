// Helpers of warps on an SM: routines that a mechanism lets run beside the program's own (assist warps). The SM executes and times them; a
// mechanism decides which begin and when, as a part of the SM (Parts::helpers). The baseline has none.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "exec/stepper.hpp"
#include "mem/request.hpp"
#include "sm/context.hpp"
#include "sm/register_set.hpp"

namespace warpwright::sm {

struct LaunchPlan;

enum class HelperPriority : u8 {
  high,  // issues in its warp's place, chosen by the scheduler among the warps; the warp may wait for it
  low,   // issues in slots that no warp of the scheduler takes
};

struct HelperStart {
  struct Move {
    u32 parentRegister = 0, helperRegister = 0;
  };
  struct Given {
    u32 helperRegister = 0;
    std::array<u32, kMaxWarpSize> lanes{};
  };
  SlotId slot;                             // of its warp, which is resident
  const isa::Function* routine = nullptr;  // of the program that the warp executes
  LaneMask lanes = ~LaneMask{};
  HelperPriority priority = HelperPriority::low;
  bool holdsParent = false;       // the warp issues nothing until the helper has ended
  bool isSpeculative = true;      // see exec::Stepper::beginHelper
  Cycle earliest{};               // it issues from this cycle on, and never in that in which it begins
  bool isStaged = false;          // it issues only instructions that stage() has made available; false: all are
  std::vector<Move> arguments{};  // copied when it begins; it waits for those that the warp awaits
  std::vector<Given> given{};     // what lies in registers of the helper when it begins
  RegisterSet awaited{};          // of the warp: it issues nothing while the warp waits for them
  std::optional<u32> place{};     // of its registers, see exec::Stepper::beginHelper
  // What lies in the memory of its warp's helpers (exec::Stepper::helperMemory) at bufferPlace, and the register that gets its address in
  // shared memory.
  std::vector<std::byte> buffer{};
  u32 bufferPlace = 0;
  std::optional<u32> bufferRegister{};
  // … and the register that gets the address of tablePlace in what the helpers of all warps of the block share.
  u32 tablePlace = 0;
  std::optional<u32> tableRegister{};
};

// What the SM does for the part. Helpers are numbered; a number is used again when its helper has ended.
class HelperControl {
 public:
  virtual ~HelperControl() = default;
  // Nothing: no registers are left for it (mechanisms::Mechanism::needs), or the slot's warp has finished. Throws Error for a routine
  // that helpers cannot execute.
  virtual std::optional<u32> begin(const HelperStart& start) = 0;
  // Of a helper that isStaged: it may issue one instruction more, from the next cycle on; none of those that it may, until there are
  // others.
  virtual void stage(u32 helper) = 0;
  virtual void flush(u32 helper) = 0;
  // Wherever it is: it issues nothing more, and has ended when nothing of it is under way. Nobody is told.
  virtual void kill(u32 helper) = 0;
  // Of a helper that ended() is being told of: copies a register to its warp.
  virtual void giveBack(u32 helper, HelperStart::Move result) = 0;
  // … what it has left in a register, by lane.
  virtual std::span<const u32> left(u32 helper, u32 helperRegister) const = 0;
  // A stage on the way to memory has been told something, and may have work now.
  virtual void wakeStages() = 0;
  // Of a helper that ended() is being told of: what it has left in the memory of its warp's helpers.
  virtual std::span<const std::byte> leftInMemory(u32 helper) const = 0;
  // The slot's warp issues nothing, from now on or no longer, beside what its helpers say of that. For what waits to begin.
  virtual void hold(SlotId slot, bool on) = 0;
  // What a register of the slot's warp, which is resident, has by the instructions that have issued, by lane.
  virtual std::span<const u32> registerOf(SlotId slot, u32 number) const = 0;
  // The number in the slot's warp of a register behind its kernel's: `place` of those that a mechanism has asked for (BlockNeeds).
  virtual u32 spareRegister(SlotId slot, u32 place) const = 0;
  // The fault of the slot's warp stops the launch: it is one that Helpers::faulted() has put off.
  virtual void raiseFault(SlotId slot) = 0;
  // … or is forgotten: the warp executes the instruction again, or goes on behind it.
  virtual void resume(SlotId slot, bool behind) = 0;
  // Memory of the host becomes accessible to kernels, at its own address, from the end of the quantum on; nothing where there is none.
  virtual void map(SlotId slot, GlobalAddress page, u32 bytes) = 0;
  // Cycles in which the load/store unit has sent a transaction or a pass to shared memory, until now.
  virtual u64 loadStoreCycles() const = 0;
};

// An instruction of a warp that stops the launch.
struct Faulted {
  SlotId slot;
  Pc pc;
  const LaunchPlan& plan;
  const exec::StepFault& fault;
};

// What a first-level cache for data or textures did not have.
struct Missed {
  Context context;  // whose access it was
  Pc pc;
  const LaunchPlan& plan;
  const mem::Request& request;
  bool isFirst = true;  // false: part of it, or all, was under way already
};

// All warps of the block and their helpers have ended.
struct EndedBlock {
  const LaunchPlan& plan;
  exec::BlockHelperMemory left;  // by its helpers
};

// The part. Each is told when it happens, and may begin and kill helpers then.
class Helpers {
 public:
  virtual ~Helpers() = default;

  // A warp has issued an instruction; system calls and surface writes included.
  virtual void issued(SlotId /*slot*/, const exec::StepRecord& /*record*/, const LaunchPlan& /*plan*/, Cycle /*now*/) {}
  // A load, or a store that fetches, of the first-level data cache, or a fetch of a texture of its cache. Prefetches, and what a stage
  // before the cache serves or asks for itself, are none.
  virtual void missed(const Missed& /*miss*/, Cycle /*now*/) {}
  // One of these caches has a line, or sectors of it, that it asked for.
  virtual void filled(const mem::Request& /*response*/, Cycle /*now*/) {}
  // A scheduler that issued in the cycle before finds nothing to issue.
  virtual void idle(u32 /*scheduler*/, Cycle /*now*/) {}
  // True: the fault is put off until HelperControl::raiseFault() or resume(). The launch goes on, but for the warp.
  virtual bool faulted(const Faulted& /*what*/, Cycle /*now*/) { return false; }
  // All threads of the slot's warp have exited. Its block stays until its helpers have ended.
  virtual void finished(SlotId /*slot*/, Cycle /*now*/) {}
  // Its place is free when this returns.
  virtual void blockEnds(const EndedBlock& /*block*/) {}
  // A helper has issued an instruction.
  virtual void helperIssued(u32 /*helper*/, const exec::StepRecord& /*record*/, Cycle /*now*/) {}
  // It did not, as its lanes or an atomic of the SM have to come first: it will be tried again, or, where its next instruction is another,
  // that.
  virtual void helperReplayed(u32 /*helper*/, const exec::StepRecord& /*record*/, Cycle /*now*/) {}
  // A helper is through, its last result there.
  virtual void ended(u32 /*helper*/, Cycle /*now*/) {}

  // In each cycle that is simulated, before the schedulers. What it does by itself falls due at nextUseful(), from `now` on.
  virtual void tick(Cycle /*now*/) {}
  virtual Cycle nextUseful(Cycle /*now*/) const { return kNever; }
};

}  // namespace warpwright::sm
