// A reference prediction table (Chen and Baer, "Effective Hardware-Based Data Prefetching for High-Performance Processors", IEEE
// Transactions on Computers 44(5), 1995, section 3): the last address of who accesses, and the stride to it.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "mechanisms/prefetching_stage.hpp"

namespace warpwright::mechanisms::stride_prefetcher {

// Direct-mapped, with tags.
class StrideTable {
 public:
  static constexpr u32 kMostConfidence = 3;  // of a counter of two bits
  static constexpr u32 kStrideBits = 32;     // a longer stride predicts nothing

  // confidence: how often a stride must have been right before it predicts.
  StrideTable(u32 entries, u32 confidence) : confidence_(confidence), entries_(entries) {}

  // An access by `key`. Gives the stride that is expected of its next ones; nothing: none is, or it is 0.
  std::optional<s64> observe(u64 key, u64 address) {
    Entry& entry = entries_[key % entries_.size()];
    if (!entry.isUsed || entry.key != key) {
      entry = {.key = key, .last = address, .isUsed = true};
      return std::nullopt;
    }
    const auto stride = static_cast<s64>(address - entry.last);
    entry.last = address;
    if (stride == entry.stride) {
      entry.confidence = std::min(entry.confidence + 1, kMostConfidence);
    } else if (entry.confidence != 0) {
      --entry.confidence;
    } else {
      entry.stride = stride;
    }
    const bool predicts = entry.confidence >= confidence_ && entry.stride != 0 && fitsBits(entry.stride, kStrideBits);
    return predicts ? std::optional(entry.stride) : std::nullopt;
  }

  void forget() { std::ranges::fill(entries_, Entry{}); }

 private:
  struct Entry {
    u64 key = 0, last = 0;
    s64 stride = 0;
    u32 confidence = 0;
    bool isUsed = false;
  };

  const u32 confidence_;
  std::vector<Entry> entries_;
};

}  // namespace warpwright::mechanisms::stride_prefetcher
