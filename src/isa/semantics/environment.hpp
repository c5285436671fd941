// The host's rounding mode.
#pragma once

#include <xmmintrin.h>

#include "isa/semantics/values.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

// Sets the rounding mode of SSE arithmetic for its lifetime. The arithmetic must lie in a function that is not inlined into the
// scope's, because compilers move arithmetic across changes of the mode.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) : saved_(_mm_getcsr()) {
    constexpr u32 kModes[] = {_MM_ROUND_NEAREST, _MM_ROUND_TOWARD_ZERO, _MM_ROUND_DOWN, _MM_ROUND_UP};
    _mm_setcsr((saved_ & ~u32{_MM_ROUND_MASK}) | kModes[static_cast<u32>(rounding)]);
  }
  ~RoundingScope() { _mm_setcsr(saved_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  u32 saved_;
};

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
