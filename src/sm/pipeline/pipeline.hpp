// What lies behind the issue stage of an SM: it takes instructions as they issue, and says when their results may be used. Values are known
// by then, and the scoreboard in front of it keeps dependent instructions back; a pipeline decides times only.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "config/machine.hpp"
#include "sm/events.hpp"
#include "sm/launch_plan.hpp"
#include "sm/load_store.hpp"
#include "sm/pipeline_listener.hpp"
#include "sm/schedulers/scheduler.hpp"
#include "sm/statistics.hpp"

namespace warpwright::sm {

// What the next instructions of the warps need.
struct UnitNeeds {
  WarpSet memory;                      // the load/store unit
  WarpSet pipe;                        // an execution pipe or the load/store unit
  std::array<WarpSet, kUnits> unit{};  // by isa::Unit
};

// An instruction that issues.
struct Issued {
  Context context;
  u32 number = 0;  // IssuedInstruction::number
  const InstructionInfo* info = nullptr;
  MemoryOperation* operation = nullptr;  // prepared by the load/store unit; null: it accesses no memory
  const LaunchPlan* plan = nullptr;      // of its launch

  // Which instruction of which launch it is, for tables by origin.
  mem::Origin origin() const { return {.launch = plan->id, .pc = info->pc}; }
  // To be raised when its results may be used.
  Event completion() const {
    const auto kind = info->flow == Flow::branch ? Event::Kind::unblock : Event::Kind::release;
    return {kind, operation != nullptr, context, info, number};
  }
};

class Pipeline {
 public:
  virtual ~Pipeline() = default;

  // Why nothing at all can issue in this cycle; nothing: the issue stage is open. Valid from tick() to the next.
  std::optional<Slot> closed() const { return closed_; }
  // Cycles that the instruction which issued last is held behind the issue stage, and has its result later than its latency says.
  u32 held() const { return held_; }
  // Warps whose next instruction finds no room in its unit.
  virtual WarpSet refused(const UnitNeeds& needs, Cycle now) const = 0;
  // Those of them that wait for a place for memory instructions before the load/store unit.
  virtual WarpSet awaitPlace(const UnitNeeds& /*needs*/, Cycle /*now*/) const { return {}; }
  virtual void issue(const Issued& instruction, Cycle now) = 0;

  // From the load/store unit: the operation has left its queue; the data of a load or atomic are there.
  virtual void memorySent(const MemoryOperation& operation, Cycle now) = 0;
  virtual void dataArrived(const MemoryOperation& operation, Cycle time, Cycle now) = 0;

  // One cycle, that of the load/store unit included. False: nothing moved, and nothing will before nextUseful().
  virtual bool tick(Cycle now) = 0;
  virtual Cycle nextUseful(Cycle now) const = 0;

  // Lanes of a warp that reach shared memory together.
  virtual u32 lanesTogether() const = 0;
  virtual BackendStats stats() const = 0;
  // From now on registers read and written are counted by who asked, too; origins() is null when they are not.
  virtual void countByOrigin() = 0;
  virtual mem::OriginTable<mem::SmUse>* origins() = 0;

 protected:
  std::optional<Slot> closed_;
  u32 held_ = 0;
};

// As the machine describes it. The parts must outlive the pipeline; listener: may be null.
std::unique_ptr<Pipeline> makePipeline(const config::Machine& machine, LoadStoreUnit& loadStore, Events& events,
                                       PipelineListener* listener);

}  // namespace warpwright::sm
