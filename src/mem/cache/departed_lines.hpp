// Lines that have left a cache on account of a prefetch, for counters alone: no decision of the cache reads it.
#pragma once

#include <bit>
#include <vector>

#include "base/types.hpp"

namespace warpwright::mem {

enum class Departure : u8 {
  none,
  unused,     // a prefetch had brought it, and nothing had asked for it
  displaced,  // a prefetch took its frame
};

// One entry for each remainder of a line's number. Where two lines meet in an entry the later one stays, so that counts are lower bounds.
class DepartedLines {
 public:
  explicit DepartedLines(u32 frames) : entries_(std::bit_ceil(u64{frames})) {}

  void note(u64 lineNumber, Departure why) { entries_[lineNumber % entries_.size()] = {lineNumber, why}; }
  // Of a line that comes back, which is forgotten.
  Departure take(u64 lineNumber) {
    Entry& entry = entries_[lineNumber % entries_.size()];
    if (entry.lineNumber != lineNumber) return Departure::none;
    const Departure why = entry.why;
    entry.why = Departure::none;
    return why;
  }

 private:
  struct Entry {
    u64 lineNumber = 0;
    Departure why = Departure::none;
  };
  std::vector<Entry> entries_;
};

}  // namespace warpwright::mem
