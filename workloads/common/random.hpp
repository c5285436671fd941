// A small generator whose sequence is the same on every platform (splitmix64; Steele, Lea and Flood, OOPSLA 2014).
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace workloads {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In [0, 1), with 24 random bits: exact in single precision.
  float uniform() { return static_cast<float>(bits() >> 40) * 0x1p-24f; }
  float uniform(float low, float high) { return low + (high - low) * uniform(); }
  // Near the normal distribution with variance 1: the sum of twelve uniform numbers, and never beyond 6.
  float normal() {
    float sum = -6.0f;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }
  // In [0, bound); the bias of the multiplication is below 2^-32.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((bits() >> 32) * bound) >> 32); }

 private:
  std::uint64_t state_;
};

inline std::vector<float> uniformFloats(Random& random, size_t count, float low, float high) {
  std::vector<float> values(count);
  for (float& value : values) value = random.uniform(low, high);
  return values;
}

inline std::vector<float> normalFloats(Random& random, size_t count, float deviation) {
  std::vector<float> values(count);
  for (float& value : values) value = deviation * random.normal();
  return values;
}

// A number in steps of `unit`, as files and markets have it.
inline float inSteps(float value, float unit) { return std::round(value / unit) * unit; }

}  // namespace workloads
