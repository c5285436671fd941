#include "mem/cache/mshrs.hpp"

namespace warpwright::mem {
namespace {

// count - 1 … 0, so that the lowest comes off first.
std::vector<u32> stackOf(u32 count) {
  std::vector<u32> result(count);
  for (u32 i = 0; i < count; ++i) result[i] = count - 1 - i;
  return result;
}

u32 pop(std::vector<u32>& stack) {
  const u32 top = stack.back();
  stack.pop_back();
  return top;
}

}  // namespace

template <class Clock>
Mshrs<Clock>::Mshrs(u32 entries, u32 merges) : merges_(merges), entries_(entries), freeEntries_(stackOf(entries)) {
  waiters_.reserve(u64{entries} * merges);
  freeWaiters_.reserve(u64{entries} * merges);
}

template <class Clock>
u32 Mshrs<Clock>::allocate(u32 frame, Time<Clock> now) {
  const u32 entry = pop(freeEntries_);
  entries_[entry] = Entry{.frame = frame, .since = now};
  return entry;
}

template <class Clock>
auto Mshrs<Clock>::hold(u32 entry) -> Waiter& {
  if (freeWaiters_.empty()) {
    freeWaiters_.push_back(static_cast<u32>(waiters_.size()));
    waiters_.emplace_back();
  }
  const u32 index = pop(freeWaiters_);
  Waiter& waiter = waiters_[index];
  waiter.entry = entry;
  waiter.next = kNone;
  Entry& target = entries_[entry];
  ++target.held;
  (target.first == kNone ? target.first : waiters_[target.last].next) = index;
  target.last = index;
  return waiter;
}

template <class Clock>
u32 Mshrs<Clock>::popServed(u32 entry) {
  Entry& from = entries_[entry];
  u32 before = kNone;
  for (u32 index = from.first; index != kNone; before = index, index = waiters_[index].next) {
    if ((waiters_[index].waitsFor & from.pending) != 0) continue;
    (before == kNone ? from.first : waiters_[before].next) = waiters_[index].next;
    if (from.last == index) from.last = before;
    return index;
  }
  return kNone;
}

template <class Clock>
void Mshrs<Clock>::drop(u32 waiter) {
  freeWaiters_.push_back(waiter);
  --entries_[waiters_[waiter].entry].held;
}

template <class Clock>
void Mshrs<Clock>::release(u32 waiter) {
  drop(waiter);
  freeIfUnused(waiters_[waiter].entry);
}

template <class Clock>
void Mshrs<Clock>::freeIfUnused(u32 entry) {
  if (entries_[entry].held == 0) freeEntries_.push_back(entry);
}

template class Mshrs<CoreClock>;
template class Mshrs<L2Clock>;

}  // namespace warpwright::mem
