// Global atomics that were issued and take effect later, at the memory partition.
#pragma once

#include <deque>
#include <vector>

#include "exec/block.hpp"
#include "exec/decode.hpp"

namespace warpwright::exec {

// Operands are copied at issue: the warp may overwrite their registers before the atomic is performed.
struct DeferredAtomic {
  static constexpr u32 kMostWords = 4;  // of an operand

  const Op* op = nullptr;
  const Warp* warp = nullptr;
  LaneMask mask = 0;
  LaneAddresses addresses;
  alignas(64) std::array<u32, kMostWords * kMaxWarpSize> b, c;
};

class DeferredAtomics {
 public:
  u32 add() {
    if (free_.empty()) {
      atomics_.emplace_back();
      return static_cast<u32>(atomics_.size() - 1);
    }
    const u32 place = free_.back();
    free_.pop_back();
    return place;
  }
  void remove(u32 place) { free_.push_back(place); }
  DeferredAtomic& operator[](u32 place) { return atomics_[place]; }

 private:
  std::deque<DeferredAtomic> atomics_;
  std::vector<u32> free_;
};

}  // namespace warpwright::exec
