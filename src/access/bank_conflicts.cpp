#include "access/bank_conflicts.hpp"

#include <algorithm>
#include <bit>

#include "access/access_pattern.hpp"

namespace warpwright::access {

BankConflicts::BankConflicts(Geometry geometry)
    : warpSize_(geometry.warpSize),
      banks_(geometry.sharedBanks),
      bankShift_(std::bit_width(geometry.sharedBankBytes) - 1),
      lanesTogether_(std::min(geometry.lanesTogether, geometry.warpSize)),
      multicast_(geometry.multicast) {}

void BankConflicts::access(const u64* offsets, LaneMask mask, u32 bytes, Spread spread) {
  phases_ = passes_ = 0;
  const u32 wordsPerLane = std::max(1u, bytes >> bankShift_);
  const u32 group = std::clamp(banks_ / wordsPerLane, 1u, lanesTogether_);
  const bool free = isConflictFree(offsets, mask, bytes, spread);
  for (u32 first = 0; first < warpSize_; first += group) {
    const LaneMask lanes = mask & (firstLanes(group) << first);
    if (lanes == 0) continue;
    const auto passesOf = multicast_ ? &BankConflicts::degreeOf : &BankConflicts::passesWithOneBroadcast;
    record(first, free ? 1 : (this->*passesOf)(offsets, lanes, bytes));
  }
}

void BankConflicts::record(u32 firstLane, u32 degree) {
  firstLanes_[phases_] = firstLane;
  degrees_[phases_++] = degree;
  passes_ += degree;
}

// The two common cases: neighbouring words, or one for all.
bool BankConflicts::isConflictFree(const u64* offsets, LaneMask mask, u32 bytes, Spread spread) const {
  if (!isRun(mask)) return false;
  const u64* first = offsets + std::countr_zero(mask);
  const u32 lanes = static_cast<u32>(std::popcount(mask));
  const u32 bankBytes = 1u << bankShift_;
  const bool fits = u64{bytes} <= u64{banks_} * bankBytes && static_cast<u32>(first[0]) % std::max(bytes, bankBytes) == 0;
  if (!fits) return false;
  // One broadcast a pass: a word for all lanes, or as many words as lanes.
  const bool oneWord = multicast_ || bytes <= bankBytes, wordEach = multicast_ || bytes >= bankBytes;
  if (spread == Spread::consecutive) return wordEach;
  if (spread == Spread::uniform) return oneWord;
  return (wordEach && hasStride(first, lanes, bytes)) || (oneWord && hasStride(first, lanes, 0));
}

u32 BankConflicts::degreeOf(const u64* offsets, LaneMask lanes, u32 bytes) {
  std::array<u16, kMaxBanks> degree{};
  std::array<u8, kMaxBanks> last{};  // place of the bank's last word, if it has one
  u32 worst = 0, count = 0;
  const auto isKnown = [&](u64 word, u32 bank) {
    u32 place = last[bank];
    for (u32 left = degree[bank]; left != 0; --left, place = words_[place].before) {
      if (words_[place].number == word) return true;
    }
    return false;
  };
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const u64 offset = offsets[std::countr_zero(rest)];
    const u64 lastWord = (offset + bytes - 1) >> bankShift_;
    for (u64 word = offset >> bankShift_; word <= lastWord; ++word) {
      const u32 bank = static_cast<u32>(word) & (banks_ - 1);
      if (isKnown(word, bank)) continue;
      words_[count] = {word, last[bank]};
      last[bank] = static_cast<u8>(count++);
      worst = std::max<u32>(worst, ++degree[bank]);
    }
  }
  return worst;
}

u32 BankConflicts::passesWithOneBroadcast(const u64* offsets, LaneMask lanes, u32 bytes) {
  u32 left = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const u64 offset = offsets[std::countr_zero(rest)];
    for (u64 word = offset >> bankShift_; word <= (offset + bytes - 1) >> bankShift_; ++word) wanted_[left++] = word;
  }
  u32 passes = 0;
  for (; left != 0; ++passes) {
    const u64 broadcast = wanted_[0];
    u64 busy = bankBit(broadcast);
    u32 kept = 0;
    for (u32 i = 0; i < left; ++i) {
      if (wanted_[i] == broadcast) continue;
      if ((busy & bankBit(wanted_[i])) != 0) {
        wanted_[kept++] = wanted_[i];
        continue;
      }
      busy |= bankBit(wanted_[i]);
    }
    left = kept;
  }
  return passes;
}

}  // namespace warpwright::access
