// The stages that a data access of an SM passes, from the lanes to the network:
//
//   lanes ──► lane stages ──► banks of shared memory, coalescers ──► line stages ──► first-level caches ──► network
//
// A lane stage sees accesses as lanes ask for them, a line stage sees requests for bytes of one line. The baseline has the banks and the
// coalescers, which are lane stages too; mechanisms add theirs before them, in the order of the catalogue (Parts::laneStages, lineStages).
//
// Each stage is a memory agent of the core clock (docs/memory-system.md): what it asks of the memory below goes through the stages behind
// it (StageContext::below) or to the network at once (peekMiss()), and comes back by fill(). What it answers comes from peekResponse(): the
// request as it was, or for a lane stage one with the operation's entry as its id.
#pragma once

#include <optional>

#include "mem/cache/cache.hpp"
#include "mem/word_access.hpp"
#include "sm/access/lane_access.hpp"
#include "sm/memory_operation.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

using L1Cache = mem::Cache<CoreClock>;

// A request for bytes of one line, and where it goes first when no stage takes it.
struct LineAccess {
  const mem::Request& request;
  Route route = Route::l1Data;
  const mem::WordAccess* words = nullptr;  // of global and private memory; they stay until the request is answered. Null: not known
  const LaunchPlan* plan = nullptr;        // of the instruction's launch. Null: not known
  std::optional<SlotId> warp{};            // whose access it is. None: not known, or a helper's
};

// The stages behind one, and the caches behind those.
class StagesBelow {
 public:
  virtual ~StagesBelow() = default;
  virtual bool canAccept(const LineAccess& access) const = 0;
  // Somebody else's request goes on as it came; the answer goes to whoever asked, and not through this stage.
  virtual void pass(const LineAccess& access, Cycle now) = 0;
  // A request of the stage's own, which fill() gets the answer of. Its id has at most kOwnIdBits bits. No atomics.
  virtual void ask(const LineAccess& access, Cycle now) = 0;

  static constexpr u32 kOwnIdBits = 22;
};

// Memory operations that no instruction has asked for, as write-backs to shared memory. They queue in the load/store unit.
class OperationSource {
 public:
  virtual ~OperationSource() = default;
  virtual bool canBegin() const = 0;
  // A cleared operation, to be filled in and handed to submit(). Its stage hears of its end by AccessStage::operationDone().
  virtual MemoryOperation& begin(class AccessStage& stage) = 0;
  virtual void submit(MemoryOperation& operation, Cycle enters) = 0;
};

// All outlive the stage.
struct StageContext {
  L1Cache& cache;  // the first-level data cache
  StagesBelow& below;
  OperationSource& operations;
};

class AccessStage {
 public:
  virtual ~AccessStage() = default;

  // --- as a memory agent
  virtual const mem::Request* peekResponse() const { return nullptr; }
  virtual mem::Request takeResponse() { return {}; }
  virtual const mem::Request* peekMiss() const { return nullptr; }
  virtual mem::Request takeMiss() { return {}; }
  virtual bool canFill(const mem::Request& /*response*/) const { return true; }
  virtual void fill(const mem::Request& /*response*/, Cycle /*now*/) {}
  // Stages tick in the order of the chain, and before the caches: what one hands down is there in the same tick.
  virtual bool tick(Cycle /*now*/) { return false; }
  virtual Cycle nextUseful(Cycle /*now*/) const { return kNever; }
  virtual bool quiescent() const { return true; }
  // Before a launch, as Cache::invalidate().
  virtual void invalidate() {}
  // An operation of its own is through at `time`, which may lie ahead.
  virtual void operationDone(const MemoryOperation& /*operation*/, Cycle /*time*/) {}

  // --- what becomes of the warps
  // A block has come, with so much shared memory.
  virtual void blockBegins(SlotId /*firstSlot*/, u64 /*sharedBytes*/) {}
  // A barrier of the block opens. Its warps may issue at once, unless held() has them.
  virtual void barrierOpens(SlotId /*firstSlot*/, Cycle /*now*/) {}
  // The warp's next instruction is a fence, and its memory operations are through. False: the fence has to wait; asked again when a stage
  // or a cache has done something.
  virtual bool mayPassFence(SlotId /*slot*/) { return true; }
  // All threads of the block have ended. False: it has to stay resident; asked again likewise.
  virtual bool mayEnd(SlotId /*firstSlot*/) { return true; }
  // Warps that may not issue for now. They count as waiting at a fence.
  virtual WarpSet held() const { return {}; }
};

class LaneStage : public AccessStage {
 public:
  // Serves lanes of the access and takes them from it (LaneAccess::serve()), or leaves it as it is. What the access costs goes into the
  // operation:
  //   - requests, sent one after the other as if the coalescers had made them;
  //   - `awaited`: answers that the stage owes the operation, by peekResponse() with the operation's entry as the id;
  //   - `ready`: data that are there at a known time need no answer.
  virtual void access(LaneAccess& access, MemoryOperation& operation, Cycle now) = 0;
  // What access() does depends on when: it is called when the load/store unit, or the first memory stage of an in-order pipeline, begins
  // with the operation, and not when its instruction issues. The order of calls is that of issue either way.
  virtual bool isTimed() const { return true; }
  // Timed stages: the operation has to wait as long as some stage does not take one of its accesses.
  virtual bool canAccept(const LaneAccess& /*access*/) const { return true; }
};

class LineStage : public AccessStage {
 public:
  // What it does not take goes on at once.
  virtual bool takes(const LineAccess& access) const = 0;
  virtual bool canAccept(const LineAccess& access) const = 0;
  virtual void accept(const LineAccess& access, Cycle now) = 0;
};

}  // namespace warpwright::sm
