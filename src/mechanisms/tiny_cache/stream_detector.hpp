// Which instructions bring lines that leave before they are used again: a counter for some instructions each (section 5.1 of the paper
// leaves such a detector to future work). An instruction whose lines left unused more often than used, by so many, is a stream, and goes
// past the caches but for one in so many of its executions.
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.hpp"

namespace warpwright::mechanisms::tiny_cache {

struct StreamSettings {
  u32 entries = 64;  // a power of two
  u32 lines = 64, probe = 32;
  bool operator==(const StreamSettings&) const = default;
};

class StreamDetector {
 public:
  explicit StreamDetector(const StreamSettings& settings) : settings_(settings), entries_(settings.entries) {}

  // An instruction is about to access the caches. Whether it goes past them.
  bool goesPast(Pc pc) {
    Entry& entry = entryOf(pc);
    if (entry.unused < settings_.lines) return false;
    entry.passed = (entry.passed + 1) % settings_.probe;
    return entry.passed != 0;
  }
  // A line that the instruction brought has made room for another.
  void left(Pc bringer, bool wasUsed) {
    u32& unused = entryOf(bringer).unused;
    if (wasUsed) {
      unused -= unused != 0;
    } else {
      unused = std::min(unused + 1, settings_.lines);
    }
  }
  // Before a launch.
  void forget() { entries_.assign(entries_.size(), {}); }

 private:
  struct Entry {
    u32 unused = 0;  // lines that left unused, beyond those that were used; up to `lines`
    u32 passed = 0;  // executions since the last that was cached, of a stream
  };

  Entry& entryOf(Pc pc) { return entries_[pc & (settings_.entries - 1)]; }

  const StreamSettings settings_;
  std::vector<Entry> entries_;
};

}  // namespace warpwright::mechanisms::tiny_cache
