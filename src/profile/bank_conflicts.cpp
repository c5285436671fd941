#include "profile/bank_conflicts.hpp"

#include <algorithm>
#include <bit>

#include "profile/coalescer.hpp"

namespace warpwright::profile {

BankConflicts::BankConflicts(Geometry geometry)
    : warpSize_(geometry.warpSize), banks_(geometry.sharedBanks), bankShift_(std::bit_width(geometry.sharedBankBytes) - 1) {}

void BankConflicts::access(const u64* offsets, LaneMask mask, u32 bytes) {
  phases_ = passes_ = 0;
  const u32 wordsPerLane = std::max(1u, bytes >> bankShift_);
  const u32 group = std::clamp(banks_ / wordsPerLane, 1u, warpSize_);
  for (u32 first = 0; first < warpSize_; first += group) {
    const LaneMask lanes = mask & (firstLanes(group) << first);
    if (lanes != 0) record(degreeOf(offsets, lanes, bytes));
  }
}

void BankConflicts::record(u32 degree) {
  degrees_[phases_++] = degree;
  passes_ += degree;
}

u32 BankConflicts::degreeOf(const u64* offsets, LaneMask lanes, u32 bytes) {
  // Chains of the distinct words seen so far, one chain a bank, in arrays of the phase's size: no clearing of anything larger.
  constexpr u32 kMaxWords = std::max(kMaxWarpSize, kMaxBanks) * 2 + kMaxLaneBytes;
  std::array<u64, kMaxWords> words;
  std::array<u16, kMaxWords> next;
  std::array<u16, kMaxBanks> head{}, degree{};
  u16 count = 0;
  u32 worst = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const u64 offset = offsets[std::countr_zero(rest)];
    for (u64 word = offset >> bankShift_; word <= (offset + bytes - 1) >> bankShift_; ++word) {
      const u64 bank = word & (banks_ - 1);
      u16 link = head[bank];
      while (link != 0 && words[link - 1] != word) link = next[link - 1];
      if (link != 0) continue;
      words[count] = word;
      next[count] = head[bank];
      head[bank] = ++count;
      worst = std::max<u32>(worst, ++degree[bank]);
    }
  }
  return worst;
}

}  // namespace warpwright::profile
