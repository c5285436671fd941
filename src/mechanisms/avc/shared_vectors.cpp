#include "mechanisms/avc/shared_vectors.hpp"

#include <algorithm>
#include <bit>

#include "base/memory_units.hpp"

namespace warpwright::mechanisms::avc {
namespace {

// Visits the words that a lane touches: number of the piece, word.
template <class Visit>
void forEachWord(const sm::LaneAccess& access, LaneId lane, Visit visit) {
  for (u32 offset = 0; offset < access.bytes; offset += kWordBytes)
    visit(offset / kWordBytes, (access.addresses[lane] + offset) / kWordBytes);
}

template <class Visit>
void forEachLane(LaneMask lanes, Visit visit) {
  for (const LaneId lane : lanes) visit(lane);
}

constexpr WordMask bitOf(u64 word) { return WordMask{1} << word % kWordsPerVector; }
u64 count(WordMask words) { return static_cast<u64>(std::popcount(words)); }

}  // namespace

void SharedVectors::blockBegins(SlotId firstSlot, u64 bytes) {
  if (firstSlot >= blocks_.size()) blocks_.resize(firstSlot + 1);
  blocks_[firstSlot].assign(bytes / kVectorBytes + 1, {});
}

void SharedVectors::access(sm::LaneAccess& access, sm::MemoryOperation&, Cycle) {
  if (access.space != isa::Space::shared || access.lanes.empty()) return;
  findRows(access);
  const Service service = access.isStore ? write(access) : read(access);
  access.serve(service.lanes);
  access.passesBeside = std::max(access.passesBeside, service.passes);
  access.bankPasses += service.bankPasses;
  access.delay = std::max(access.delay, service.delay);
}

void SharedVectors::findRows(const sm::LaneAccess& access) {
  rows_.clear();
  forEachLane(access.lanes, [&](LaneId lane) {
    forEachWord(access, lane, [&](u32, u64 word) {
      const u64 number = word / kWordsPerVector;
      auto row = std::find_if(rows_.rbegin(), rows_.rend(), [&](const Row& each) { return each.number == number; });
      if (row == rows_.rend()) {
        rows_.push_back({number, 0});
        row = rows_.rbegin();
      }
      row->words |= bitOf(word);
    });
  });
}

SharedVectors::Service SharedVectors::read(const sm::LaneAccess& access) {
  ++stats_.reads;
  const std::vector<Entry>& entries = blocks_[access.firstSlot];
  Service service;
  u64 found = 0;
  for (const Row& row : rows_) {
    const WordMask valid = entries[row.number].valid;
    service.passes += valid != 0 ? 1 : 0;
    found += count(row.words & valid);
  }
  stats_.lookUps += service.passes;
  stats_.wordsRead += found;
  service.delay = service.passes != 0 ? extraLatency_ : 0;
  if (found == 0) {
    ++stats_.bankReads;
    return service;
  }
  forEachLane(access.lanes, [&](LaneId lane) {
    bool isServed = true;
    forEachWord(access, lane, [&](u32, u64 word) { isServed &= (entries[word / kWordsPerVector].valid & bitOf(word)) != 0; });
    if (isServed) service.lanes.insert(lane);
    check(access, lane);
  });
  ++(service.lanes == access.lanes ? stats_.hits : stats_.partialHits);
  return service;
}

SharedVectors::Service SharedVectors::write(const sm::LaneAccess& access) {
  ++stats_.writes;
  std::vector<Entry>& entries = blocks_[access.firstSlot];
  Service service;
  values::Encoding encoding;
  if (encodes(access, encoding) && keep(entries[rows_[0].number], rows_[0].words, encoding.form, service)) {
    service.lanes = access.lanes;
    service.passes = 1;
    ++stats_.writesHere;
    ++stats_.lookUps;
    ++stats_.entriesWritten;
    return service;
  }
  ++stats_.bankWrites;
  const bool overwrites = access.bytes >= kWordBytes && !access.isAtomic;
  for (const Row& row : rows_) {
    Entry& entry = entries[row.number];
    if (entry.valid == 0) continue;
    ++service.passes;
    // Of words that are changed in part, the rest has to be in the banks.
    const WordMask moved = overwrites ? 0 : entry.valid & row.words;
    if (moved != 0) ++service.bankPasses;
    stats_.wordsMoved += count(moved);
    stats_.entriesWritten += (entry.valid & row.words) != 0;
    entry.valid &= ~row.words;
  }
  stats_.lookUps += service.passes;
  return service;
}

// Words of the row with another base or stride move to the banks; but of the two, those that are more stay.
bool SharedVectors::keep(Entry& entry, WordMask words, const values::CompactForm& form, Service& service) {
  const WordMask others = entry.form == form ? 0 : entry.valid & ~words;
  if (others != 0 && count(others) >= count(words)) return false;
  if (others != 0) {
    ++stats_.conflicts;
    ++service.bankPasses;
    stats_.wordsMoved += count(others);
  }
  entry.valid = (entry.valid & ~others) | words;
  entry.form = form;
  stats_.wordsWritten += count(words);
  return true;
}

bool SharedVectors::encodes(const sm::LaneAccess& access, values::Encoding& encoding) {
  if (rows_.size() != 1 || access.values == nullptr || access.isAtomic) return false;
  // Of lanes that store to one word, the last one's value stays.
  forEachLane(access.lanes, [&](LaneId lane) {
    forEachWord(access, lane,
                [&](u32 piece, u64 word) { words_[word % kWordsPerVector] = access.values[piece * access.valueLanes + lane]; });
  });
  encoding = encoder_.encode(words_.data(), LaneMask(rows_[0].words));
  return encoding.succeeded();
}

void SharedVectors::check(const sm::LaneAccess& access, LaneId lane) {
  if (access.values == nullptr) return;
  forEachWord(access, lane, [&](u32 piece, u64 word) {
    const Entry& entry = blocks_[access.firstSlot][word / kWordsPerVector];
    if ((entry.valid & bitOf(word)) == 0) return;
    if (entry.form.at(word % kWordsPerVector) != access.values[piece * access.valueLanes + lane]) ++stats_.wrongWords;
  });
}

}  // namespace warpwright::mechanisms::avc
