// Cache-conscious wavefront scheduling (Rogers, O'Connor, Aamodt: "Cache-Conscious Wavefront Scheduling", MICRO 2012). Tags of lines that a
// warp lost from L1 show which of its misses would have been hits. Such misses give the warp a score, scores fade by one a cycle, and where
// the scores of all warps exceed what they are without lost locality, loads of those with the lowest scores do not issue.
//
// As there but for this: each scheduler keeps the scores of its own warps and compares them with its own cutoff; which instructions are
// loads that use L1 is found out by their pc, when they first issue.
#pragma once

#include <array>
#include <unordered_set>
#include <vector>

#include "sm/schedulers/scheduler.hpp"

namespace warpwright::sm {

struct CcwsSettings {
  u32 victimTags = 16, victimWays = 8, baseScore = 100, throttle = 8;
};

std::span<const config::Row<CcwsSettings>> ccwsRows();

// The lines that a warp lost last, in sets of ways.
class VictimTags {
 public:
  // tags: a multiple of the ways.
  VictimTags(u32 tags, u32 ways, u32 lineBytes) : ways_(ways), lineBytes_(lineBytes), tags_(tags, kNone) {}

  // Addresses: of any byte of the line.
  void insert(GlobalAddress address);
  // Whether it is there; it leaves then.
  bool take(GlobalAddress address);
  void clear() { tags_.assign(tags_.size(), kNone); }

 private:
  static constexpr u64 kNone = ~u64{0};
  std::span<u64> setOf(u64 line);

  u32 ways_, lineBytes_;
  std::vector<u64> tags_;  // each set from the last inserted on
};

class Ccws final : public WarpScheduler {
 public:
  Ccws(const CcwsSettings& settings, u32 lineBytes);

  SlotId pick(const SchedulerView& view) override;
  void issued(SlotId slot) override;
  void launchBegins() override;
  void accessIssued(const MemoryOperation& access) override;
  bool followsCache() const override { return true; }
  void cacheAccessed(const mem::Request& access, bool isHit, Cycle now) override;
  void lineEvicted(GlobalAddress address, const mem::Origin& whose, Cycle now) override;
  WarpSet heldBack() const override { return heldBack_; }
  Cycle nextUseful(Cycle now) const override;

  u64 score(SlotId slot, Cycle now) const;
  // Warps whose loads may not issue.
  WarpSet throttled(Cycle now) const;

 private:
  static constexpr u32 kSlots = 64;
  struct Warp {
    explicit Warp(VictimTags empty) : lost(std::move(empty)) {}
    u32 launch = mem::Origin::kNoLaunch, block = 0;
    VictimTags lost;
    u64 score = 0;  // above the base, at
    Cycle since{};
  };

  Warp& warpOf(const mem::Origin& origin);
  bool isOf(const Warp& warp, const mem::Origin& origin) const { return warp.launch == origin.launch && warp.block == origin.block; }
  WarpSet loading(WarpSet slots, const SchedulerView& view) const;
  u64 cutoff() const;
  bool frees(Cycle now) const { return !(heldBack_ & ~throttled(now)).empty(); }

  const CcwsSettings settings_;
  std::vector<Warp> warps_;          // by slot
  std::unordered_set<u64> loads_;    // launch and pc of loads that use L1
  WarpSet resident_, heldBack_;      // at the last pick
  Cycle calm_{};                     // from then on no warp has a score above the base
  u64 instructions_ = 0, hits_ = 0;  // issued; found among the tags of lost lines
  SlotId last_;
};

extern const SchedulerEntry kCcws;

}  // namespace warpwright::sm
