#include "sampling/undo_log.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/memory.hpp"

namespace warpwright::sampling {

using exec::GlobalMemory;

namespace {

// Bits that lie side by side: visit(first, count).
template <class Visit>
void forEachRun(u64 bits, Visit visit) {
  while (bits != 0) {
    const u32 first = static_cast<u32>(std::countr_zero(bits)), count = static_cast<u32>(std::countr_one(bits >> first));
    visit(first, count);
    bits &= ~(lowBits(count) << first);
  }
}

}  // namespace

void UndoLog::memory(const exec::MemoryEvent& event) {
  if (!event.isStore || event.space != isa::Space::global) return;
  for (const LaneId lane : event.mask) keep(event.addresses[lane], event.bytesPerLane);
}

void UndoLog::keep(u64 address, u64 bytes) {
  const u64 inFirstPage = std::min(bytes, kPageBytes - address % kPageBytes);
  keepInPage(address, inFirstPage);
  if (inFirstPage != bytes) keepInPage(address + inFirstPage, bytes - inFirstPage);
}

void UndoLog::keepInPage(u64 address, u64 bytes) {
  const u64 number = address / kPageBytes, first = address % kPageBytes;
  if (last_ == nullptr || number != lastNumber_) {
    std::unique_ptr<Page>& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    last_ = page.get();
    lastNumber_ = number;
  }
  const std::byte* const base = GlobalMemory::hostPointer(GlobalAddress(number * kPageBytes));
  const u64 end = first + bytes;
  for (u64 at = first; at < end;) {
    const u64 word = at / kWordBits, endInWord = std::min(end, (word + 1) * kWordBits);
    const u64 asked = lowBits(static_cast<u32>(endInWord - at)) << at % kWordBits;
    u64& kept = last_->kept[word];
    forEachRun(asked & ~kept, [&](u32 from, u32 count) {
      std::memcpy(last_->bytes.data() + word * kWordBits + from, base + word * kWordBits + from, count);
    });
    kept |= asked;
    at = endInWord;
  }
}

void UndoLog::undo() {
  for (const auto& each : pages_) {
    std::byte* const base = GlobalMemory::hostPointer(GlobalAddress(each.first * kPageBytes));
    const Page& page = *each.second;
    for (u64 word = 0; word < page.kept.size(); ++word) {
      forEachRun(page.kept[word], [&](u32 from, u32 count) {
        std::memcpy(base + word * kWordBits + from, page.bytes.data() + word * kWordBits + from, count);
      });
    }
  }
  forget();
}

void UndoLog::forget() {
  pages_.clear();
  last_ = nullptr;
}

}  // namespace warpwright::sampling
