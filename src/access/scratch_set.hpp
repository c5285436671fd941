// A small set of numbers for the length of one access: cleared in no time, allocates nothing.
#pragma once

#include <array>

#include "base/types.hpp"

namespace warpwright::access {

// Open addressing. kSlots is a power of two, at least twice the number of keys put in between two clears.
template <u32 kSlots>
class ScratchSet {
 public:
  void clear() {
    if (++generation_ != 0) return;
    generations_.fill(0);  // the counter went once around
    generation_ = 1;
  }

  struct Insertion {
    u32 slot;  // stays that of the key until clear()
    bool inserted;
  };
  Insertion insert(u64 key) {
    u32 slot = static_cast<u32>((key * 0x9e37'79b9'7f4a'7c15) >> 32) & (kSlots - 1);
    while (generations_[slot] == generation_) {
      if (keys_[slot] == key) return {slot, false};
      slot = (slot + 1) & (kSlots - 1);
    }
    generations_[slot] = generation_;
    keys_[slot] = key;
    return {slot, true};
  }

 private:
  std::array<u64, kSlots> keys_;
  std::array<u32, kSlots> generations_{};
  u32 generation_ = 0;
};

}  // namespace warpwright::access
