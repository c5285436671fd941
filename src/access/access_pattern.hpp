// The distance between neighbouring lanes that an instruction's accesses show most often.
#pragma once

#include <limits>

#include "base/types.hpp"

namespace warpwright::access {

inline constexpr s64 kIrregular = std::numeric_limits<s64>::min();  // a request without one prevailing stride

// Are the active lanes neighbours?
bool isRun(LaneMask mask);

// Does lane i of `lanes` access addresses[0] + i * bytes?
bool hasStride(const u64* addresses, u32 lanes, u32 bytes);

// The distance in bytes from an active lane to the next that at least three quarters of them show (a warp that covers the rows of a
// two-dimensional block jumps at their ends), or kIrregular. 0 with one active lane.
s64 strideOf(const u64* addresses, LaneMask mask);

// Majority vote over requests (Boyer and Moore): exact whenever one stride holds for more than half of them.
class DominantStride {
 public:
  void add(s64 stride, u64 times = 1) {
    if (stride == stride_) {
      weight_ += times;
      return;
    }
    if (times > weight_) {
      weight_ = times - weight_;
      stride_ = stride;
      return;
    }
    weight_ -= times;
  }
  void merge(const DominantStride& other) {
    if (other.weight_ != 0) add(other.stride_, other.weight_);
  }

  bool known() const { return weight_ != 0; }
  s64 stride() const { return stride_; }  // bytes, or kIrregular; meaningless unless known()

 private:
  s64 stride_ = 0;
  u64 weight_ = 0;
};

}  // namespace warpwright::access
