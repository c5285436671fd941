// Events of an SM at known cycles.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "base/time.hpp"

namespace warpwright::sm {

// T: copied. Events of one cycle come out in the order in which they went in. Nothing is allocated once the most events at a time were
// seen. Events within kHorizon cycles lie in a slot for each cycle, those further ahead in a heap.
template <class T>
class Wheel {
 public:
  static constexpr u64 kHorizon = 256;

  // Not before the last take().
  void add(Cycle time, const T& event) {
    if (time.ticks < base_ + kHorizon) return append(time.ticks, event);
    later_.push_back({time.ticks, added_++, event});
    std::push_heap(later_.begin(), later_.end());
  }

  // Calls visit(event) for the events of this cycle. They may add later ones. Cycles that have events must not be left out.
  template <class Visit>
  bool take(Cycle now, Visit visit) {
    base_ = now.ticks;
    while (!later_.empty() && later_.front().time < base_ + kHorizon) bringNear();
    Slot& slot = slots_[base_ % kHorizon];
    if (slot.first == kNone) return false;
    u32 node = slot.first;
    slot.first = kNone;
    occupied_[base_ % kHorizon / 64] &= ~(u64{1} << base_ % 64);
    while (node != kNone) {
      const T event = nodes_[node].event;
      const u32 next = nodes_[node].next;
      nodes_[node].next = free_;
      free_ = node;
      visit(event);
      node = next;
    }
    return true;
  }

  // The cycle of the next event at or after `now`; kNever: none.
  Cycle next(Cycle now) const {
    const Cycle later = later_.empty() ? kNever : Cycle{later_.front().time};
    const u64 start = now.ticks % kHorizon;
    for (u64 step = 0; step <= kWords; ++step) {
      const u64 word = (start / 64 + step) % kWords;
      u64 bits = occupied_[word];
      if (step == 0) bits &= ~u64{0} << start % 64;
      if (step == kWords) bits &= ~(~u64{0} << start % 64);
      if (bits == 0) continue;
      const u64 slot = word * 64 + static_cast<u64>(std::countr_zero(bits));
      return std::min(later, now + (slot - start + kHorizon) % kHorizon);
    }
    return later;
  }

 private:
  static constexpr u32 kNone = ~u32{0};
  static constexpr u64 kWords = kHorizon / 64;

  struct Node {
    T event{};
    u32 next = kNone;
  };
  struct Slot {
    u32 first = kNone, last = kNone;
  };
  struct Later {
    u64 time = 0, number = 0;  // number: in the order in which they went in
    T event{};
    // The heap's first is the largest.
    bool operator<(const Later& other) const { return time != other.time ? time > other.time : number > other.number; }
  };

  void append(u64 time, const T& event) {
    const u32 node = allocate();
    nodes_[node].event = event;
    nodes_[node].next = kNone;
    Slot& slot = slots_[time % kHorizon];
    if (slot.first == kNone) {
      slot.first = node;
      occupied_[time % kHorizon / 64] |= u64{1} << time % 64;
    } else {
      nodes_[slot.last].next = node;
    }
    slot.last = node;
  }

  // As soon as a cycle comes within the horizon, so that what is added for it from then on comes behind.
  void bringNear() {
    std::pop_heap(later_.begin(), later_.end());
    append(later_.back().time, later_.back().event);
    later_.pop_back();
  }

  u32 allocate() {
    if (free_ == kNone) {
      nodes_.emplace_back();
      return static_cast<u32>(nodes_.size() - 1);
    }
    const u32 node = free_;
    free_ = nodes_[node].next;
    return node;
  }

  u64 base_ = 0;  // of the last take(): slots hold the cycles from it on
  std::array<Slot, kHorizon> slots_{};
  std::array<u64, kWords> occupied_{};
  std::vector<Node> nodes_;
  u32 free_ = kNone;
  std::vector<Later> later_;
  u64 added_ = 0;
};

}  // namespace warpwright::sm
