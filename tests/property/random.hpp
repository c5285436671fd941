// Random numbers for generators of programs.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace warpwright::testing {

// SplitMix64: tiny, and the same everywhere (the standard distributions are not).
class Random {
 public:
  explicit Random(u64 seed) : state_(seed) {}
  u64 next() {
    u64 z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  u32 below(u32 bound) { return static_cast<u32>(next() % bound); }
  bool chance(u32 percent) { return below(100) < percent; }
  template <std::size_t N>
  std::string pick(const std::array<std::string_view, N>& list) {
    return std::string(list[below(N)]);
  }

 private:
  u64 state_;
};

}  // namespace warpwright::testing
