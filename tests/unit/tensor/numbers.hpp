// Element formats and random matrices for the tests, independent of the simulator: values are exact in every format that they are made for.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::tensor {

// "f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s4", "u4", "s32"
inline u32 bitsOf(const std::string& type) {
  if (type == "tf32") return 32;
  return static_cast<u32>(std::stoul(type.substr(type.find_first_of("0123456789"))));
}

// Normal numbers of f16 and 0 only.
inline u64 encode(const std::string& type, double value) {
  if (type == "f64") return std::bit_cast<u64>(value);
  if (type == "f32" || type == "tf32") return std::bit_cast<u32>(static_cast<float>(value));
  if (type == "bf16") return std::bit_cast<u32>(static_cast<float>(value)) >> 16;
  if (type == "f16") {
    if (value == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);  // [0.5, 1)
    const u32 mantissa = static_cast<u32>(fraction * 2048) & 0x3ff;
    return (value < 0 ? 0x8000u : 0u) | static_cast<u32>(exponent + 14) << 10 | mantissa;
  }
  return static_cast<u64>(static_cast<s64>(value)) & ((u64{1} << bitsOf(type)) - 1);
}

inline double decode(const std::string& type, u64 bits) {
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "f32" || type == "tf32") return std::bit_cast<float>(static_cast<u32>(bits));
  if (type == "bf16") return std::bit_cast<float>(static_cast<u32>(bits) << 16);
  if (type == "f16") {
    const double sign = bits & 0x8000 ? -1 : 1;
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const double mantissa = static_cast<double>(bits & 0x3ff);
    return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
  }
  if (type[0] == 's') return static_cast<double>(static_cast<s64>(bits << (64 - bitsOf(type))) >> (64 - bitsOf(type)));
  return static_cast<double>(bits);
}

using Matrix = std::vector<double>;  // row by row

inline Matrix randomIntegers(u32 elements, const std::string& type, u32 seed) {
  std::mt19937 generator(seed);
  int least = -8, most = 7;
  if (type == "u4" || type == "u8") least = 0, most = type == "u4" ? 15 : 255;
  if (type == "s8") least = -128, most = 127;
  if (type == "s32") least = -100000, most = 100000;
  std::uniform_int_distribution<int> value(least, most);
  Matrix matrix(elements);
  for (double& element : matrix) element = value(generator);
  return matrix;
}

inline Matrix product(const Matrix& a, const Matrix& b, const Matrix& c, u32 m, u32 n, u32 k) {
  Matrix d = c;
  for (u32 i = 0; i < m; ++i)
    for (u32 j = 0; j < n; ++j)
      for (u32 l = 0; l < k; ++l) d[i * n + j] += a[i * k + l] * b[l * n + j];
  return d;
}

// Bits [position, position + count) of a sequence of words.
inline u64 readBits(const u32* words, u32 position, u32 count) {
  if (count == 64) return words[position / 32] | static_cast<u64>(words[position / 32 + 1]) << 32;
  return words[position / 32] >> position % 32 & static_cast<u32>((u64{1} << count) - 1);
}
inline void writeBits(u32* words, u32 position, u32 count, u64 value) {
  if (count == 64) {
    words[position / 32] = static_cast<u32>(value), words[position / 32 + 1] = static_cast<u32>(value >> 32);
    return;
  }
  words[position / 32] |= static_cast<u32>(value) << position % 32;
}

}  // namespace warpwright::tensor
