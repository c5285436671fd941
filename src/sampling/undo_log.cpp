#include "sampling/undo_log.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "exec/memory.hpp"

namespace warpwright::sampling {

using exec::GlobalMemory;

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
  for (u64 at = first; at < first + bytes; ++at) {
    u64& kept = last_->kept[at / kWordBits];
    const u64 bit = u64{1} << at % kWordBits;
    if ((kept & bit) != 0) continue;
    kept |= bit;
    last_->bytes[at] = *GlobalMemory::hostPointer(GlobalAddress(number * kPageBytes + at));
  }
}

void UndoLog::undo() {
  for (const auto& [number, page] : pages_) {
    std::byte* const memory = GlobalMemory::hostPointer(GlobalAddress(number * kPageBytes));
    for (u64 word = 0; word < page->kept.size(); ++word) {
      // Runs of bytes that lie side by side.
      for (u64 left = page->kept[word]; left != 0;) {
        const u64 begin = static_cast<u64>(std::countr_zero(left)), count = static_cast<u64>(std::countr_one(left >> begin));
        std::memcpy(memory + word * kWordBits + begin, page->bytes.data() + word * kWordBits + begin, count);
        left &= begin + count == kWordBits ? 0 : ~u64{0} << (begin + count);
      }
    }
  }
  forget();
}

void UndoLog::forget() {
  pages_.clear();
  last_ = nullptr;
}

}  // namespace warpwright::sampling
