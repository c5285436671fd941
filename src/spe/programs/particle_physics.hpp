// The arithmetic of `fluidanimate`, of four particles in registers or in arrays of C++: the kernels of Müller, Charypar and Gross,
// "Particle-based fluid simulation for interactive applications" (2003).
#pragma once

#include <cmath>
#include <numbers>

#include "spe/programs/fluid_cells.hpp"
#include "spe/programs/particle_access.hpp"

namespace warpwright::spe::fluidanimate {

struct InRegisters {
  using Value = Quad;
  Spu& spu;
  Sorter& sorter;
  Value constant(float value) { return spu.constant(value); }
  Value fa(const Value& a, const Value& b) { return spu.fa(a, b); }
  Value fs(const Value& a, const Value& b) { return spu.fs(a, b); }
  Value fm(const Value& a, const Value& b) { return spu.fm(a, b); }
  Value fma(const Value& a, const Value& b, const Value& c) { return spu.fma(a, b, c); }
  Value fnms(const Value& a, const Value& b, const Value& c) { return spu.fnms(a, b, c); }
  Value frest(const Value& a) { return spu.fi(a, spu.frest(a)); }
  Value frsqest(const Value& a) { return spu.fi(a, spu.frsqest(a)); }
  Value fcgt(const Value& a, const Value& b) { return spu.fcgt(a, b); }
  Value selb(const Value& a, const Value& b, const Value& mask) { return spu.selb(a, b, mask); }
  Value and_(const Value& a, const Value& b) { return spu.and_(a, b); }
  Value shuffle(const Value& a, const Value& b, const std::array<u32, 4>& lanes) { return sorter.shuffle(a, b, lanes); }
  Value rotate(const Value& a, u32 words) { return spu.rotqbyi(a, static_cast<s32>(4 * words)); }
};

struct InArrays {
  using Value = std::array<float, 4>;
  static Value constant(float value) { return {value, value, value, value}; }
  template <typename Function>
  static Value each(Function&& function) {
    Value result;
    for (u32 i = 0; i < 4; ++i) result[i] = function(i);
    return result;
  }
  static u32 bits(float value) { return std::bit_cast<u32>(value); }
  static float real(u32 value) { return std::bit_cast<float>(value); }
  static Value fa(const Value& a, const Value& b) {
    return each([&](u32 i) { return a[i] + b[i]; });
  }
  static Value fs(const Value& a, const Value& b) {
    return each([&](u32 i) { return a[i] - b[i]; });
  }
  static Value fm(const Value& a, const Value& b) {
    return each([&](u32 i) { return a[i] * b[i]; });
  }
  static Value fma(const Value& a, const Value& b, const Value& c) {
    return each([&](u32 i) { return std::fma(a[i], b[i], c[i]); });
  }
  static Value fnms(const Value& a, const Value& b, const Value& c) {
    return each([&](u32 i) { return std::fma(-a[i], b[i], c[i]); });
  }
  static Value frest(const Value& a) {
    return each([&](u32 i) { return estimated(1 / a[i]); });
  }
  static Value frsqest(const Value& a) {
    return each([&](u32 i) { return estimated(1 / std::sqrt(std::fabs(a[i]))); });
  }
  static Value fcgt(const Value& a, const Value& b) {
    return each([&](u32 i) { return real(a[i] > b[i] ? ~u32{0} : 0); });
  }
  static Value selb(const Value& a, const Value& b, const Value& mask) {
    return each([&](u32 i) { return real((bits(a[i]) & ~bits(mask[i])) | (bits(b[i]) & bits(mask[i]))); });
  }
  static Value and_(const Value& a, const Value& b) {
    return each([&](u32 i) { return real(bits(a[i]) & bits(b[i])); });
  }
  static Value shuffle(const Value& a, const Value& b, const std::array<u32, 4>& lanes) {
    return each([&](u32 i) { return lanes[i] < 4 ? a[lanes[i]] : b[lanes[i] - 4]; });
  }
  static Value rotate(const Value& a, u32 words) {
    return each([&](u32 i) { return a[(i + words) % 4]; });
  }
};

template <typename Value>
struct Particles {
  Vector<Value> position, velocity;
  Value density{}, inverse{};  // of the one particle of a neighbour: less twice the density at rest
};

template <typename Operations>
class Physics {
 public:
  using Value = typename Operations::Value;

  explicit Physics(const Operations& operations) : to_(operations) {}

  // The same word in all lanes.
  Value everywhere(const Value& value, u32 lane = 0) { return to_.shuffle(value, value, {lane, lane, lane, lane}); }
  Vector<Value> everywhere3(const Value& triple) {
    Vector<Value> result;
    result.x = everywhere(triple, 0);
    result.y = everywhere(triple, 1);
    result.z = everywhere(triple, 2);
    return result;
  }

  // What pairs add to densities, but for a factor; nothing where they are out of reach, or not allowed.
  Value weight(const Vector<Value>& current, const Vector<Value>& other, const Value* allowed) {
    const Value squared = squareOf(between(current, other));
    const Value left = to_.fs(squaredRadius_, squared);
    const Value within = reached(squared, allowed);
    return to_.and_(to_.fm(to_.fm(left, left), left), within);
  }
  Value densityOf(const Value& sum) { return to_.fm(to_.fa(sum, ownWeight_), densityFactor_); }

