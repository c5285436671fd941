// The bank conflict history cache (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", section 5.5.2): what is known of a
// static memory instruction, by the bits of its address that are its key. Set-associative, least recently used.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::mechanisms::conflict_aware {

template <class Entry>
class HistoryCache {
 public:
  // sets: a power of two, or 0: it holds nothing.
  HistoryCache(u32 sets, u32 ways) : ways_(ways), setMask_(sets == 0 ? 0 : sets - 1), lines_(u64{sets} * ways) {}

  void clear() { lines_.assign(lines_.size(), {}); }

  // Null on a miss.
  const Entry* find(u32 key) {
    Line* line = lineOf(key);
    if (line == nullptr) return nullptr;
    line->used = ++time_;
    return &line->entry;
  }
  // The instruction's entry, a new one that replaces the least recently used if need be; null in a cache that holds nothing.
  // isNew: tells which.
  Entry* findOrReplace(u32 key, bool& isNew) {
    isNew = false;
    if (lines_.empty()) return nullptr;
    Line* line = lineOf(key);
    if (line == nullptr) {
      isNew = true;
      line = &oldest(key);
      *line = {};
      line->isValid = true;
      line->key = key;
    }
    line->used = ++time_;
    return &line->entry;
  }

 private:
  struct Line {
    bool isValid = false;
    u32 key = 0;
    u64 used = 0;
    Entry entry;
  };
  Line* firstOf(u32 key) { return &lines_[u64{key & setMask_} * ways_]; }
  Line* lineOf(u32 key) {
    if (lines_.empty()) return nullptr;
    Line* first = firstOf(key);
    for (Line* line = first; line != first + ways_; ++line)
      if (line->isValid && line->key == key) return line;
    return nullptr;
  }
  // Of its set; lines without an instruction come first.
  Line& oldest(u32 key) {
    Line* best = firstOf(key);
    for (Line* line = best + 1; line != firstOf(key) + ways_; ++line)
      if (line->used < best->used) best = line;
    return *best;
  }

  u32 ways_, setMask_;
  u64 time_ = 0;
  std::vector<Line> lines_;
};

}  // namespace warpwright::mechanisms::conflict_aware
