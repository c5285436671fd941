#pragma once

#include <bit>

#include "mem/cache/set_hash/set_hash.hpp"

namespace warpwright::mem {

// Exclusive-or of all groups of as many bits as number the sets.
class XorFold final : public SetHash {
 public:
  explicit XorFold(u32 sets) : bits_(static_cast<u32>(std::bit_width(sets - 1))) {}
  u64 mixed(u64 line) const override {
    if (bits_ == 0) return line;
    u64 result = 0;
    for (; line != 0; line >>= bits_) result ^= line;
    return result;
  }

 private:
  u32 bits_;
};

inline constexpr SetHashEntry kXorFold{
    {.name = "xor_fold",
     .text = "Those, exclusive-or all groups of bits above them; for a power of two of sets.",
     .source =
         "González, Valero, Topham, Parcerisa, \"Eliminating Cache Conflict Misses Through XOR-Based Placement Functions\", ICS 1997"},
    [](const std::any&, u32 sets) -> std::unique_ptr<SetHash> { return std::make_unique<XorFold>(sets); }};

}  // namespace warpwright::mem
