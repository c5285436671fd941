// Any candidate, with equal chance and from a fixed seed, so that runs repeat.
#pragma once

#include <bit>

#include "mem/cache/replacement/replacement.hpp"

namespace warpwright::mem {

class RandomReplacement final : public Replacement {
 public:
  RandomReplacement(u32, u32) {}
  void touched(u32, u32, const Request&, bool) override {}
  void installed(u32, u32, const Request&) override { advance(); }
  u32 victim(u32, WaySet candidates) const override {
    const u32 number = static_cast<u32>((state_ >> 32) % candidates.size());
    for (u32 skip = 0; skip < number; ++skip) candidates.takeLeast();
    return candidates.least();
  }

 private:
  // Marsaglia: Xorshift RNGs, Journal of Statistical Software 8 (2003), with the multiplier of xorshift64*.
  void advance() {
    seed_ ^= seed_ >> 12;
    seed_ ^= seed_ << 25;
    seed_ ^= seed_ >> 27;
    state_ = seed_ * 0x2545f4914f6cdd1d;
  }

  u64 seed_ = 1, state_ = 0;
};

inline constexpr ReplacementEntry kRandom{{.name = "random",
                                           .text = "Any line with equal chance, from a fixed seed.",
                                           .source = "Marsaglia, \"Xorshift RNGs\", Journal of Statistical Software 8 (2003)"},
                                          makePlain<RandomReplacement>};

}  // namespace warpwright::mem
