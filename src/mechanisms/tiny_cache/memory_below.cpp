#include "mechanisms/tiny_cache/memory_below.hpp"

#include <algorithm>
#include <cstring>

#include "exec/memory.hpp"

namespace warpwright::mechanisms::tiny_cache {

MemoryBelow::MemoryBelow(u32 lineBytes, u32 delay) : lineBytes_(lineBytes), delay_(delay), unstored_(kPlaces), atomics_(kPlaces) {}

void MemoryBelow::blockBegins(SlotId block, u64 sharedBytes) {
  if (block >= shared_.size()) shared_.resize(block + 1);
  // Up to the end of the last line.
  const u64 words = (sharedBytes + lineBytes_ - 1) / lineBytes_ * lineBytes_ / sizeof(u32);
  shared_[block].words.assign(words, 0);
  shared_[block].known.assign(words, false);
}

// Global memory lies in the host's at the same address, and a line of it in one page of that.
std::optional<u32> MemoryBelow::word(LineName line, u32 word, Cycle now) const {
  if (line.isShared()) {
    const Shared& shared = shared_[line.block()];
    const u64 place = line.firstByte(lineBytes_) / sizeof(u32) + word;
    return shared.known[place] ? std::optional(shared.words[place]) : std::nullopt;
  }
  if (atomics_[placeOf(line)] || unstored_[placeOf(line)] > now) return std::nullopt;
  u32 value;
  std::memcpy(&value, exec::GlobalMemory::hostPointer(line.firstByte(lineBytes_) + word * sizeof(u32)), sizeof value);
  return value;
}

void MemoryBelow::setShared(LineName line, u32 word, std::optional<u32> value) {
  Shared& shared = shared_[line.block()];
  const u64 place = line.firstByte(lineBytes_) / sizeof(u32) + word;
  shared.known[place] = value.has_value();
  shared.words[place] = value.value_or(0);
}

void MemoryBelow::noteStore(LineName line, Cycle issued) {
  Cycle& unstored = unstored_[placeOf(line)];
  unstored = std::max(unstored, issued + delay_);
}

}  // namespace warpwright::mechanisms::tiny_cache
