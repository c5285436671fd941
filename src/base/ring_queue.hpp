// A first-in first-out queue of fixed capacity that never allocates after construction. Memory is made use of as far as items wait: an
// empty queue begins anew, so that one which never holds many stays in the cache.
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
  RingQueue(const RingQueue& other) { *this = other; }
  RingQueue& operator=(const RingQueue& other) {
    if (this == &other) return *this;
    reserve(other.capacity_);
    items_.insert(items_.end(), other.items_.begin(), other.items_.end());
    made_ = other.made_;
    head_ = other.head_;
    size_ = other.size_;
    return *this;
  }
  RingQueue(RingQueue&&) = default;
  RingQueue& operator=(RingQueue&&) = default;

  // Empties the queue and gives it another capacity.
  void reserve(u32 capacity) {
    const u32 places = std::bit_ceil(capacity ? capacity : 1u);
    capacity_ = capacity;
    items_.clear();
    items_.reserve(places);
    mask_ = places - 1;
    made_ = head_ = size_ = 0;
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
  T& extend() {
    const u32 place = (head_ + size_++) & mask_;
    if (place == made_) [[unlikely]] {
      items_.emplace_back();
      ++made_;
    }
    return items_[place];
  }
  // The queue must not be empty.
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  void pop() { head_ = --size_ == 0 ? 0 : (head_ + 1) & mask_; }
  // The item `index` behind the front.
  T& operator[](u32 index) { return items_[(head_ + index) & mask_]; }
  const T& operator[](u32 index) const { return items_[(head_ + index) & mask_]; }

 private:
  std::vector<T> items_;  // the places that have been used, of those that are reserved
  u32 capacity_ = 0, mask_ = 0, made_ = 0, head_ = 0, size_ = 0;
};

}  // namespace warpwright
