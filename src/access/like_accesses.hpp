// What accesses were found to do lately, by how their lanes lie to one another: an instruction asks for the same again and again, somewhat
// further on.
#pragma once

#include <array>

#include "base/types.hpp"

namespace warpwright::access {

// Result: what an access does, but for where it begins. key: all else on which that depends. kPatterns: so many are remembered.
template <class Result, u32 kPatterns>
class LikeAccesses {
 public:
  // What one of lanes 0 to lanes - 1 with the same key did, whose lanes had the same distances from lane 0; null: none is remembered.
  const Result* recall(const u64* addresses, u32 lanes, u64 key) const {
    for (u32 i = 0; i < kPatterns; ++i) {
      if (keys_[i] != key || patterns_[i].lanes != lanes) continue;
      const Pattern& pattern = patterns_[i];
      if (addresses[1] - addresses[0] != pattern.distance[1]) continue;
      u64 difference = 0;  // no early exit: the loop vectorises
      for (u32 lane = 0; lane < lanes; ++lane) difference |= (addresses[lane] - addresses[0]) ^ pattern.distance[lane];
      if (difference == 0) return &pattern.result;
    }
    return nullptr;
  }

  // Where to put what this one does, in place of the oldest. lanes: at least 2.
  Result& remember(const u64* addresses, u32 lanes, u64 key) {
    const u32 place = next_++ % kPatterns;
    keys_[place] = key;
    Pattern& pattern = patterns_[place];
    pattern.lanes = lanes;
    for (u32 lane = 0; lane < lanes; ++lane) pattern.distance[lane] = addresses[lane] - addresses[0];
    return pattern.result;
  }

 private:
  struct Pattern {
    u32 lanes = 0;  // 0: nothing is remembered
    std::array<u64, kMaxWarpSize> distance{};
    Result result{};
  };
  std::array<u64, kPatterns> keys_{};
  std::array<Pattern, kPatterns> patterns_{};
  u32 next_ = 0;
};

}  // namespace warpwright::access
