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
      bankBits_(std::bit_width(geometry.sharedBanks) - 1),
      lanesTogether_(std::min(geometry.lanesTogether, geometry.warpSize)),
      multicast_(geometry.multicast),
      pairsTogether_(geometry.pairsTogether),
      mapped_(bankShift_) {}

void BankConflicts::access(const u64* offsets, LaneMask mask, u32 bytes, Spread spread, const parallel_memory::BankTable* table) {
  servedAlike(offsets, mask, bytes, spread, table, false);
}

void BankConflicts::load(const u64* offsets, LaneMask mask, u32 bytes, Spread spread, const parallel_memory::BankTable* table) {
  servedAlike(offsets, mask, bytes, spread, table, true);
}

void BankConflicts::servedAlike(const u64* offsets, LaneMask mask, u32 bytes, Spread spread, const parallel_memory::BankTable* table,
                                bool isLoad) {
  const bool isRepeatable = mayRemember(mask, spread, table);
  const u64 key = keyOf(offsets, bytes, isLoad);
  if (isRepeatable) {
    if (const Served* known = like_.recall(offsets, warpSize_, key)) return served_.take(*known);
  }
  lanesForOne_ = isLoad && asksInPairs(offsets, mask, bytes, spread) ? 2 : 1;
  serve(offsets, mask, bytes, spread, table);
  lanesForOne_ = 1;
  if (isRepeatable) like_.remember(offsets, warpSize_, key).take(served_);
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
  if (multicast_) return servePhases(mask, bytes, [&](LaneMask lanes) { return degreeOf(wordsOf(offsets, lanes, bytes)); });
  servePhases(mask, bytes, [&](LaneMask lanes) { return passesWithOneBroadcast(wordsOf(offsets, lanes, bytes)); });
}

// Whether phases are the same for all accesses that are alike but for whole words, and it takes long enough to find out.
bool BankConflicts::mayRemember(LaneMask mask, Spread spread, const parallel_memory::BankTable* table) const {
  return multicast_ && table == nullptr && spread != Spread::consecutive && spread != Spread::uniform && mask == LaneMask::first(warpSize_);
}

bool BankConflicts::asksInPairs(const u64* offsets, LaneMask mask, u32 bytes, Spread spread) const {
  if (!pairsTogether_ || bytes <= u64{1} << bankShift_ || spread == Spread::consecutive) return false;
  return spread == Spread::uniform || areEqual(offsets, mask, 1) || areEqual(offsets, mask, 2);
}

void BankConflicts::atomic(const u64* offsets, LaneMask mask, u32 bytes, const parallel_memory::BankTable* table) {
  servePhases(mask, bytes, [&](LaneMask lanes) {
    if (table == nullptr) return updatesOfOneBank(wordsOf(offsets, lanes, bytes));
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

// The words that lanes need, lane after lane.
std::span<u64> BankConflicts::wordsOf(const u64* offsets, LaneMask lanes, u32 bytes) {
  const u64 withinBank = (u64{1} << bankShift_) - 1;
  if (bytes <= withinBank + 1 && isRun(lanes)) {
    const u32 count = static_cast<u32>(countLanes(lanes));
    u64 pastBank = 0;
    for (u32 i = 0; i < count; ++i) {
      const u64 offset = offsets[lanes.least() + i];
      wanted_[i] = offset >> bankShift_;
      pastBank |= ((offset & withinBank) + bytes - 1) & ~withinBank;
    }
    if (pastBank == 0) return {wanted_.data(), count};
  }
  u32 count = 0;
  for (const LaneId lane : lanes) {
    const u64 lastWord = (offsets[lane] + bytes - 1) >> bankShift_;
    for (u64 word = offsets[lane] >> bankShift_; word <= lastWord; ++word) wanted_[count++] = word;
  }
  return {wanted_.data(), count};
}

// Of words that lie near one another, without a branch that depends on them; nothing: they lie further apart. A row is a word of each bank.
std::optional<u32> BankConflicts::degreeOfNear(std::span<const u64> words) {
  constexpr u64 kRows = 64;
  const u64 firstRow = (words.front() >> bankBits_) - kRows / 2;
  std::array<u64, kMaxWords> rows;
  u64 beyond = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    rows[i] = (words[i] >> bankBits_) - firstRow;
    beyond |= rows[i];
  }
  if (beyond >= kRows) return std::nullopt;
  std::array<u64, kMaxBanks> asked;  // rows, one bit each; of the banks that there are
  std::array<u8, kMaxBanks> degree{};
  std::fill_n(asked.begin(), banks_, u64{0});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const u64 bank = words[i] & (banks_ - 1), before = asked[bank];
    asked[bank] |= u64{1} << rows[i];
    degree[bank] = static_cast<u8>(degree[bank] + (asked[bank] != before));
  }
  u8 worst = 0;
  for (const u8 each : degree) {
    worst = std::max(worst, each);
    served_.words += each;
  }
  return worst;
}

u32 BankConflicts::degreeOf(std::span<const u64> words) {
  if (const std::optional<u32> near = degreeOfNear(words)) return *near;
  std::array<u16, kMaxBanks> degree{};
  std::array<u8, kMaxBanks> last{};  // index of the bank's last word, if it has one
  u32 worst = 0, count = 0;
  const auto isKnown = [&](u64 word, u64 bank) {
    u32 index = last[bank];
    for (u32 left = degree[bank]; left != 0; --left, index = known_[index].before) {
      if (known_[index].number == word) return true;
    }
    return false;
  };
  for (const u64 word : words) {
    const u64 bank = word & (banks_ - 1);
    if (isKnown(word, bank)) continue;
    known_[count] = {word, last[bank]};
    last[bank] = static_cast<u8>(count++);
    worst = std::max<u32>(worst, ++degree[bank]);
  }
  served_.words += count;
  return worst;
}

u32 BankConflicts::updatesOfOneBank(std::span<const u64> words) {
  std::array<u16, kMaxBanks> updates{};
  u32 most = 0;
  for (const u64 word : words) most = std::max<u32>(most, ++updates[word & (banks_ - 1)]);
  served_.words += static_cast<u32>(words.size());
  return most;
}

// Words that have been served are taken out.
u32 BankConflicts::passesWithOneBroadcast(std::span<u64> words) {
  u32 passes = 0;
  for (; !words.empty(); ++passes) {
    const u64 broadcast = words.front();
    u64 busy = bankBit(broadcast);
    std::size_t kept = 0;
    for (const u64 word : words) {
      if (word == broadcast) continue;
      if ((busy & bankBit(word)) != 0) {
        words[kept++] = word;
        continue;
      }
      busy |= bankBit(word);
    }
    words = words.first(kept);
    served_.words += static_cast<u32>(std::popcount(busy));
  }
  return passes;
}

}  // namespace warpwright::access
