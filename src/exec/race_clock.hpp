// What is known to have happened before: up to which moment the accesses of other warps are ordered before what comes next. Moments are
// numbered over the whole grid (RaceDetector). Knowledge that has too many parts is rounded up, so that a clock may know too much, and a
// race be missed, but never too little.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::exec {

class RaceClock {
 public:
  // The moment up to which the warp's accesses are known.
  u64 of(u32 block, u32 warp) const;
  void raise(u32 block, u32 warp, u64 moment) { raiseEntry(keyOf(block, warp), moment); }
  void raiseAll(u64 moment);
  void join(const RaceClock& other);
  // All of the block's warps are known as well as the best known, if each of so many is known.
  void unite(u32 block, u32 warps);
  bool empty() const { return floor_ == 0 && entries_.empty(); }
  void clear();

 private:
  struct Entry {
    u64 key, moment;
  };
  static u64 keyOf(u32 block, u32 warp) { return u64{block} << 16 | (warp + 1); }
  static u64 keyOfWhole(u32 block) { return u64{block} << 16; }

  std::vector<Entry>::iterator firstFrom(u64 key);
  u64 entry(u64 key) const;
  void raiseEntry(u64 key, u64 moment);
  void bound();

  u64 floor_ = 0;               // of all warps
  std::vector<Entry> entries_;  // above the floor, by key: of a warp, or of all warps of a block
};

}  // namespace warpwright::exec
