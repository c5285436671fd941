// Cycles in which resources are taken, booked ahead. A part of the pipeline whose work is known when an instruction issues is not simulated
// cycle by cycle: the instruction books it, first come first served, and knows at once when it gets it.
#pragma once

#include <bit>
#include <vector>

#include "base/time.hpp"

namespace warpwright::sm {

// Resources that serve one request a cycle each: one bit a resource in a word a cycle. It grows with how far ahead it is booked; what lies
// before `now`, which never decreases, is forgotten.
class Calendar {
 public:
  static constexpr u32 kMostResources = 64;

  explicit Calendar(u32 resources) : resources_(resources), all_(~u64{0} >> (kMostResources - resources)) {}

  u32 resources() const { return resources_; }
  bool isFree(u32 resource, Cycle time) const { return (takenAt(time) >> resource & 1) == 0; }

  // Takes the resource in its first free cycle at or after `earliest`, which is not before `now`.
  Cycle book(u32 resource, Cycle earliest, Cycle now) { return bookOneOf(u64{1} << resource, earliest, now); }
  // The same with any of those whose bits are set; the lowest number wins.
  Cycle bookOneOf(u64 resources, Cycle earliest, Cycle now) {
    for (Cycle time = earliest;; ++time) {
      Day& day = dayOf(time);
      const bool isOfTime = day.time == time.ticks;
      const u64 free = isOfTime ? resources & ~day.taken : resources;
      if (free == 0) continue;
      const u64 first = free & -free;
      if (isOfTime) {
        day.taken |= first;
      } else {
        begin(time, first, now);
      }
      return time;
    }
  }
  // The same with any of all.
  Cycle bookAny(Cycle earliest, Cycle now) { return bookOneOf(all_, earliest, now); }

 private:
  static constexpr std::size_t kFirstDays = 64;

  struct Day {
    u64 time = 0;
    u64 taken = 0;  // bit r: resource r
  };

  Day& dayOf(Cycle time) { return days_[time.ticks & mask_]; }
  u64 takenAt(Cycle time) const {
    const Day& day = days_[time.ticks & mask_];
    return day.time == time.ticks ? day.taken : 0;
  }
  // A day of which nothing is taken yet.
  void begin(Cycle time, u64 taken, Cycle now) {
    while (isInUse(dayOf(time), now)) [[unlikely]] grow();
    dayOf(time) = {time.ticks, taken};
  }
  static bool isInUse(const Day& day, Cycle now) { return day.taken != 0 && day.time >= now.ticks; }
  void grow() {
    std::vector<Day> larger(days_.size() * 2);
    for (const Day& day : days_) {
      if (day.taken != 0) larger[day.time & (larger.size() - 1)] = day;
    }
    days_ = std::move(larger);
    mask_ = days_.size() - 1;
  }

  u32 resources_;
  u64 all_;
  std::vector<Day> days_ = std::vector<Day>(kFirstDays);  // a power of two
  u64 mask_ = kFirstDays - 1;
};

}  // namespace warpwright::sm
