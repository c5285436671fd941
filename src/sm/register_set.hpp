// A set of a thread's registers and predicates, for the scoreboard.
#pragma once

#include <array>

#include "base/types.hpp"

namespace warpwright::sm {

class RegisterSet {
 public:
  static constexpr u32 kRegisters = 256, kPredicates = 64;

  void addRegister(u32 number) { words_[number / 64] |= u64{1} << number % 64; }
  void addPredicate(u32 number) { words_[kRegisters / 64] |= u64{1} << number; }
  bool empty() const {
    u64 any = 0;
    for (const u64 word : words_) any |= word;
    return any == 0;
  }
  bool intersects(const RegisterSet& other) const {
    u64 any = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) any |= words_[i] & other.words_[i];
    return any != 0;
  }
  RegisterSet& operator|=(const RegisterSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  RegisterSet& operator-=(const RegisterSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  bool operator==(const RegisterSet&) const = default;

 private:
  std::array<u64, (kRegisters + kPredicates) / 64> words_{};
};

}  // namespace warpwright::sm
