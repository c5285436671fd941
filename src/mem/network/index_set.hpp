// A set of numbers below 256, kept as bits.
#pragma once

#include <array>
#include <bit>

#include "base/types.hpp"

namespace warpwright::mem {

class IndexSet {
 public:
  static constexpr u32 kBound = 256;
  static constexpr u32 kNone = ~0u;

  void insert(u32 index) { words_[index / 64] |= u64{1} << index % 64; }
  void erase(u32 index) { words_[index / 64] &= ~(u64{1} << index % 64); }
  bool contains(u32 index) const { return (words_[index / 64] >> index % 64 & 1) != 0; }

  // Visits the members in ascending order; those erased or inserted meanwhile may or may not be visited.
  template <class Visit>
  void forEach(Visit&& visit) const {
    for (u32 word = 0; word < kWords; ++word) {
      for (u64 bits = words_[word]; bits != 0; bits &= bits - 1) visit(word * 64 + static_cast<u32>(std::countr_zero(bits)));
    }
  }
  // The first member from `start` on, going round, for which accept(member) holds; kNone if there is none.
  template <class Accept>
  u32 findFrom(u32 start, Accept&& accept) const {
    const u32 first = start / 64;
    const u64 upper = ~u64{0} << start % 64;
    u32 found = findIn(first, words_[first] & upper, accept);
    for (u32 step = 1; found == kNone && step < kWords; ++step) {
      const u32 word = (first + step) % kWords;
      found = findIn(word, words_[word], accept);
    }
    return found == kNone ? findIn(first, words_[first] & ~upper, accept) : found;
  }

 private:
  static constexpr u32 kWords = kBound / 64;

  template <class Accept>
  static u32 findIn(u32 word, u64 bits, Accept& accept) {
    for (; bits != 0; bits &= bits - 1) {
      const u32 index = word * 64 + static_cast<u32>(std::countr_zero(bits));
      if (accept(index)) return index;
    }
    return kNone;
  }

  std::array<u64, kWords> words_{};
};

}  // namespace warpwright::mem
