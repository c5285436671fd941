// Keeps the instructions of a warp in order between the first memory stage and write-back (section 5.7, second choice).
#pragma once

#include <array>

#include "base/ring_queue.hpp"
#include "sm/pipeline/in_flight.hpp"

namespace warpwright::mechanisms::elastic_pipeline {

class CommitOrder {
 public:
  // most: sub-warps behind the execution stages at once. isKept: otherwise every sub-warp may be written.
  CommitOrder(const sm::InFlight& inFlight, bool isKept, u32 most) : inFlight_(inFlight), isKept_(isKept) {
    if (!isKept_) return;
    for (auto& slot : instructions_) slot.reserve(most);
  }

  // Sub-warps enter in the order of issue.
  void enters(sm::SubWarp subWarp) {
    if (isKept_ && (subWarp.number == 0)) of(subWarp).push(subWarp.instruction);
  }
  // No older instruction of its warp has yet to be written.
  bool mayLeave(sm::SubWarp subWarp) const { return !isKept_ || of(subWarp).front() == subWarp.instruction; }
  void leaves(sm::SubWarp subWarp) {
    if (isKept_ && inFlight_.isLast(subWarp)) of(subWarp).pop();
  }

 private:
  static constexpr u32 kSlots = 64;  // warps of an SM
  RingQueue<u32>& of(sm::SubWarp subWarp) { return instructions_[inFlight_.slotOf(subWarp)]; }
  const RingQueue<u32>& of(sm::SubWarp subWarp) const { return instructions_[inFlight_.slotOf(subWarp)]; }

  const sm::InFlight& inFlight_;
  const bool isKept_;
  std::array<RingQueue<u32>, kSlots> instructions_;  // by warp, the oldest first
};

}  // namespace warpwright::mechanisms::elastic_pipeline
