// Quantities of which a range is known: energies, powers, areas, and factors without a unit.
//
// Ranges are bounds, not deviations: sums add low to low and high to high, as if all errors went the same way. Entries of one table share
// sources and the scaling between nodes, so their errors do not cancel as those of independent measurements would.
#pragma once

namespace warpwright::energy {

// low <= value <= high, none of them negative.
template <class Unit>
struct Quantity {
  double low = 0, value = 0, high = 0;

  constexpr Quantity& operator+=(const Quantity& other) {
    low += other.low;
    value += other.value;
    high += other.high;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity left, const Quantity& right) { return left += right; }
  // A count, or a number without uncertainty; not negative.
  friend constexpr Quantity operator*(double factor, const Quantity& quantity) {
    return {factor * quantity.low, factor * quantity.value, factor * quantity.high};
  }
  friend constexpr Quantity operator*(const Quantity& quantity, double factor) { return factor * quantity; }
  constexpr bool operator==(const Quantity&) const = default;
};

using Energy = Quantity<struct Joules>;
using Power = Quantity<struct Watts>;
using Area = Quantity<struct SquareMillimetres>;
using Factor = Quantity<struct One>;
using EnergyDelay = Quantity<struct JouleSeconds>;
using EnergyDelay2 = Quantity<struct JouleSecondsSquared>;

// A number that is known exactly.
template <class Q>
constexpr Q exactly(double value) {
  return {value, value, value};
}
// From value / factor up to value x factor.
template <class Q>
constexpr Q within(double value, double factor) {
  return {value / factor, value, value * factor};
}
template <class Unit>
constexpr Quantity<Unit> scaled(const Quantity<Unit>& quantity, const Factor& factor) {
  return {quantity.low * factor.low, quantity.value * factor.value, quantity.high * factor.high};
}

constexpr double kNano = 1e-9, kPico = 1e-12;
// Picojoules, as tables have them.
constexpr Energy picojoules(double low, double value, double high) { return kPico * Energy{low, value, high}; }

constexpr Energy energyOf(const Power& power, double seconds) { return {power.low * seconds, power.value * seconds, power.high * seconds}; }
// Average over a time, which is not 0.
constexpr Power powerOf(const Energy& energy, double seconds) {
  return {energy.low / seconds, energy.value / seconds, energy.high / seconds};
}
constexpr EnergyDelay energyDelay(const Energy& energy, double seconds) {
  return {energy.low * seconds, energy.value * seconds, energy.high * seconds};
}
constexpr EnergyDelay2 energyDelay2(const Energy& energy, double seconds) {
  return {energy.low * seconds * seconds, energy.value * seconds * seconds, energy.high * seconds * seconds};
}

}  // namespace warpwright::energy