  // 1 / value: an estimate, and a step of Newton's method.
  Value inverse(const Value& value) {
    const Value estimate = to_.frest(value);
    return to_.fma(estimate, to_.fnms(value, estimate, one_), estimate);
  }
  Value excess(const Value& density) { return to_.fs(density, twiceRest_); }

  // What pairs add to the accelerations of the current particles, and take from the other's.
  Vector<Value> acceleration(const Particles<Value>& current, const Particles<Value>& other, const Value* allowed) {
    const Vector<Value> away = between(current.position, other.position);
    const Value squared = squareOf(away);
    const Value within = reached(squared, allowed);
    const Value far = to_.selb(squared, least_, to_.fcgt(least_, squared));  // lest two at one place divide by nothing
    const Value inverseDistance = inverseRoot(far);
    const Value left = to_.fs(radius_, to_.fm(far, inverseDistance));
    const Value volumes = to_.fm(current.inverse, other.inverse);
    Value pressure = to_.fm(to_.fm(left, left), inverseDistance);
    pressure = to_.fm(pressure, to_.fa(current.density, other.density));
    pressure = to_.and_(to_.fm(to_.fm(pressure, pressureFactor_), volumes), within);
    const Value viscosity = to_.and_(to_.fm(to_.fm(left, viscosityFactor_), volumes), within);
    const Vector<Value> faster = between(other.velocity, current.velocity);
    Vector<Value> result;
    result.x = to_.fma(faster.x, viscosity, to_.fm(away.x, pressure));
    result.y = to_.fma(faster.y, viscosity, to_.fm(away.y, pressure));
    result.z = to_.fma(faster.z, viscosity, to_.fm(away.z, pressure));
    return result;
  }

  Vector<Value> sum(const Vector<Value>& a, const Vector<Value>& b) {
    Vector<Value> result;
    result.x = to_.fa(a.x, b.x);
    result.y = to_.fa(a.y, b.y);
    result.z = to_.fa(a.z, b.z);
    return result;
  }
  // Of all lanes.
  Value total(const Value& value) {
    const Value halves = to_.fa(value, to_.rotate(value, 2));
    return to_.fa(halves, to_.rotate(halves, 1));
  }
  // Of each field, side by side.
  Value totals(const Vector<Value>& value) {
    const Value low = to_.shuffle(value.x, value.y, {0, 4, 1, 5});
    const Value both = to_.fa(low, to_.shuffle(value.x, value.y, {2, 6, 3, 7}));
    const Value third = to_.fa(value.z, to_.rotate(value.z, 2));
    const Value first = to_.shuffle(both, third, {0, 1, 4, 4});
    return to_.fa(first, to_.shuffle(both, third, {2, 3, 5, 5}));
  }
  Operations& operations() { return to_; }
  // Out of reach, in the lanes whose bits are not kept.
  Value keptOrFar(const Value& value, const Value& kept) { return to_.selb(far_, value, kept); }

 private:
  // Kernels reach as far as the radius; their factors are integrals over all directions.
  static double power(u32 exponent) {
    double result = 1;
    for (u32 i = 0; i < exponent; ++i) result *= kRadius;
    return result;
  }
  static double gradient() { return kMass * 45 / (std::numbers::pi * power(6)); }
  Value constant(double value) { return to_.constant(static_cast<float>(value)); }

  Vector<Value> between(const Vector<Value>& a, const Vector<Value>& b) {
    Vector<Value> result;
    result.x = to_.fs(a.x, b.x);
    result.y = to_.fs(a.y, b.y);
    result.z = to_.fs(a.z, b.z);
    return result;
  }
  Value squareOf(const Vector<Value>& v) { return to_.fma(v.z, v.z, to_.fma(v.y, v.y, to_.fm(v.x, v.x))); }
  Value reached(const Value& squared, const Value* allowed) {
    const Value within = to_.fcgt(squaredRadius_, squared);
    return allowed ? to_.and_(within, *allowed) : within;
  }
  Value inverseRoot(const Value& value) {
    const Value estimate = to_.frsqest(value);
    const Value half = to_.fm(value, half_);
    return to_.fm(estimate, to_.fnms(half, to_.fm(estimate, estimate), oneAndAHalf_));
  }

  Operations to_;
  Value one_ = constant(1), half_ = constant(0.5), oneAndAHalf_ = constant(1.5);
  Value radius_ = constant(kRadius), squaredRadius_ = constant(power(2)), least_ = constant(1e-12), far_ = constant(kFar);
  Value ownWeight_ = constant(power(6)), densityFactor_ = constant(kMass * 315 / (64 * std::numbers::pi * power(9)));
  Value twiceRest_ = constant(2 * kRestDensity);
  Value pressureFactor_ = constant(gradient() * kStiffness / 2), viscosityFactor_ = constant(gradient() * kViscosity);
};

}  // namespace warpwright::spe::fluidanimate
