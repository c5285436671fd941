// What words of a generator become in kernels: uniform numbers in (0, 1], and pairs of normal ones (Box, Muller: "A Note on the Generation
// of Random Normal Deviates", 1958). Uniform numbers are cuRAND's to the bit, normal ones up to the last places of logarithms and sines.
#pragma once

#include "warpwright_curand/states.hpp"

namespace warpwright::curand {

// ---- XORWOW and Philox give words

__device__ inline float unit(Word word) { return __fmaf_rn(static_cast<float>(word), 0x1p-32f, 0x1p-33f); }
__device__ inline double unitWide(Word low, Word high) {
  const Wide bits = low ^ (static_cast<Wide>(high) << 21);
  return __fma_rn(static_cast<double>(bits), 0x1p-53, 0x1p-54);
}

__device__ inline float2 normalPair(float radiusOf, float angle) {
  const float radius = sqrtf(-2.0f * logf(radiusOf));
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
  return make_float2(sine * radius, cosine * radius);
}
__device__ inline double2 normalPairWide(double radiusOf, double turns) {
  const double radius = sqrt(-2.0 * log(radiusOf));
  double sine, cosine;
  sincospi(turns, &sine, &cosine);
  return make_double2(sine * radius, cosine * radius);
}

constexpr float kTwoPi = 6.2831855f;

__device__ inline float2 normalPair(Word first, Word second) {
  return normalPair(unit(first), __fmaf_rn(static_cast<float>(second), 0x1p-32f * kTwoPi, 0x1p-33f * kTwoPi));
}
__device__ inline double2 normalPairOf(const Words4& four) {
  return normalPairWide(unitWide(four.words[0], four.words[1]), 2.0 * unitWide(four.words[2], four.words[3]));
}

template <typename State>
__device__ inline float uniform(State& state) {
  return unit(next(state));
}
__device__ inline double uniformWide(PhiloxState& state) { return (static_cast<double>(next(state)) + 1) * 0x1p-32; }
template <typename State>
__device__ inline double uniformWide(State& state) {
  const Word low = next(state);
  return unitWide(low, next(state));
}
template <typename State>
__device__ inline float2 normalPair(State& state) {
  const Word first = next(state);
  return normalPair(first, next(state));
}
template <typename State>
__device__ inline double2 normalPairWide(State& state) {
  Words4 four;
  for (Word& word : four.words) word = next(state);
  return normalPairOf(four);
}

// ---- MRG32k3a gives whole numbers from 1 to its first modulus

constexpr double kMrgUnit = 2.3283065498378288e-10, kMrgWord = 1.000000048662;  // cuRAND's: 1 and 2^32 - 1 by the modulus

__device__ inline Word next(MrgState& state) { return static_cast<Word>(nextRaw(state) * kMrgWord); }
__device__ inline float uniform(MrgState& state) { return static_cast<float>(nextRaw(state) * kMrgUnit); }
__device__ inline double uniformWide(MrgState& state) { return nextRaw(state) * kMrgUnit; }
__device__ inline float2 normalPair(MrgState& state) {
  const float radiusOf = uniform(state);
  return normalPair(radiusOf, uniform(state) * kTwoPi);
}
__device__ inline double2 normalPairWide(MrgState& state) {
  const double radiusOf = uniformWide(state);
  return normalPairWide(radiusOf, 2.0 * uniformWide(state));
}

// ---- one number: the second of a pair waits for the next call

template <typename Real>
struct Pair {
  Real first, second;
};
template <typename State>
__device__ inline Pair<float> normalsOf(State& state, float) {
  const float2 pair = normalPair(state);
  return {pair.x, pair.y};
}
template <typename State>
__device__ inline Pair<double> normalsOf(State& state, double) {
  const double2 pair = normalPairWide(state);
  return {pair.x, pair.y};
}

// Change: what becomes of a normal number.
template <SpareOf owner, typename State, typename Real, typename Change>
__device__ inline Real oneOf(State& state, Spare<Real>& spare, Change change) {
  if (spare.owner == owner) {
    spare.owner = SpareOf::nobody;
    return spare.value;
  }
  const Pair<Real> pair = normalsOf(state, Real());
  spare = {change(pair.second), owner};
  return change(pair.first);
}

template <typename State, typename Real>
__device__ inline Real normal(State& state, Spare<Real>& spare) {
  return oneOf<SpareOf::normal>(state, spare, [](Real value) { return value; });
}

template <typename State, typename Real>
__device__ inline Real logNormal(State& state, Spare<Real>& spare, Real mean, Real deviation) {
  return oneOf<SpareOf::logNormal>(state, spare, [&](Real value) { return exp(mean + deviation * value); });
}

}  // namespace warpwright::curand
