// The way of memory instructions through an in-order pipeline: the first memory stage, in which an access to shared memory stays while its
// bank conflicts last, and the stages behind it, which move on together (Gou, section 5.3.2).
#pragma once

#include "sm/pipeline/stage_row.hpp"

namespace warpwright::sm {

class MemoryPath {
 public:
  // certain: see StageRow.
  MemoryPath(u32 stages, u32 certain, InFlight& inFlight) : inFlight_(inFlight), stages_(stages), row_(stages, certain) {}

  // One cycle, from the end. held: what is due in write-back may not be written yet. False: nothing left a stage, or had to wait.
  bool tick(WriteBackPort& port, Cycle now, bool held = false);
  // In the write-back stage in this cycle, before tick().
  std::optional<SubWarp> due(Cycle now) const { return row_.due(now); }

  // The first stage takes a sub-warp.
  bool isFree() const { return !first_; }
  void take(SubWarp subWarp, Cycle now);
  // show(sub-warp, index of its memory stage), after the tick in `now`.
  template <class Show>
  void forEach(Cycle now, Show show) const {
    row_.forEach(now, [&](SubWarp subWarp, u32 moves) { show(subWarp, stages_ - moves); });
    if (first_) show(*first_, 0);
  }
  // The banks serve what is in the first stage.
  bool isServing(Cycle now) const { return first_ && now < served_; }
  // The stages behind the first stand still for write-back.
  bool isStalled() const { return row_.isStalled(); }
  Cycle nextUseful(Cycle now) const;
  u64 stalls() const { return row_.stalls(); }

 private:
  bool leaveFirst(Cycle now);

  InFlight& inFlight_;
  const u32 stages_;
  StageRow row_;                  // behind the first stage
  std::optional<SubWarp> first_;  // in the first stage
  Cycle served_{};                // when the banks have served it
};

}  // namespace warpwright::sm
