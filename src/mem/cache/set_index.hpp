// From an address to the set that may hold its line.
#pragma once

#include <bit>

#include "config/cache.hpp"
#include "mem/cache/set_hash/set_hash.hpp"
#include "mem/divider.hpp"

namespace warpwright::mem {

// Which addresses a cache sees: of every `count` pieces of `bytes` bytes, one. Sets are numbered over what it sees; numbering them over all
// addresses would leave most sets of an L2 slice empty. Lines do not cross pieces.
struct Interleave {
  u64 bytes = 256;  // a power of two
  u32 count = 1;
};

class SetIndex {
 public:
  SetIndex(const config::Cache& cache, u32 sets, Interleave share)
      : lineShift_(log2(cache.lineBytes)),
        pieceShift_(log2(share.bytes)),
        count_(share.count),
        sets_(sets),
        mask_(std::has_single_bit(sets) ? sets - 1 : 0),
        hash_(setHashList().make(cache.setHash, sets)) {
    if (hash_->isIdentity()) hash_.reset();
  }

  // Consecutive numbers for the lines that the cache sees.
  u64 line(GlobalAddress address) const {
    if (count_.divisor() == 1) return address >> lineShift_;
    const u64 offset = address & ((u64{1} << pieceShift_) - 1);
    return (count_.quotient(address >> pieceShift_) << pieceShift_ | offset) >> lineShift_;
  }

  u32 set(u64 line) const {
    if (hash_) line = hash_->mixed(line);
    return static_cast<u32>(mask_ != 0 ? line & mask_ : line % sets_);
  }

 private:
  static u32 log2(u64 value) { return static_cast<u32>(std::countr_zero(value)); }

  u32 lineShift_, pieceShift_;
  Divider count_;
  u32 sets_;
  u32 mask_;                             // of a power of two of sets, from two on
  std::shared_ptr<const SetHash> hash_;  // null: the identity
};

}  // namespace warpwright::mem
