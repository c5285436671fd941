// What a cache holds: which lines, which of their sectors, and in what state. The data themselves live in the functional machine.
#pragma once

#include <memory>
#include <vector>

#include "mem/cache/replacement/replacement.hpp"
#include "mem/cache/set_index.hpp"

namespace warpwright::mem {

inline constexpr u32 kNone = ~u32{0};

// Masks have bit s for the bytes [32 s, 32 s + 32) of the line.
struct Line {
  u64 address = 0;
  u8 valid = 0;
  u8 dirty = 0;                 // a subset of valid
  bool dropWhenFilled = false;  // a write passed it while it was on its way
  u16 sm = 0, partition = 0;    // of the last write, for the write-back
  u32 mshr = kNone;             // entry that fetches sectors of it; such a line cannot be evicted
};

class Tags {
 public:
  Tags(const config::Cache& cache, u32 sets, u32 ways, Interleave share);

  u64 lineAddress(u64 address) const { return address & ~u64{lineBytes_ - 1}; }
  u64 lineNumber(u64 address) const { return index_.line(address); }
  u32 set(u64 lineNumber) const { return index_.set(lineNumber); }

  // Place of the line in the set, or kNone.
  u32 find(u32 set, u64 lineAddress) const;
  // Place where a new line of the set can go: an empty one, else the policy's choice; kNone when every line is being fetched.
  u32 room(u32 set) const;

  Line& operator[](u32 place) { return lines_[place]; }
  const Line& operator[](u32 place) const { return lines_[place]; }
  u32 places() const { return static_cast<u32>(lines_.size()); }
  bool isEmpty(u32 place) const { return addresses_[place] == kNoAddress; }

  void install(u32 place, u64 lineAddress);
  void drop(u32 place);
  // The place lies in the set.
  void touch(u32 set, u32 place) { replacement_->touched(set, place - set * ways_); }

 private:
  static constexpr u64 kNoAddress = ~u64{0};

  u32 lineBytes_, ways_;
  SetIndex index_;
  std::vector<u64> addresses_;  // by place = set * ways + way
  std::vector<Line> lines_;
  std::unique_ptr<Replacement> replacement_;
};

}  // namespace warpwright::mem
