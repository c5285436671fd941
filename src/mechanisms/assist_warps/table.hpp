// The assist warp table (section 4.3, figure 5): an entry for each assist warp that is triggered or deployed.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "mechanisms/assist_warps/positions.hpp"
#include "mechanisms/assist_warps/routine.hpp"
#include "mechanisms/assist_warps/statistics.hpp"
#include "mechanisms/assist_warps/throttle.hpp"
#include "sm/assistance.hpp"
#include "sm/helpers.hpp"

namespace warpwright::mechanisms::assist_warps {

struct Entry {
  SlotId slot;                       // warp ID
  const Routine* routine = nullptr;  // SR.ID, and its end; null: the entry is free
  LaneMask lanes;                    // active mask
  const sm::LaunchPlan* plan = nullptr;
  RoutineStatistics* counted = nullptr;  // those of its routine
  Priority priority = Priority::low;
  Pc next;                    // Inst.ID: what is staged next
  u32 staged = 0;             // instructions of it in the buffer
  Cycle unstagedSince{};      // it has issued all that was
  bool isThrough = false;     // it issues nothing more
  bool hasEnded = false;      // … and the SM has forgotten it; its results are on their way
  bool wasThrottled = false;  // while it waited
  bool hasIssued = false;     // an instruction
  bool putsOffFault = false;  // of its warp
  std::size_t position = 0;   // in the table
  // Live registers: what the arguments are, registers of the warp that they still wait for, and where results go.
  std::vector<sm::HelperStart::Given> given;
  sm::RegisterSet awaited;
  std::vector<sm::HelperStart::Move> results;
  Cycle triggered{};
  std::optional<u32> helper;  // as the SM numbers it; none: it is not deployed
  bool isAbandoned = false;   // by a fault that it was not allowed to have
  // Who asked for it, and what its buffer begins with; null: nobody, something triggered it.
  sm::AssistanceClient* client = nullptr;
  u32 ticket = 0;
  std::vector<std::byte> buffer;
  sm::WarpSet held;  // of high priority: others that wait for it, too

  bool waits() const { return routine != nullptr && !helper; }
  // Whether an instruction of it is left to be staged. They are staged one behind the other, to the end of the subroutine (SR.End); a jump
  // out of the sequence may lead anywhere, to a function behind that end, too.
  bool hasMore() const { return helper && !isThrough && (staged == 0 || next != routine->function->end); }
};

struct Limits {
  u32 entries = 0;      // of other priorities than high, whose warps wait and have one each
  u32 lowEntries = 0;   // instructions of low priority that are staged at once: their partition of the instruction buffer
  u32 warpEntries = 0;  // … of other priorities, for each warp: its own partition
  u32 mostLive = 0;     // deployed with other priorities than high at once: static throttle
};

class AssistTable {
 public:
  explicit AssistTable(const Limits& limits) : limits_(limits) {}

  // One instance of a routine, or of those of its group, is live for a warp (section 4.2.2).
  bool isLive(SlotId slot, const Routine& routine) const;
  bool hasRoom(Priority priority) const;
  // Where there is room. The entry stays where it is until it is freed.
  Entry& insert(Entry entry);
  void deployed(Entry& entry, u32 helper);
  // The SM may number another so from now on; the entry stays until it is freed.
  void ended(Entry& entry);
  void free(Entry& entry);

  // Of which an instruction is staged next: those of higher priority first, round robin among equals. One that waits is deployed by it.
  // Null: none may be.
  Entry* next();
  bool canStage() const { return search().has_value(); }
  bool anyWaits() const { return waiting_ != PerPriority{}; }
  // From now on nothing that this stops begins.
  void throttle(const Throttled& throttled);
  bool isThrottled() const { return throttled_ != Throttled{}; }

  // An instruction of it, which is deployed, enters the buffer; leaves it.
  void stage(Entry& entry);
  void issued(Entry& entry);
  // All leave it; it goes on with `next`.
  void flush(Entry& entry, Pc next);
  // It issues nothing more.
  void isThrough(Entry& entry);

  Entry* ofHelper(u32 helper) { return helper < byHelper_.size() ? byHelper_[helper] : nullptr; }
  // Whether the fault of the warp waits for an entry.
  bool putsOffFault(SlotId slot) const;
  // Whether an entry of high priority keeps the warp from issuing.
  bool holds(SlotId slot) const;
  u32 live() const { return deployed_[0] + deployed_[1] + deployed_[2]; }

  template <class Visit>
  void forEachOf(SlotId slot, Visit&& visit) {
    ofWarp_[slot].forEach([&](std::size_t position) { visit(entries_[position]); });
  }

 private:
  using PerPriority = std::array<u32, 3>;
  // Entries of a priority of which an instruction could be staged, where the limits for all of the priority allow it.
  struct Ready {
    Positions begin, goOn;  // that wait; that are deployed
    std::size_t last = 0;   // that was chosen
  };

  std::optional<std::size_t> search() const;
  static std::optional<std::size_t> nextOf(const Ready& ready, bool mayBegin);
  bool mayBegin(Priority priority) const;
  u32& stagedWith(const Entry& entry);
  void refresh(Entry& entry);
  void refreshAllOf(SlotId slot);
  void forget(Entry& entry);

  Limits limits_;
  std::deque<Entry> entries_;
  Positions free_;
  std::array<Positions, sm::kMostWarps> ofWarp_;
  std::vector<Entry*> byHelper_;
  std::vector<sm::WarpSet> busy_;  // by group: warps that have a routine of it deployed
  PerPriority waiting_{}, deployed_{};
  std::array<Ready, 3> ready_;
  std::array<u32, sm::kMostWarps> stagedOfWarp_{};  // instructions, of other priorities than low
  u32 stagedLow_ = 0;
  Throttled throttled_;
};

}  // namespace warpwright::mechanisms::assist_warps
