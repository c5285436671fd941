// A set of small numbers, kept as bits.
#pragma once

#include <bit>
#include <vector>

#include "base/types.hpp"

namespace warpwright::mem {

class IndexSet {
 public:
  // Numbers below `bound` can be members.
  explicit IndexSet(u32 bound = 0) : words_((bound + 63) / 64) {}

  void insert(u32 index) { words_[index / 64] |= u64{1} << index % 64; }
  void erase(u32 index) { words_[index / 64] &= ~(u64{1} << index % 64); }
  bool contains(u32 index) const { return (words_[index / 64] >> index % 64 & 1) != 0; }

  // Visits the members in ascending order; those erased or inserted meanwhile may or may not be visited.
  template <class Visit>
  void forEach(Visit&& visit) const {
    for (u32 word = 0; word < words_.size(); ++word) {
      for (u64 bits = words_[word]; bits != 0; bits &= bits - 1) visit(word * 64 + static_cast<u32>(std::countr_zero(bits)));
    }
  }
  // … in descending order.
  template <class Visit>
  void forEachBackwards(Visit&& visit) const {
    for (u32 word = static_cast<u32>(words_.size()); word-- > 0;) {
      for (u64 bits = words_[word]; bits != 0;) {
        const u32 place = 63 - static_cast<u32>(std::countl_zero(bits));
        bits ^= u64{1} << place;
        visit(word * 64 + place);
      }
    }
  }
  // The first member from `start` on, going round, for which accept(member) holds; kNone if there is none.
  template <class Accept>
  u32 findFrom(u32 start, Accept&& accept) const {
    const u32 count = static_cast<u32>(words_.size());
    for (u32 step = 0; step <= count; ++step) {
      const u32 word = (start / 64 + step) % count;
      u64 bits = words_[word];
      if (step == 0) bits &= ~u64{0} << start % 64;
      if (step == count) bits &= ~(~u64{0} << start % 64);
      for (; bits != 0; bits &= bits - 1) {
        const u32 index = word * 64 + static_cast<u32>(std::countr_zero(bits));
        if (accept(index)) return index;
      }
    }
    return kNone;
  }

  static constexpr u32 kNone = ~0u;

 private:
  std::vector<u64> words_;
};

}  // namespace warpwright::mem
