// A first-in first-out queue of fixed capacity that never allocates after construction.
#pragma once

#include <bit>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace warpwright {

template <class T>
class RingQueue {
 public:
  explicit RingQueue(u32 capacity = 0) { reserve(capacity); }

  // Empties the queue and gives it another capacity.
  void reserve(u32 capacity) {
    capacity_ = capacity;
    items_.assign(std::bit_ceil(capacity ? capacity : 1u), T{});
    mask_ = static_cast<u32>(items_.size()) - 1;
    head_ = size_ = 0;
  }

  u32 capacity() const { return capacity_; }
  u32 size() const { return size_; }
  u32 space() const { return capacity_ - size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }

  // The queue must not be full.
  void push(const T& item) { extend() = item; }
  void push(T&& item) { extend() = std::move(item); }
  // The same, where the item is filled in in its place: it is what an earlier one was.
  T& extend() { return items_[(head_ + size_++) & mask_]; }
  // The queue must not be empty.
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  void pop() {
    head_ = (head_ + 1) & mask_;
    --size_;
  }
  // The item `index` behind the front.
  T& operator[](u32 index) { return items_[(head_ + index) & mask_]; }
  const T& operator[](u32 index) const { return items_[(head_ + index) & mask_]; }

 private:
  std::vector<T> items_;
  u32 capacity_ = 0, mask_ = 0, head_ = 0, size_ = 0;
};

}  // namespace warpwright
