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

Mshrs::Mshrs(u32 entries, u32 merges)
    : merges_(merges),
      entries_(entries),
      waiters_(u64{entries} * merges),
      freeEntries_(stackOf(entries)),
      freeWaiters_(stackOf(entries * merges)) {}

u32 Mshrs::allocate(u32 place, u64 now) {
  const u32 entry = pop(freeEntries_);
  entries_[entry] = Entry{.place = place, .since = now};
  return entry;
}

void Mshrs::hold(u32 entry, const Waiter& waiter) {
  const u32 index = pop(freeWaiters_);
  waiters_[index] = waiter;
  waiters_[index].entry = entry;
  waiters_[index].next = kNone;
  Entry& target = entries_[entry];
  ++target.held;
  (target.first == kNone ? target.first : waiters_[target.last].next) = index;
  target.last = index;
}

u32 Mshrs::popServed(u32 entry) {
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

void Mshrs::drop(u32 waiter) {
  freeWaiters_.push_back(waiter);
  --entries_[waiters_[waiter].entry].held;
}

void Mshrs::release(u32 waiter) {
  drop(waiter);
  freeIfUnused(waiters_[waiter].entry);
}

void Mshrs::freeIfUnused(u32 entry) {
  if (entries_[entry].held == 0) freeEntries_.push_back(entry);
}

}  // namespace warpwright::mem
