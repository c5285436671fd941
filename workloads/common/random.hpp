// A small generator whose sequence is the same on every platform (splitmix64; Steele, Lea and Flood, OOPSLA 2014).
#pragma once

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

}  // namespace workloads
