#include "mechanisms/tiny_cache/memory_below.hpp"

#include <algorithm>
#include <cstring>

#include "exec/memory.hpp"

namespace warpwright::mechanisms::tiny_cache {

MemoryBelow::MemoryBelow(u32 lineBytes, u32 delay) : lineBytes_(lineBytes), delay_(delay), unstored_(kBuckets), atomics_(kBuckets) {}

void MemoryBelow::blockBegins(SlotId block, u64 sharedBytes) {
  if (block >= shared_.size()) shared_.resize(block + 1);
  // Up to the end of the last line.
  shared_[block].assign((sharedBytes + lineBytes_ - 1) / lineBytes_ * lineBytes_ / sizeof(u32), {});
}

// Global memory lies in the host's at the same address, and a line of it in one page of that.
KnownWord MemoryBelow::word(LineName line, u32 word, Cycle now) const {
  if (line.isShared()) return shared_[line.block()][wordInBlock(line, word)];
  if (line.isPrivate() || atomics_[bucketOf(line)] || unstored_[bucketOf(line)] > now) return {};
  u32 value;
  std::memcpy(&value, exec::GlobalMemory::hostPointer(line.address(lineBytes_) + word * sizeof(u32)), sizeof value);
  return KnownWord::whole(value);
}

void MemoryBelow::setShared(LineName line, u32 word, KnownWord value, u32 of) {
  shared_[line.block()][wordInBlock(line, word)].take(value, of);
}

void MemoryBelow::noteStore(LineName line, Cycle issued) {
  Cycle& unstored = unstored_[bucketOf(line)];
  unstored = std::max(unstored, issued + delay_);
}

}  // namespace warpwright::mechanisms::tiny_cache
