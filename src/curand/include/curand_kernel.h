// cuRAND's device interface for XORWOW, MRG32k3a and Philox: random numbers that each thread makes from a state of its own.
// docs/libraries.md says what is there, and how near it comes.
#pragma once
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"
#include "warpwright_curand/distributions.hpp"

typedef warpwright::curand::XorwowState curandStateXORWOW, curandStateXORWOW_t, curandState, curandState_t;
typedef warpwright::curand::MrgState curandStateMRG32k3a, curandStateMRG32k3a_t;
typedef warpwright::curand::PhiloxState curandStatePhilox4_32_10, curandStatePhilox4_32_10_t;

namespace warpwright::curand {

// The pseudorandom generators, so that what follows is for them alone.
template <typename State>
struct IsState {};
template <>
struct IsState<XorwowState> {
  using type = void;
};
template <>
struct IsState<MrgState> {
  using type = void;
};
template <>
struct IsState<PhiloxState> {
  using type = void;
};
template <typename State>
using ForStates = typename IsState<State>::type;

}  // namespace warpwright::curand

// Sequence: MRG32k3a calls these subsequences.
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, State* state) {
  warpwright::curand::begin(*state, seed, sequence, offset);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline void skipahead(unsigned long long steps, State* state) {
  warpwright::curand::skip(*state, steps);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline void skipahead_sequence(unsigned long long sequences, State* state) {
  warpwright::curand::skipSequences(*state, sequences);
}
__device__ inline void skipahead_subsequence(unsigned long long subsequences, curandStateMRG32k3a_t* state) {
  warpwright::curand::skipSubsequences(*state, subsequences);
}

template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline unsigned int curand(State* state) {
  return warpwright::curand::next(*state);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline float curand_uniform(State* state) {
  return warpwright::curand::uniform(*state);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline double curand_uniform_double(State* state) {
  return warpwright::curand::uniformWide(*state);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline float curand_normal(State* state) {
  return warpwright::curand::normal(*state, state->spares.single);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline double curand_normal_double(State* state) {
  return warpwright::curand::normal(*state, state->spares.wide);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline float2 curand_normal2(State* state) {
  return warpwright::curand::normalPair(*state);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline double2 curand_normal2_double(State* state) {
  return warpwright::curand::normalPairWide(*state);
}

// Exponentials of normal numbers.
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline float curand_log_normal(State* state, float mean, float deviation) {
  return warpwright::curand::logNormal(*state, state->spares.single, mean, deviation);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline double curand_log_normal_double(State* state, double mean, double deviation) {
  return warpwright::curand::logNormal(*state, state->spares.wide, mean, deviation);
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}
template <typename State, typename = warpwright::curand::ForStates<State>>
__device__ inline double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 pair = curand_normal2_double(state);
  return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));
}

// Philox makes four words at a time.
__device__ inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const warpwright::curand::Words4 four = warpwright::curand::nextFour(*state);
  return make_uint4(four.words[0], four.words[1], four.words[2], four.words[3]);
}
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using warpwright::curand::unit;
  const uint4 four = curand4(state);
  return make_float4(unit(four.x), unit(four.y), unit(four.z), unit(four.w));
}
__device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  using warpwright::curand::unitWide;
  const uint4 four = curand4(state);
  return make_double2(unitWide(four.x, four.y), unitWide(four.z, four.w));
}
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 four = curand4(state);
  const float2 first = warpwright::curand::normalPair(four.x, four.y), second = warpwright::curand::normalPair(four.z, four.w);
  return make_float4(first.x, first.y, second.x, second.y);
}
__device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  const float4 four = curand_normal4(state);
  return make_float4(expf(mean + deviation * four.x), expf(mean + deviation * four.y), expf(mean + deviation * four.z),
                     expf(mean + deviation * four.w));
}
