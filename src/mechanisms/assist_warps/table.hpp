// The assist warp table (section 4.3, figure 5): an entry for each assist warp that is triggered or deployed.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "mechanisms/assist_warps/routine.hpp"
#include "sm/assistance.hpp"
#include "sm/helpers.hpp"

namespace warpwright::mechanisms::assist_warps {

struct Entry {
  SlotId slot;                       // warp ID
  const Routine* routine = nullptr;  // SR.ID, and its end; null: the entry is free
  LaneMask lanes;                    // active mask
  Priority priority = Priority::low;
  Pc next;  // Inst.ID
  // Live registers: what the arguments are, registers of the warp that they still wait for, and where the result goes.
  std::vector<sm::HelperStart::Given> given;
  sm::RegisterSet awaited;
  u32 resultRegister = 0;
  Cycle triggered{};
  std::optional<u32> helper;  // as the SM numbers it; none: it is not deployed
  bool isAbandoned = false;   // by a fault that it was not allowed to have
  // Who asked for it, and what its buffer begins with; null: nobody, something triggered it.
  sm::AssistanceClient* client = nullptr;
  u32 ticket = 0;
  std::vector<std::byte> buffer;
  sm::WarpSet held;  // of high priority: others that wait for it, too

  bool waits() const { return routine != nullptr && !helper; }
};

struct Limits {
  u32 entries = 0;     // of other priorities than high, whose warps wait and have one each
  u32 lowEntries = 0;  // deployed with low priority at once: the partition of the instruction buffer
  u32 mostLive = 0;    // deployed with other priorities than high at once: static throttle
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
  void free(Entry& entry);

  // Which is deployed next: the one that waits behind the last that was, round robin, those of higher priority first. Null: none may be.
  // isThrottled: of high priority alone.
  Entry* next(bool isThrottled);
  bool canDeploy(bool isThrottled) const {
    const std::optional<std::size_t>& found = found_[isThrottled ? 1 : 0];
    return (found ? *found : search(isThrottled)) != kNone;
  }
  bool anyWaits() const { return waiting_ != PerPriority{}; }

  Entry* ofHelper(u32 helper) { return helper < byHelper_.size() ? byHelper_[helper] : nullptr; }
  // Whether an entry of high priority keeps the warp from issuing.
  bool holds(SlotId slot) const;
  u32 live() const { return deployed_[0] + deployed_[1] + deployed_[2]; }

  template <class Visit>
  void forEachOf(SlotId slot, Visit&& visit) {
    for (Entry& entry : entries_)
      if (entry.routine != nullptr && entry.slot == slot) visit(entry);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  using PerPriority = std::array<u32, 3>;

  std::size_t find(bool isThrottled);
  std::size_t search(bool isThrottled) const;
  bool mayDeploy(const Entry& entry, bool isThrottled) const;
  std::size_t count(auto&& holds) const;

  Limits limits_;
  std::deque<Entry> entries_;
  std::vector<Entry*> byHelper_;
  std::vector<sm::WarpSet> busy_;  // by group: warps that have a routine of it deployed
  PerPriority waiting_{}, deployed_{};
  std::size_t last_ = 0;  // deployed
  // What was found for a machine that is throttled, and for one that is not; nothing: something has changed since.
  std::array<std::optional<std::size_t>, 2> found_;
};

}  // namespace warpwright::mechanisms::assist_warps
