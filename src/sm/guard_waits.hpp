// Predicates that a warp has set and that do not guard instructions yet, though others may read them: on NVIDIA's GPUs a guard is read
// many cycles ahead of operands (sm.pipeline.guard_latency).
#pragma once

#include <array>
#include <bit>

#include "isa/instruction.hpp"

namespace warpwright::sm {

class GuardWaits {
 public:
  // Predicates as bits, of one instruction.
  void set(u64 predicates) {
    waiting_ |= predicates;
    for (; predicates != 0; predicates &= predicates - 1) ++settings_[static_cast<u32>(std::countr_zero(predicates))];
  }
  // … which has been set() as often.
  void seen(u64 predicates) {
    for (; predicates != 0; predicates &= predicates - 1) {
      const u32 number = static_cast<u32>(std::countr_zero(predicates));
      if (--settings_[number] == 0) waiting_ &= ~(u64{1} << number);
    }
  }
  bool awaits(u64 predicates) const { return (waiting_ & predicates) != 0; }

 private:
  u64 waiting_ = 0;
  std::array<u8, isa::kPredicates> settings_{};  // that are under way
};

}  // namespace warpwright::sm
