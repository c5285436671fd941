// Stages in which sub-warps move on together, and the write-back port at their end.
#pragma once

#include "base/ring_queue.hpp"
#include "sm/pipeline/in_flight.hpp"

namespace warpwright::sm {

// The write-back stage takes one result a cycle. Data from outside the pipeline come first (Gou, figure 5.6).
class WriteBackPort {
 public:
  // capacity: instructions that may wait for their data at once.
  explicit WriteBackPort(u32 capacity) : outside_(capacity) {}

  // `subWarps` of an instruction are to be written from outside.
  void add(u32 instruction, u32 subWarps) { outside_.push({instruction, subWarps}); }

  // A cycle begins. True: it is taken by data from outside.
  bool begin(InFlight& inFlight, Cycle now) {
    taken_ = !outside_.empty();
    if (!taken_) return false;
    Outside& first = outside_.front();
    inFlight.writtenFromOutside(first.instruction, now);
    if (--first.subWarps == 0) outside_.pop();
    return true;
  }
  // For a result of the pipeline. False: it is taken in this cycle.
  bool take() { return !std::exchange(taken_, true); }
  bool isWanted() const { return !outside_.empty(); }

 private:
  struct Outside {
    u32 instruction = 0, subWarps = 0;
  };
  RingQueue<Outside> outside_;
  bool taken_ = false;
};

// Its clock stands still in cycles in which a result at its end finds the port taken.
class StageRow {
 public:
  // Sub-warps up to `certain` moves before write-back count as past the memory stages.
  StageRow(u32 stages, u32 certain) : subWarps_(stages + 1), certain_(certain) {}

  // It will be in the write-back stage after `moves`, at least one.
  void take(SubWarp subWarp, u32 moves, InFlight& inFlight, Cycle now);

  // In the write-back stage in this cycle, before tick().
  std::optional<SubWarp> due(Cycle now) const {
    if (subWarps_.empty() || subWarps_.front().due != clock(now)) return std::nullopt;
    return subWarps_.front().subWarp;
  }
  // One cycle. held: what is due may not be written yet. True: a sub-warp left, or had to wait.
  bool tick(InFlight& inFlight, WriteBackPort& port, Cycle now, bool held = false);
  bool isStalled() const { return stalled_; }
  // show(sub-warp, moves to write-back), the oldest first, after the tick in `now`.
  template <class Show>
  void forEach(Cycle now, Show show) const {
    for (u32 i = 0; i < subWarps_.size(); ++i) show(subWarps_[i].subWarp, static_cast<u32>(subWarps_[i].due - clock(now)));
  }
  Cycle nextUseful() const;
  u64 stalls() const { return stalls_; }

 private:
  struct Entry {
    SubWarp subWarp;
    u64 due = 0;  // by the row's clock: in the write-back stage
  };
  u64 clock(Cycle now) const { return now.ticks - stalls_; }
  bool tellPassed(InFlight& inFlight, Cycle now);

  RingQueue<Entry> subWarps_;
  u32 certain_;
  u32 passed_ = 0;  // how many, from the front, have been told
  u64 stalls_ = 0;
  bool stalled_ = false;
};

}  // namespace warpwright::sm
