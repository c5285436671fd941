#include "access/mapped_banks.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::access {
namespace {

constexpr u32 kNoLine = ~u32{0};

}  // namespace

template <class Visit>
void MappedBanks::forEachWord(const BankTable& table, const u64* offsets, LaneMask lanes, u32 bytes, Visit visit) const {
  for (const LaneId lane : lanes) {
    const u64 offset = offsets[lane];
    const u64 last = std::min<u64>((offset + bytes - 1) >> bankShift_, table.words() - 1);
    for (u64 word = offset >> bankShift_; word <= last; ++word) visit(word);
  }
}

void MappedBanks::clear(const BankTable& table) {
  perBank_.assign(table.banks(), 0);
  lineAccesses_ = 0;
}

u32 MappedBanks::degree(const BankTable& table, const u64* offsets, LaneMask lanes, u32 bytes) {
  clear(table);
  lines_.clear();
  u32 worst = 0;
  forEachWord(table, offsets, lanes, bytes, [&](u64 word) {
    const auto [bank, line] = table[word];
    if (!lines_.insert(line).inserted) return;
    ++lineAccesses_;
    worst = std::max(worst, ++perBank_[bank]);
  });
  return worst;
}

u32 MappedBanks::updatesOfOneBank(const BankTable& table, const u64* offsets, LaneMask lanes, u32 bytes) {
  clear(table);
  u32 most = 0;
  forEachWord(table, offsets, lanes, bytes, [&](u64 word) {
    ++lineAccesses_;
    most = std::max(most, ++perBank_[table[word].bank]);
  });
  return most;
}

u32 MappedBanks::passesWithOneBroadcast(const BankTable& table, const u64* offsets, LaneMask lanes, u32 bytes) {
  u32 left = 0;
  forEachWord(table, offsets, lanes, bytes, [&](u64 word) { wanted_[left++] = word; });
  u32 passes = 0;
  lineAccesses_ = 0;
  for (; left != 0; ++passes) {
    perBank_.assign(table.banks(), kNoLine);  // the line that each bank reads
    lines_.clear();                           // words that were served
    const u64 broadcast = wanted_[0];
    perBank_[table[broadcast].bank] = table[broadcast].line;
    u32 kept = 0;
    for (u32 i = 0; i < left; ++i) {
      const u64 word = wanted_[i];
      if (word == broadcast) continue;
      u32& line = perBank_[table[word].bank];
      const bool reads = line == kNoLine || line == table[word].line;
      if (!reads || !lines_.insert(word).inserted) {
        wanted_[kept++] = word;
        continue;
      }
      line = table[word].line;
    }
    left = kept;
    lineAccesses_ += table.banks() - static_cast<u32>(std::count(perBank_.begin(), perBank_.end(), kNoLine));
  }
  return passes;
}

}  // namespace warpwright::access
