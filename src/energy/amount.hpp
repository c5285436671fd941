// Energies that are added up exactly.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/integers.hpp"
#include "energy/quantity.hpp"

namespace warpwright::energy {

// In whole attojoules, of which 128 bits hold far more than any machine ever takes. What one event costs is rounded once, to a millionth of
// a picojoule; from there on all is integers, so that parts give the same sum in whatever order and grouping they are added: kernels,
// launches, units, lines.
class Amount {
 public:
  __extension__ using Attojoules = unsigned __int128;

  Amount() = default;
  // Of so many events that cost `each`.
  Amount(u64 count, const Energy& each)
      : low_(count * whole(each.low)), value_(count * whole(each.value)), high_(count * whole(each.high)) {}

  Amount& operator+=(const Amount& other) {
    low_ += other.low_;
    value_ += other.value_;
    high_ += other.high_;
    return *this;
  }
  // What is left; nothing where `other` is more.
  Amount without(const Amount& other) const {
    Amount left;
    left.low_ = low_ - std::min(low_, other.low_);
    left.value_ = value_ - std::min(value_, other.value_);
    left.high_ = high_ - std::min(high_, other.high_);
    return left;
  }
  friend Amount operator+(Amount left, const Amount& right) { return left += right; }
  bool operator==(const Amount&) const = default;

  Energy energy() const { return {joules(low_), joules(value_), joules(high_)}; }
  // The value, in whole femtojoules: 18 kJ at most.
  u64 femtojoules() const { return static_cast<u64>(value_ / 1000); }

 private:
  static Attojoules whole(double joules) { return static_cast<Attojoules>(std::llround(joules * 1e18)); }
  static double joules(Attojoules attojoules) { return static_cast<double>(attojoules) * 1e-18; }

  Attojoules low_ = 0, value_ = 0, high_ = 0;
};

}  // namespace warpwright::energy
