// Which warp issues next. A policy is one file of this folder and one line of catalogue.cpp (docs/adding-a-policy.md).
#pragma once

#include <bit>
#include <memory>
#include <span>

#include "base/time.hpp"
#include "base/types.hpp"
#include "config/machine.hpp"
#include "config/policy_list.hpp"
#include "mem/request.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

struct InstructionInfo;
struct MemoryOperation;

struct SchedulerView {
  WarpSet ready;     // could issue now
  WarpSet resident;  // have not finished
  WarpSet waiting;   // wait for what may take long: the result of a memory operation, a fence, a barrier
  WarpSet inFlight;  // have an instruction in flight
  WarpSet memory;    // access memory in their next instruction
  Cycle now{};
  std::span<const u64> age;           // by slot: order of arrival, smaller is older
  std::span<const mem::Origin> next;  // by slot: the warp's next instruction, with its pc, block and launch
};

class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  // Those of view.ready among which pick() chooses.
  virtual WarpSet eligible(const SchedulerView& view) const { return view.ready; }
  // A warp of view.ready, or kNoWarp when the policy prefers to issue nothing.
  virtual SlotId pick(const SchedulerView& view) = 0;
  // The warp picked has issued.
  virtual void issued(SlotId /*slot*/) {}

  // For policies that look ahead at memory; only in-order pipelines tell of what is served.
  virtual void launchBegins() {}
  virtual void accessIssued(const MemoryOperation& /*access*/) {}
  // A memory instruction of a warp has passed the first memory stage, which it needed for so many cycles (bank conflicts included).
  virtual void accessServed(SlotId /*slot*/, const InstructionInfo& /*info*/, u32 /*cycles*/) {}
  // The last answer of a memory operation has come.
  virtual void accessAnswered(const MemoryOperation& /*access*/, Cycle /*now*/) {}
  // Whether it wants to hear of the first-level data cache, below.
  virtual bool followsCache() const { return false; }
  // An access of a warp of this scheduler has been looked up. isHit: with all that it touches; else it waits for what is on its way, or to
  // be fetched.
  virtual void cacheAccessed(const mem::Request& /*access*/, bool /*isHit*/, Cycle /*now*/) {}
  // A line has made room for another. whose: who brought it, or wrote to it last, a warp of this scheduler.
  virtual void lineEvicted(GlobalAddress /*address*/, const mem::Origin& /*whose*/, Cycle /*now*/) {}
  // Warps that the last pick() would have let issue but for memory that is busy.
  virtual WarpSet heldBack() const { return {}; }
  // When, from `now` on, that changes by itself.
  virtual Cycle nextUseful(Cycle /*now*/) const { return kNever; }
};

struct SchedulerContext {
  const config::Machine& machine;  // outlives the scheduler
  u32 number;                      // of the scheduler on its SM
};
using SchedulerEntry = config::PolicyEntry<WarpScheduler, const SchedulerContext&>;
using SchedulerList = config::PolicyList<WarpScheduler, const SchedulerContext&>;

SchedulerList& schedulerList();

// A policy that needs to know nothing. For the entries of such policies.
template <class P>
std::unique_ptr<WarpScheduler> makePlain(const std::any&, const SchedulerContext&) {
  return std::make_unique<P>();
}

// members: not empty.
inline SlotId oldest(WarpSet members, std::span<const u64> age) {
  SlotId best = members.takeLeast();
  for (const SlotId slot : members) {
    if (age[slot] < age[best]) best = slot;
  }
  return best;
}

}  // namespace warpwright::sm
