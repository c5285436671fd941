// Asynchronous matrix products of a warp (wgmma), in the groups that it commits.
#pragma once

#include <array>

#include "base/types.hpp"

namespace warpwright::sm {

class MatrixGroups {
 public:
  // Groups that a wait may leave pending, as its instruction encodes them: 0 to 7.
  static constexpr u32 kMostLeft = 7;

  // Products end in the order in which they began: a warp's pass through its pipe one after the other.
  void begin() { ++begun_; }
  void end() { ++ended_; }
  // What has begun and is in no group becomes the newest.
  void commit() {
    ++committed_;
    lastOf_[committed_ % lastOf_.size()] = begun_;
  }
  // Whether all groups but so many of the newest have ended. Where none may be left, what is in no group has, too: traces have no commits.
  bool isDone(u32 left) const {
    if (left == 0) return ended_ == begun_;
    return committed_ <= left || ended_ >= lastOf_[(committed_ - left) % lastOf_.size()];
  }

 private:
  u64 begun_ = 0, ended_ = 0;                // products
  u64 committed_ = 0;                        // groups
  std::array<u64, kMostLeft + 1> lastOf_{};  // by group: products that had begun when it was committed
};

}  // namespace warpwright::sm
