#include "access/bank_conflicts.hpp"

#include <algorithm>
#include <bit>

#include "access/access_pattern.hpp"
#include "base/lane_count.hpp"

namespace warpwright::access {
namespace {

// Of the active lanes, each that has an active partner `distance` away asks for the same as that.
bool areEqual(const u64* offsets, LaneMask mask, u32 distance) {
  for (const LaneId lane : mask) {
    const LaneId partner(lane ^ distance);
    if (mask.contains(partner) && offsets[lane] != offsets[partner]) return false;
  }
  return true;
}

}  // namespace

BankConflicts::BankConflicts(Geometry geometry)
    : warpSize_(geometry.warpSize),
      banks_(geometry.sharedBanks),
      bankShift_(std::bit_width(geometry.sharedBankBytes) - 1),
      lanesTogether_(std::min(geometry.lanesTogether, geometry.warpSize)),
      multicast_(geometry.multicast),
      pairsTogether_(geometry.pairsTogether),
      mapped_(bankShift_) {}

void BankConflicts::access(const u64* offsets, LaneMask mask, u32 bytes, Spread spread, const parallel_memory::BankTable* table) {
  const bool isRepeatable = mayRemember(mask, spread, table);
  if (isRepeatable && recall(offsets, bytes, false)) return;
  serve(offsets, mask, bytes, spread, table);
  if (isRepeatable) remember(offsets, bytes, false);
}

void BankConflicts::load(const u64* offsets, LaneMask mask, u32 bytes, Spread spread, const parallel_memory::BankTable* table) {
  const bool isRepeatable = mayRemember(mask, spread, table);
  if (isRepeatable && recall(offsets, bytes, true)) return;
  lanesForOne_ = asksInPairs(offsets, mask, bytes, spread) ? 2 : 1;
  serve(offsets, mask, bytes, spread, table);
  lanesForOne_ = 1;
  if (isRepeatable) remember(offsets, bytes, true);
}

void BankConflicts::serve(const u64* offsets, LaneMask mask, u32 bytes, Spread spread, const parallel_memory::BankTable* table) {
  if (table != nullptr)
    return servePhases(mask, bytes, [&](LaneMask lanes) {
      const u32 passes =
          multicast_ ? mapped_.degree(*table, offsets, lanes, bytes) : mapped_.passesWithOneBroadcast(*table, offsets, lanes, bytes);
      served_.words += mapped_.lines() * table->lineWords();
      return passes;
    });
  if (isConflictFree(offsets, mask, bytes, spread))
    return servePhases(mask, bytes, [&](LaneMask lanes) {
      served_.words += wordsOfRun(offsets, lanes, bytes);
      return 1;
    });
  if (multicast_) return servePhases(mask, bytes, [&](LaneMask lanes) { return degreeOf(offsets, lanes, bytes); });
  servePhases(mask, bytes, [&](LaneMask lanes) { return passesWithOneBroadcast(offsets, lanes, bytes); });
}

// Whether phases are the same for all accesses that are alike but for whole words, and it takes long enough to find out.
bool BankConflicts::mayRemember(LaneMask mask, Spread spread, const parallel_memory::BankTable* table) const {
  return multicast_ && table == nullptr && spread != Spread::consecutive && spread != Spread::uniform && mask == LaneMask::first(warpSize_);
}

bool BankConflicts::recall(const u64* offsets, u32 bytes, bool isLoad) {
  const u32 within = static_cast<u32>(offsets[0]) & ((1u << bankShift_) - 1);
  for (const Pattern& pattern : patterns_) {
    if (pattern.bytes != bytes || pattern.within != within || pattern.isLoad != isLoad) continue;
    if (offsets[1] - offsets[0] != pattern.distance[1]) continue;
    u64 difference = 0;  // no early exit: the loop vectorises
    for (u32 lane = 0; lane < warpSize_; ++lane) difference |= (offsets[lane] - offsets[0]) ^ pattern.distance[lane];
    if (difference != 0) continue;
    served_.take(pattern.served);
    return true;
  }
  return false;
}

void BankConflicts::remember(const u64* offsets, u32 bytes, bool isLoad) {
  Pattern& pattern = patterns_[nextPattern_++ % kPatterns];
  pattern.isLoad = isLoad;
  pattern.bytes = bytes;
  pattern.within = static_cast<u32>(offsets[0]) & ((1u << bankShift_) - 1);
  for (u32 lane = 0; lane < warpSize_; ++lane) pattern.distance[lane] = offsets[lane] - offsets[0];
  pattern.served.take(served_);
}

bool BankConflicts::asksInPairs(const u64* offsets, LaneMask mask, u32 bytes, Spread spread) const {
  if (!pairsTogether_ || bytes <= u64{1} << bankShift_ || spread == Spread::consecutive) return false;
  return spread == Spread::uniform || areEqual(offsets, mask, 1) || areEqual(offsets, mask, 2);
}

void BankConflicts::atomic(const u64* offsets, LaneMask mask, u32 bytes, const parallel_memory::BankTable* table) {
  servePhases(mask, bytes, [&](LaneMask lanes) {
    if (table == nullptr) return updatesOfOneBank(offsets, lanes, bytes);
    const u32 passes = mapped_.updatesOfOneBank(*table, offsets, lanes, bytes);
    served_.words += mapped_.lines() * table->lineWords();
    return passes;
  });
}

template <class PassesOf>
void BankConflicts::servePhases(LaneMask mask, u32 bytes, PassesOf passesOf) {
  served_.phases = served_.passes = served_.words = 0;
  const u32 wordsPerLane = std::max(1u, bytes >> bankShift_);
  const u32 group = std::clamp(banks_ / wordsPerLane * lanesForOne_, 1u, lanesTogether_);
  for (u32 first = 0; first < warpSize_; first += group) {
    const LaneMask lanes = mask & LaneMask::range(first, group);
    if (lanes) record(first, passesOf(lanes));
  }
}

void BankConflicts::record(u32 firstLane, u32 degree) {
  served_.phase[served_.phases++] = {firstLane, degree};
  served_.passes += degree;
}

// The two common cases: neighbouring words, or one for all.
bool BankConflicts::isConflictFree(const u64* offsets, LaneMask mask, u32 bytes, Spread spread) const {
  if (!isRun(mask)) return false;
  const u64* first = offsets + mask.least();
  const u32 lanes = static_cast<u32>(countLanes(mask));
  const u32 bankBytes = 1u << bankShift_;
  if (spread == Spread::scattered) return false;
  const bool fits = u64{bytes} <= u64{banks_} * bankBytes && static_cast<u32>(first[0]) % std::max(bytes, bankBytes) == 0;
  if (!fits) return false;
  // One broadcast a pass: a word for all lanes, or as many words as lanes.
  const bool oneWord = multicast_ || bytes <= bankBytes, wordEach = multicast_ || bytes >= bankBytes;
  if (spread == Spread::consecutive) return wordEach;
  if (spread == Spread::uniform) return oneWord;
  return (wordEach && hasStride(first, lanes, bytes)) || (oneWord && hasStride(first, lanes, 0));
}

// Of neighbouring lanes whose offsets rise evenly, or are one.
u32 BankConflicts::wordsOfRun(const u64* offsets, LaneMask lanes, u32 bytes) const {
  const u64 first = offsets[lanes.least()], last = offsets[lanes.greatest()] + bytes - 1;
  return static_cast<u32>((last >> bankShift_) - (first >> bankShift_)) + 1;
}

// Of accesses that need few words of each bank, without a branch that depends on the offsets; nothing: one needs more.
std::optional<u32> BankConflicts::smallDegreeOf(const u64* offsets, LaneMask lanes, u32 bytes) {
  constexpr u32 kFew = 4, kNone = ~u32{0};
  std::array<std::array<u32, kFew>, kMaxBanks> known;
  std::array<u8, kMaxBanks> degree{};
  for (u32 bank = 0; bank < banks_; ++bank) known[bank].fill(kNone);
  u32 worst = 0, count = 0;
  for (const LaneId lane : lanes) {
    const u64 offset = offsets[lane];
    const u32 lastWord = static_cast<u32>((offset + bytes - 1) >> bankShift_);
    for (u32 word = static_cast<u32>(offset >> bankShift_); word <= lastWord; ++word) {
      std::array<u32, kFew>& words = known[word & (banks_ - 1)];
      u8& used = degree[word & (banks_ - 1)];
      if (used == kFew) return std::nullopt;
      const bool isNew = ((words[0] == word) | (words[1] == word) | (words[2] == word) | (words[3] == word)) == 0;
      words[used] = word;
      used = static_cast<u8>(used + isNew);
      count += isNew;
      worst = std::max<u32>(worst, used);
    }
  }
  served_.words += count;
  return worst;
}

u32 BankConflicts::degreeOf(const u64* offsets, LaneMask lanes, u32 bytes) {
  if (const std::optional<u32> small = smallDegreeOf(offsets, lanes, bytes)) return *small;
  std::array<u16, kMaxBanks> degree{};
  std::array<u8, kMaxBanks> last{};  // index of the bank's last word, if it has one
  u32 worst = 0, count = 0;
  const auto isKnown = [&](u64 word, u32 bank) {
    u32 index = last[bank];
    for (u32 left = degree[bank]; left != 0; --left, index = known_[index].before) {
      if (known_[index].number == word) return true;
    }
    return false;
  };
  for (const LaneId lane : lanes) {
    const u64 offset = offsets[lane];
    const u64 lastWord = (offset + bytes - 1) >> bankShift_;
    for (u64 word = offset >> bankShift_; word <= lastWord; ++word) {
      const u32 bank = static_cast<u32>(word) & (banks_ - 1);
      if (isKnown(word, bank)) continue;
      known_[count] = {word, last[bank]};
      last[bank] = static_cast<u8>(count++);
      worst = std::max<u32>(worst, ++degree[bank]);
    }
  }
  served_.words += count;
  return worst;
}

u32 BankConflicts::updatesOfOneBank(const u64* offsets, LaneMask lanes, u32 bytes) {
  std::array<u16, kMaxBanks> updates{};
  u32 most = 0;
  for (const LaneId lane : lanes) {
    const u64 offset = offsets[lane];
    for (u64 word = offset >> bankShift_; word <= (offset + bytes - 1) >> bankShift_; ++word, ++served_.words)
      most = std::max<u32>(most, ++updates[word & (banks_ - 1)]);
  }
  return most;
}

u32 BankConflicts::passesWithOneBroadcast(const u64* offsets, LaneMask lanes, u32 bytes) {
  u32 left = 0;
  for (const LaneId lane : lanes) {
    const u64 offset = offsets[lane];
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
    served_.words += static_cast<u32>(std::popcount(busy));
  }
  return passes;
}

}  // namespace warpwright::access
