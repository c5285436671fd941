// Miss status holding registers: one entry a line on its way, with the accesses that wait for it (Kroft, ISCA 1981; merging as in Farkas
// and Jouppi, ISCA 1994). An entry is free again when its last access has been answered.
#pragma once

#include <vector>

#include "base/time.hpp"
#include "mem/cache/tags.hpp"
#include "mem/request.hpp"

namespace warpwright::mem {

// An access in an entry.
template <class Clock>
struct Waiter {
  Request request;
  Time<Clock> accepted{};
  u32 sectors = 0;   // that it touches, in the cache's line
  u32 waitsFor = 0;  // sectors still under way when it came
  bool dirties = false;
  u32 entry = kNone, next = kNone;
};

template <class Clock>
class Mshrs {
 public:
  using Waiter = mem::Waiter<Clock>;
  struct Entry {
    u32 frame = kNone;    // of the line; kNone: the entry is of one read that leaves none
    u32 pending = 0;      // sectors asked for and not arrived
    u32 held = 0;         // accesses not yet answered
    Time<Clock> since{};  // its allocation
    u32 first = kNone, last = kNone;
  };

  Mshrs(u32 entries, u32 merges);

  bool full() const { return freeEntries_.empty(); }
  u32 used() const { return static_cast<u32>(entries_.size() - freeEntries_.size()); }
  bool canHold(u32 entry) const { return entries_[entry].held < merges_; }
  const Entry& operator[](u32 entry) const { return entries_[entry]; }
  const Waiter& waiter(u32 index) const { return waiters_[index]; }
  Waiter& waiter(u32 index) { return waiters_[index]; }

  u32 allocate(u32 frame, Time<Clock> now);
  void expect(u32 entry, u32 sectors) { entries_[entry].pending |= sectors; }
  // One more access, to be filled in.
  Waiter& hold(u32 entry);
  void arrived(u32 entry, u32 sectors) { entries_[entry].pending &= ~sectors; }
  // Takes the first access whose sectors are all there out of the entry's list; kNone: there is none. It is held until release().
  u32 popServed(u32 entry);
  // Forgets an access taken out; its entry stays until freeIfUnused().
  void drop(u32 waiter);
  // The access has been answered; its entry is freed when it was the last.
  void release(u32 waiter);
  // Frees an entry that holds no accesses. It expects no sectors then: whoever asks for some waits for them.
  void freeIfUnused(u32 entry);

 private:
  u32 merges_;
  std::vector<Entry> entries_;
  // Room for all is reserved at construction, and made use of as far as accesses wait: a launch of few blocks touches little of what
  // hundreds of caches could hold.
  std::vector<Waiter> waiters_;
  std::vector<u32> freeEntries_, freeWaiters_;  // stacks
};

extern template class Mshrs<CoreClock>;
extern template class Mshrs<L2Clock>;

}  // namespace warpwright::mem
