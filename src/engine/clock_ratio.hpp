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
      : numerator_(domainKhz / std::gcd(domainKhz, coreKhz)),
        denominator_(coreKhz / std::gcd(domainKhz, coreKhz)),
        wholeTicks_(numerator_ / denominator_),
        restOfTicks_(numerator_ % denominator_) {}

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

  // A core cycle is wholeTicks() + restOfTicks() / denominator() ticks.
  u64 wholeTicks() const { return wholeTicks_; }
  u64 restOfTicks() const { return restOfTicks_; }
  u64 denominator() const { return denominator_; }
  // What the ticks before the core cycle leave of a tick, in parts of the denominator.
  u64 restBefore(Cycle cycle) const { return cycle.ticks % denominator_ * numerator_ % denominator_; }

 private:
  // Divisions take longer than all else that a quiet cycle costs.
  bool isCore() const { return numerator_ == denominator_; }

  u64 numerator_, denominator_, wholeTicks_, restOfTicks_;
};

// Ticks before core cycles that grow by one, as a rule: without a division then.
class TickCursor {
 public:
  explicit TickCursor(const ClockRatio& ratio) : ratio_(ratio) {}

  const ClockRatio& ratio() const { return ratio_; }
  u64 before(Cycle cycle) const { return cycle == at_ ? ticks_ : ratio_.before(cycle); }
  // The same, and remembers it.
  u64 advance(Cycle cycle) {
    if (cycle == at_) return ticks_;
    if (cycle == at_ + 1) {
      ticks_ += ratio_.wholeTicks();
      rest_ += ratio_.restOfTicks();
      if (rest_ >= ratio_.denominator()) {
        rest_ -= ratio_.denominator();
        ++ticks_;
      }
    } else {
      ticks_ = ratio_.before(cycle);
      rest_ = ratio_.restBefore(cycle);
    }
    at_ = cycle;
    return ticks_;
  }

 private:
  ClockRatio ratio_;
  Cycle at_{};
  u64 ticks_ = 0, rest_ = 0;  // at_ cycles are ticks_ + rest_ / denominator ticks
};

}  // namespace warpwright::engine
