// Division by a number that is fixed at construction, as a multiplication.
#pragma once

#include "base/types.hpp"

namespace warpwright::mem {

// Exact for dividends below 2^48 and divisors from 1 to 2^16: with m = floor(2^64 / d) + 1 the error of x * m / 2^64 is below x * d / 2^64
// / d.
class Divider {
 public:
  explicit constexpr Divider(u32 divisor) : divisor_(divisor), inverse_(~u64{0} / divisor + 1) {}

  constexpr u64 quotient(u64 dividend) const {
    if (divisor_ == 1) return dividend;
    return static_cast<u64>((static_cast<unsigned __int128>(dividend) * inverse_) >> 64);
  }
  constexpr u32 remainder(u64 dividend) const { return static_cast<u32>(dividend - quotient(dividend) * divisor_); }
  constexpr u32 divisor() const { return divisor_; }

 private:
  u32 divisor_;
  u64 inverse_;
};

}  // namespace warpwright::mem
