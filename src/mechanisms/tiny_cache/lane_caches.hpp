// The caches of all lanes of an SM, without time. Beside each line lies what its words would hold in hardware, and what a load has got is
// compared with it: nobody's values change.
#pragma once

#include <vector>

#include "mechanisms/tiny_cache/lane_cache.hpp"
#include "mechanisms/tiny_cache/line_values.hpp"
#include "mechanisms/tiny_cache/memory_below.hpp"
#include "mechanisms/tiny_cache/settings.hpp"
#include "mechanisms/tiny_cache/statistics.hpp"
#include "mem/origin.hpp"

namespace warpwright::mechanisms::tiny_cache {

// Accesses of one lane to bytes of one line.
struct LaneWords {
  LaneId lane;
  LineName line;
  u32 offset = 0, bytes = 0;  // in the line
  // Piece p, of so many bytes, in the low bytes of values[p * valueLanes]: what was loaded or is stored. Null: not known.
  const u32* values = nullptr;
  u32 pieceBytes = sizeof(u32), valueLanes = 0;
  mem::Origin origin;  // the instruction
  Cycle issued{}, now{};
};

// A dirty line that has left a cache.
struct Leaver {
  Line line;
  LineValues values;
  mem::Origin writer;  // who wrote to it last
};

class LaneCaches {
 public:
  using Cause = u64 EvictionStats::*;

  // memoryDelay: see MemoryBelow.
  LaneCaches(const Settings& settings, u32 lanes, u32 memoryDelay, Statistics& statistics);

  LaneCache::Outcome read(const LaneWords& words);
  LaneCache::Outcome write(const LaneWords& words);
  // The line of a hit is still on its way.
  void noteWait(Space space);
  // The access goes on to the level below, and the lane's line goes before it.
  void bypassRead(const LaneWords& words) { drop(words.lane, words.line, &EvictionStats::bypassed); }
  void bypassWrite(const LaneWords& words);
  // … and the lines of all lanes.
  void atomic(const LaneWords& words);
  // Every line of every lane.
  void dropAll(Cause cause);
  // Before a launch: nothing is written back.
  void forget();
  void blockBegins(SlotId block, u64 sharedBytes) { below_.blockBegins(block, sharedBytes); }

  // In the order in which they left; whoever writes them back clears the list.
  std::vector<Leaver>& leavers() { return leavers_; }
  bool holds(LaneId lane, LineName line) const { return caches_[lane].find(line) != LaneCache::kNone; }
  StreamDetector& streams() { return streams_; }

 private:
  static constexpr u32 kBuckets = 1024;

  struct Held {  // of a line
    LineValues values;
    mem::Origin writer;
    Pc bringer;           // the instruction that missed it
    bool isUsed = false;  // … and another access has used it since
  };

  Held& heldBy(LaneId lane, u32 entry) { return held_[lane * settings_.lines + entry]; }
  LineValues& valuesOf(LaneId lane, u32 entry) { return heldBy(lane, entry).values; }
  void note(const LaneCache::Outcome& outcome, const LaneWords& words);
  void noteUse(const LaneCache::Outcome& outcome, const LaneWords& words);
  void drop(LaneId lane, LineName line, Cause cause);
  void leave(LaneId lane, const LaneCache::Leaving& leaving, Cause cause);
  void fetch(const LaneWords& words, const LaneCache::Outcome& outcome);
  void compare(const LaneWords& words, u32 entry);
  void noteStale(const LaneWords& words, u32 word);
  bool isDirtyElsewhere(const LaneWords& words, u32 word, KnownWord value, u32 of);
  void setBelow(const LaneWords& words);
  void store(const LaneWords& words, u32 entry);
  void countDirty(LineName line, s32 by);

  static u32 bucketOf(LineName line) { return static_cast<u32>(line.number() * 0x9e37'79b9'7f4a'7c15 >> 54); }
  template <class Visit>
  static void forEachWord(const LaneWords& words, Visit visit);

  const Settings settings_;
  const Geometry geometry_;
  Statistics& stats_;
  MemoryBelow below_;
  std::vector<LaneCache> caches_;  // by lane
  std::vector<Held> held_;         // by lane, then by entry
  std::vector<u32> dirty_;         // dirty lines of global memory, by a few bits of their names
  std::vector<Leaver> leavers_;
  StreamDetector streams_;
};

}  // namespace warpwright::mechanisms::tiny_cache
