// Reproducible choices: each is a function of its arguments, so that they do not depend on how often anything is asked.
#pragma once

#include "base/types.hpp"

namespace warpwright::mem::conformance {

// SplitMix64's mixing function (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
constexpr u64 mix(u64 value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// A stream of numbers.
class Random {
 public:
  explicit Random(u64 seed) : state_(mix(seed)) {}
  u64 next() { return state_ = mix(state_); }
  // 0 … bound - 1.
  u64 below(u64 bound) { return next() % bound; }
  bool chance(u32 percent) { return below(100) < percent; }

 private:
  u64 state_;
};

}  // namespace warpwright::mem::conformance
