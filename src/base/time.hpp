// Points and spans of simulated time. Every clock domain counts its own ticks; times of two domains do not mix by accident.
#pragma once

#include <compare>

#include "base/types.hpp"

namespace warpwright {

// A number of ticks of one clock, since the start of the simulation or between two points.
template <class Clock>
struct Time {
  u64 ticks = 0;

  constexpr auto operator<=>(const Time&) const = default;
  friend constexpr Time operator+(Time time, u64 more) { return {time.ticks + more}; }
  friend constexpr u64 operator-(Time later, Time earlier) { return later.ticks - earlier.ticks; }
  constexpr Time& operator+=(u64 more) {
    ticks += more;
    return *this;
  }
  constexpr Time& operator++() { return *this += 1; }
};

// The tick before; before the first one, a time after which everything is still to come when one tick is added.
template <class Clock>
constexpr Time<Clock> previous(Time<Clock> time) {
  return {time.ticks - 1};
}

// The clocks of the machine. The core clock is the common time base: whatever crosses from one domain to another carries core cycles.
struct CoreClock;
struct NetworkClock;
struct L2Clock;
struct DramClock;

using Cycle = Time<CoreClock>;
using NetworkTick = Time<NetworkClock>;
using L2Tick = Time<L2Clock>;
using DramTick = Time<DramClock>;

// Later than every time that is reached.
template <class Clock>
inline constexpr Time<Clock> kNeverOf{~u64{0}};
inline constexpr Cycle kNever = kNeverOf<CoreClock>;

}  // namespace warpwright
