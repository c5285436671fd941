// A queue whose items become visible at a time of their own; the order of arrival is the order of those times.
#pragma once

#include <utility>

#include "base/ring_queue.hpp"
#include "base/time.hpp"

namespace warpwright::mem {

// Clock: whose ticks the times are.
template <class T, class Clock>
class DelayQueue {
 public:
  using Tick = Time<Clock>;

  explicit DelayQueue(u32 capacity = 0) : items_(capacity) {}

  bool empty() const { return items_.empty(); }
  bool full() const { return items_.full(); }
  u32 size() const { return items_.size(); }
  u32 space() const { return items_.space(); }

  // `readyAt` is not before that of the item pushed last; the queue must not be full.
  void push(const T& item, Tick readyAt) {
    Timed& timed = items_.extend();
    timed.item = item;
    timed.readyAt = readyAt;
  }

  // Shows what is ready at `now`; whether that adds anything.
  bool advance(Tick now) {
    const u32 before = visible_;
    while (visible_ < items_.size() && items_[visible_].readyAt <= now) ++visible_;
    return visible_ != before;
  }
  // When advance() will show the next item.
  Tick nextReady() const { return visible_ < items_.size() ? items_[visible_].readyAt : kNeverOf<Clock>; }

  // Null: none is visible.
  const T* peek() const { return visible_ != 0 ? &items_.front().item : nullptr; }
  // When the item that peek() shows became ready.
  Tick readyAt() const { return items_.front().readyAt; }
  T take() {
    T item = std::move(items_.front().item);
    drop();
    return item;
  }
  // take(), when peek() has shown enough.
  void drop() {
    items_.pop();
    --visible_;
  }

 private:
  struct Timed {
    T item{};
    Tick readyAt{};
  };

  RingQueue<Timed> items_;
  u32 visible_ = 0;
};

}  // namespace warpwright::mem
