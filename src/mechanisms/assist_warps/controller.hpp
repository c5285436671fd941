// The assist warp controller of an SM (section 4.3): it watches for triggers (controller_triggers.cpp), keeps the table, and deploys assist
// warps.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "mechanisms/assist_warps/settings.hpp"
#include "mechanisms/assist_warps/statistics.hpp"
#include "mechanisms/assist_warps/table.hpp"
#include "mechanisms/assist_warps/throttle.hpp"
#include "sm/assistance.hpp"
#include "sm/helpers.hpp"
#include "sm/launch_plan.hpp"

namespace warpwright::mechanisms::assist_warps {

// Of one SM.
struct Counted {
  Statistics all;
  std::map<std::string, RoutineStatistics> byRoutine;
};

class Controller final : public sm::Helpers, public sm::Assistance {
 public:
  // A launch has its Routines among the notes of its plan, or none.
  Controller(const Settings& settings, const config::Machine& machine, sm::HelperControl& control, Counted& counted);

  void issued(SlotId slot, const exec::StepRecord& record, const sm::LaunchPlan& plan, Cycle now) override;
  void missed(const sm::Missed& miss, Cycle now) override;
  void filled(const mem::Request& response, Cycle now) override;
  void idle(u32 scheduler, Cycle now) override;
  bool faulted(const sm::Faulted& what, Cycle now) override;
  void finished(SlotId slot, Cycle now) override;
  void blockEnds(const sm::EndedBlock& block) override;
  void helperIssued(u32 helper, const exec::StepRecord& record, Cycle now) override;
  void helperReplayed(u32 helper, const exec::StepRecord& record, Cycle now) override;
  void ended(u32 helper, Cycle now) override;
  void tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override;

  bool knows(SlotId slot, std::string_view routine) const override { return findRoutine(slot, routine) != nullptr; }
  bool ask(const sm::AssistanceRequest& request, sm::AssistanceClient& client, Cycle now) override;
  void cancel(SlotId slot, u32 ticket, const sm::AssistanceClient& client) override;
  std::optional<SlotId> waiterFor(const mem::Request& response) const override;
  sm::WarpSet waitersFor(const mem::Request& response) const override;

 private:
  struct FaultPlace {
    Pc pc;
    LaneId lane;
    u64 address = 0;
    bool operator==(const FaultPlace&) const = default;
  };
  // A resident warp, from its first instruction on.
  struct Parent {
    FaultPlace fault;                    // its last
    std::optional<GlobalAddress> toMap;  // the page that is to be there before
    FaultEnd end = FaultEnd::stop;       // what is to become of it
    const Routines* routines = nullptr;  // null: there is none
    u32 line = 0;                        // of the instruction before
    const sm::LaunchPlan* plan = nullptr;
    std::vector<RoutineStatistics*> counted;  // of its routines
  };
  // What an instance gets of what triggered it.
  struct Event {
    LaneMask lanes = ~LaneMask{};
    const exec::AccessRecord* access = nullptr;
    GlobalAddress line;  // of a miss or a fill; where a fault happens
    const isa::Instruction* instruction = nullptr;
    Pc pc;  // of the instruction
    bool isFault = false;
  };

  // A line on its way to the data cache or the texture cache.
  struct Fetched {
    GlobalAddress line;
    bool isTexture = false;

    auto operator<=>(const Fetched&) const = default;
  };
  static Fetched fetchedBy(const mem::Request& request) { return {request.address, request.type == mem::AccessType::textureRead}; }
  // An assist warp that has ended, whose results are being moved.
  struct Moving {
    Entry* entry = nullptr;
    Cycle until{};
  };
  // A warp at fault, whose page the host maps.
  struct Mapping {
    SlotId slot;
    Cycle until{};
  };
  // Warps that have missed it.
  struct Waiters {
    SlotId first;
    sm::WarpSet all;
  };

  void trigger(SlotId slot, const Routine& routine, const Event& event, Cycle now);
  Parent& adopt(SlotId slot, const sm::LaunchPlan& plan);
  void triggerByIssue(SlotId slot, const Routine& routine, const exec::StepRecord& record, bool isFirst, bool isNewLine, Cycle now);
  void triggerAll(SlotId slot, Trigger trigger, const Event& event, Cycle now);
  Entry entryOf(SlotId slot, const Routine& routine, LaneMask lanes, Cycle now) const;
  void insert(Entry entry);
  void setArguments(Entry& entry, const Event& event) const;
  void setResults(Entry& entry, const Event& event) const;
  void putRegister(Entry& entry, u32 helperRegister, u32 ownRegister) const;
  sm::HelperStart::Given& give(Entry& entry, u32 helperRegister) const;
  void putKept(Entry& entry, const Words& words) const;
  void putWords(Entry& entry, const Words& words, const Event& event, LiveIn what) const;
  bool deploy(Entry& entry, Cycle now);
  void stage(Entry& entry, Cycle now);
  void follow(Entry& entry, const exec::NextInstruction& next, Pc inSequence, Cycle now);
  void flush(Entry& entry, Pc next);
  void addUp(const Entry& entry, u32 helper);
  void noteResume(const Entry& entry, u32 helper);
  void endFault(SlotId slot, Cycle now);
  void resume(SlotId slot, FaultEnd end);
  void resumeMapped(Cycle now);
  void freeMoved(Cycle now);
  void killLeft(Cycle now);
  void fireTimers(Cycle now);
  void free(Entry& entry, Cycle now);
  // The next resident warp behind `from`, in turn, for which holds(slot).
  std::optional<SlotId> nextWarp(u32 from, auto&& holds) const;
  const Routine* findRoutine(SlotId slot, std::string_view name) const;
  void answer(const Entry& entry, std::span<const std::byte> buffer, Cycle now) const;
  const Routines* routinesOf(SlotId slot) const { return parents_[slot].routines; }
  RoutineStatistics* countsOf(SlotId slot, const Routine& routine) const;
  bool isFirstOfItsLaunch(SlotId slot) const;

  const Settings settings_;
  const u32 schedulers_, layoutLanes_;
  sm::HelperControl& control_;
  Counted& counted_;
  AssistTable table_;
  Throttle throttle_;
  std::array<Parent, sm::kMostWarps> parents_{};
  sm::WarpSet resident_, timed_;  // warps that have issued; those whose routines have timers
  sm::WarpSet resumed_;           // warps that have issued nothing since they went on after a fault
  std::map<Fetched, Waiters> fetching_;
  std::vector<u32> lastIdle_;  // warp, by scheduler
  u32 lastTimed_ = 0;
  std::vector<u32> toKill_;  // helpers
  std::vector<Moving> moving_;
  std::vector<Mapping> mapping_;
};

}  // namespace warpwright::mechanisms::assist_warps
