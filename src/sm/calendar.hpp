// Cycles in which a resource is taken, booked ahead. A part of the pipeline whose work is known when an instruction issues is not simulated
// cycle by cycle: the instruction books it, first come first served, and knows at once when it gets it.
#pragma once

#include <bit>
#include <vector>

#include "base/time.hpp"

namespace warpwright::sm {

// One resource that serves one request a cycle. It grows with how far ahead it is booked; what lies before `now` is forgotten.
class Calendar {
 public:
  // Takes the first free cycle at or after `earliest`, which is not before `now`. `now` never decreases.
  Cycle book(Cycle earliest, Cycle now) {
    const Cycle time = firstFree(earliest);
    take(time, now);
    return time;
  }

  Cycle firstFree(Cycle earliest) const {
    u64 word = earliest.ticks / kBits;
    u64 taken = takenIn(word) | ((u64{1} << earliest.ticks % kBits) - 1);
    while (taken == ~u64{0}) taken = takenIn(++word);
    return {word * kBits + static_cast<u64>(std::countr_one(taken))};
  }

  // The time must be free.
  void take(Cycle time, Cycle now) {
    const u64 number = time.ticks / kBits;
    while (!isUsable(number, now)) weeks_ = grown();
    Week& week = weekOf(number);
    if (week.number != number) week = {number, 0};
    week.taken |= u64{1} << time.ticks % kBits;
  }

 private:
  static constexpr u64 kBits = 64;
  static constexpr std::size_t kFirstWeeks = 8;

  struct Week {
    u64 number = 0;  // time / kBits
    u64 taken = 0;   // bit a cycle
  };

  Week& weekOf(u64 number) { return weeks_[number & (weeks_.size() - 1)]; }
  const Week& weekOf(u64 number) const { return weeks_[number & (weeks_.size() - 1)]; }
  u64 takenIn(u64 number) const {
    const Week& week = weekOf(number);
    return week.number == number ? week.taken : 0;
  }
  bool isUsable(u64 number, Cycle now) const {
    const Week& week = weekOf(number);
    return week.number == number || week.taken == 0 || week.number < now.ticks / kBits;
  }
  std::vector<Week> grown() const {
    std::vector<Week> larger(weeks_.size() * 2);
    for (const Week& week : weeks_) {
      if (week.taken != 0) larger[week.number & (larger.size() - 1)] = week;
    }
    return larger;
  }

  std::vector<Week> weeks_ = std::vector<Week>(kFirstWeeks);  // a power of two
};

// Several alike.
class Calendars {
 public:
  explicit Calendars(u32 count) : calendars_(count) {}
  Calendar& operator[](u32 which) { return calendars_[which]; }
  u32 count() const { return static_cast<u32>(calendars_.size()); }

  // The earliest free cycle of any; the lowest number wins.
  Cycle bookAny(Cycle earliest, Cycle now) {
    Calendar* best = &calendars_.front();
    Cycle time = best->firstFree(earliest);
    for (std::size_t i = 1; i < calendars_.size() && time != earliest; ++i) {
      const Cycle other = calendars_[i].firstFree(earliest);
      if (other >= time) continue;
      best = &calendars_[i];
      time = other;
    }
    best->take(time, now);
    return time;
  }

 private:
  std::vector<Calendar> calendars_;
};

}  // namespace warpwright::sm
