// Global atomics that were issued and take effect later, at the memory partition.
#pragma once

#include <array>
#include <bit>
#include <deque>
#include <vector>

#include "exec/block.hpp"
#include "exec/decode.hpp"

namespace warpwright::exec {

// Operands are copied at issue: the warp may overwrite their registers before the access is performed. Register planes of the second and
// the third source.
struct KeptSources {
  static constexpr u32 kMostWords = 4;  // of an operand

  alignas(64) std::array<u32, kMostWords * kMaxWarpSize> b, c;
};

struct DeferredAtomic : KeptSources {
  const Op* op = nullptr;
  Pc pc;
  u64 block = 0;
  Warp* warp = nullptr;
  BlockRaces* races = nullptr;  // of the block, where they are followed
  LaneMask mask;
  LaneAddresses addresses;
};

class DeferredAtomics {
 public:
  // The number of one to fill in; then note().
  u32 add() {
    if (free_.empty()) {
      atomics_.emplace_back();
      return static_cast<u32>(atomics_.size() - 1);
    }
    const u32 number = free_.back();
    free_.pop_back();
    return number;
  }
  void note(u32 number) { count(atomics_[number], 1); }
  void remove(u32 number) {
    count(atomics_[number], -1);
    free_.push_back(number);
  }
  DeferredAtomic& operator[](u32 number) { return atomics_[number]; }

  // Whether an atomic that is still to be performed may touch what the lanes access. May err on the side of true.
  bool mayTouch(const LaneAddresses& addresses, LaneMask mask, u32 bytes) const {
    if (pending_ == 0) return false;
    for (const LaneId lane : mask) {
      const u64 address = addresses.lane[lane];
      if (counts_[counterOf(address)] != 0 || counts_[counterOf(address + bytes - 1)] != 0) return true;
    }
    return false;
  }

 private:
  static constexpr u64 kBlockBytes = 32, kCounts = 4096;

  static u64 counterOf(u64 address) { return (address / kBlockBytes * 0x9e37'79b9'7f4a'7c15 >> 40) % kCounts; }
  void count(const DeferredAtomic& atomic, s32 step) {
    pending_ += step;
    for (const LaneId lane : atomic.mask) counts_[counterOf(atomic.addresses.lane[lane])] += step;
  }

  std::deque<DeferredAtomic> atomics_;
  std::vector<u32> free_;
  s64 pending_ = 0;
  std::vector<s32> counts_ = std::vector<s32>(kCounts);  // lanes of pending atomics, by hash of their 32-byte block
};

}  // namespace warpwright::exec
