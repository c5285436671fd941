// Cycles in which a resource is taken, booked ahead. A part of the pipeline whose work is known when an instruction issues is not simulated
// cycle by cycle: the instruction books it, first come first served, and knows at once when it gets it.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "base/time.hpp"

namespace warpwright::sm {

// One resource that serves one request a cycle.
class Calendar {
 public:
  // Takes the first free cycle at or after `earliest`. Bookings lie within kHorizon cycles after the oldest time still of interest.
  Cycle book(Cycle earliest) {
    for (u64 word = earliest.ticks / kBits;; ++word) {
      u64& taken = at(word);
      const u64 before = word == earliest.ticks / kBits ? (u64{1} << earliest.ticks % kBits) - 1 : 0;
      const u64 free = ~(taken | before);
      if (free == 0) continue;
      const auto bit = static_cast<u64>(std::countr_zero(free));
      taken |= u64{1} << bit;
      return {word * kBits + bit};
    }
  }

  bool isFree(Cycle time) { return (at(time.ticks / kBits) >> time.ticks % kBits & 1) == 0; }

  static constexpr u64 kHorizon = 4096;

 private:
  static constexpr u64 kBits = 64, kWords = kHorizon / kBits;

  u64& at(u64 word) {
    Week& week = weeks_[word % kWords];
    if (week.word != word) week = {word, 0};
    return week.taken;
  }

  struct Week {
    u64 word = ~u64{0};
    u64 taken = 0;
  };
  std::array<Week, kWords> weeks_{};
};

// Several alike.
class Calendars {
 public:
  explicit Calendars(u32 count) : calendars_(count) {}
  Calendar& operator[](u32 which) { return calendars_[which]; }
  u32 count() const { return static_cast<u32>(calendars_.size()); }

  // The earliest free cycle of any; the lowest number wins.
  Cycle bookAny(Cycle earliest) {
    for (Cycle time = earliest;; ++time) {
      for (Calendar& calendar : calendars_) {
        if (calendar.isFree(time)) return calendar.book(time);
      }
    }
  }

 private:
  std::vector<Calendar> calendars_;
};

}  // namespace warpwright::sm
