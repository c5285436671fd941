// The ticks of a clock domain, seen from the core clock.
#pragma once

#include <numeric>

#include "base/time.hpp"

namespace warpwright::engine {

// Tick number n of the domain falls into the first core cycle c with before(c + 1) > n: exact for any ratio, without rounding drift.
class ClockRatio {
 public:
  // Frequencies in kHz, not 0.
  ClockRatio(u64 domainKhz, u64 coreKhz)
      : numerator_(domainKhz / std::gcd(domainKhz, coreKhz)), denominator_(coreKhz / std::gcd(domainKhz, coreKhz)) {}

  // Ticks of the domain before the core cycle begins.
  u64 before(Cycle cycle) const {
    if (isCore()) return cycle.ticks;
    return cycle.ticks / denominator_ * numerator_ + cycle.ticks % denominator_ * numerator_ / denominator_;
  }
  // The core cycle in which the tick falls.
  Cycle cycleOf(u64 tick) const {
    if (isCore()) return {tick};
    return {tick / numerator_ * denominator_ + ((tick % numerator_ + 1) * denominator_ + numerator_ - 1) / numerator_ - 1};
  }
  // Core cycles that `ticks` ticks take, rounded up.
  u64 cycles(u64 ticks) const { return (ticks * denominator_ + numerator_ - 1) / numerator_; }

 private:
  // Divisions take longer than all else that a quiet cycle costs.
  bool isCore() const { return numerator_ == denominator_; }

  u64 numerator_, denominator_;
};

}  // namespace warpwright::engine
