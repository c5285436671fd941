// Events of an SM at known cycles.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "base/time.hpp"

namespace warpwright::sm {

// T: copied. Events of one cycle come out in the order in which they went in. Nothing is allocated once the most events at a time were
// seen.
template <class T>
class Wheel {
 public:
  // At most kHorizon - 1 cycles after the last take(), and not before it.
  static constexpr u64 kHorizon = 4096;

  void add(Cycle time, const T& event) {
    const u32 node = allocate();
    nodes_[node].event = event;
    nodes_[node].next = kNone;
    Slot& slot = slots_[time.ticks % kHorizon];
    if (slot.first == kNone) {
      slot.first = node;
      occupied_[time.ticks % kHorizon / 64] |= u64{1} << time.ticks % 64;
    } else {
      nodes_[slot.last].next = node;
    }
    slot.last = node;
    ++count_;
  }

  // Calls visit(event) for the events of this cycle. They may add later ones.
  template <class Visit>
  bool take(Cycle now, Visit visit) {
    Slot& slot = slots_[now.ticks % kHorizon];
    if (slot.first == kNone) return false;
    u32 node = slot.first;
    slot.first = kNone;
    occupied_[now.ticks % kHorizon / 64] &= ~(u64{1} << now.ticks % 64);
    while (node != kNone) {
      const T event = nodes_[node].event;
      const u32 next = nodes_[node].next;
      nodes_[node].next = free_;
      free_ = node;
      --count_;
      visit(event);
      node = next;
    }
    return true;
  }

  bool empty() const { return count_ == 0; }

  // The cycle of the next event at or after `now`; kNever: none.
  Cycle next(Cycle now) const {
    if (count_ == 0) return kNever;
    const u64 start = now.ticks % kHorizon;
    for (u64 step = 0; step <= kWords; ++step) {
      const u64 word = (start / 64 + step) % kWords;
      u64 bits = occupied_[word];
      if (step == 0) bits &= ~u64{0} << start % 64;
      if (step == kWords) bits &= ~(~u64{0} << start % 64);
      if (bits == 0) continue;
      const u64 place = word * 64 + static_cast<u64>(std::countr_zero(bits));
      return now + (place - start + kHorizon) % kHorizon;
    }
    return kNever;
  }

 private:
  static constexpr u32 kNone = ~u32{0};
  static constexpr u64 kWords = kHorizon / 64;

  u32 allocate() {
    if (free_ == kNone) {
      nodes_.emplace_back();
      return static_cast<u32>(nodes_.size() - 1);
    }
    const u32 node = free_;
    free_ = nodes_[node].next;
    return node;
  }

  struct Node {
    T event{};
    u32 next = kNone;
  };
  struct Slot {
    u32 first = kNone, last = kNone;
  };
  std::array<Slot, kHorizon> slots_{};
  std::array<u64, kWords> occupied_{};
  std::vector<Node> nodes_;
  u32 free_ = kNone;
  u64 count_ = 0;
};

}  // namespace warpwright::sm
