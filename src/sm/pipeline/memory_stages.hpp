// The stages of an in-order pipeline from the first memory stage to write-back, as the stages before them see these (in_order.hpp). What
// they do with a sub-warp that cannot go on is what pipelines differ in: rigid_stages.hpp, and the mechanism of the elastic pipeline.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sm/pipeline/in_flight.hpp"

namespace warpwright::sm {

using ShowSubWarp = std::function<void(SubWarp subWarp, Stage stage)>;

class MemoryStages {
 public:
  virtual ~MemoryStages() = default;

  // Begins a cycle: from the end, everything moves that can. False: nothing left, entered another stage than the next, or had to wait.
  virtual bool tick(Cycle now) = 0;
  // Why the stages before these stand still in this cycle, with `next` in the last of them (null: nothing).
  virtual std::optional<Slot> refuses(const SubWarp* next, Cycle now) const = 0;
  // Takes a sub-warp that is not refused.
  virtual void take(SubWarp subWarp, Cycle now) = 0;
  // Data have come for sub-warps that passed write-back without.
  virtual void addFromOutside(u32 instruction, u32 subWarps) = 0;
  virtual Cycle nextUseful(Cycle now) const = 0;
  // What is in the stages and queues, write-back excepted, after the tick in `now`.
  virtual void show(const ShowSubWarp& show, Cycle now) const = 0;
  // Cycles in which a result that was due found the write-back stage taken.
  virtual u64 writeBackConflicts() const = 0;
};

// What memory stages work with; it outlives them.
struct StagesContext {
  InFlight& inFlight;
  u32 certain = 0;         // sub-warps of an instruction that may be left when the next of its warp issues: see in_order.cpp
  u32 mostOperations = 0;  // memory operations that may be in flight
};
using MakeStages = std::function<std::unique_ptr<MemoryStages>(const StagesContext& context)>;

}  // namespace warpwright::sm
