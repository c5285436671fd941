// The mbarrier object (PTX ISA, "mbarrier"): a 64-bit word in shared memory whose layout PTX leaves open. Ours:
//
//   bits  0-19  arrivals that the current phase still waits for
//   bits 20-39  arrivals that a phase expects
//   bits 40-60  transactions that the current phase still waits for, with sign
//   bit  61     set: an object lives here
//   bit  63     parity of the current phase
//
// A phase is complete when it waits for nothing; then the next begins at once. The state that an arrival gives is the word from before.
#pragma once

#include <string_view>

#include "base/types.hpp"

namespace warpwright::exec {

class Mbarrier {
 public:
  static constexpr u32 kMostArrivals = (1u << 20) - 1;

  static Mbarrier initialised(u32 arrivals) { return Mbarrier(kLives | arrivals | u64{arrivals} << 20); }
  explicit Mbarrier(u64 word) : word_(word) {}

  u64 word() const { return word_; }
  bool lives() const { return (word_ & kLives) != 0; }
  u32 pending() const { return static_cast<u32>(word_) & kMostArrivals; }
  u32 expected() const { return static_cast<u32>(word_ >> 20) & kMostArrivals; }
  s32 transactions() const { return static_cast<s32>(static_cast<s64>(word_ << 3) >> 43); }
  bool parity() const { return word_ >> 63 != 0; }

  // Each is false when it would leave the range that PTX prescribes; the object is then as before.
  bool arrive(u32 count);
  bool arriveAndDrop(u32 count);
  bool expect(u32 arrivals);               // one more arrival in the current phase
  bool addTransactions(s64 transactions);  // expect-tx: positive; complete-tx: negative

  // Whether the phase that a state belongs to is complete.
  bool hasCompleted(u64 state) const { return (state ^ word_) >> 63 != 0; }
  bool hasCompletedParity(bool parity) const { return this->parity() != parity; }

 private:
  static constexpr u64 kLives = u64{1} << 61;
  static constexpr s64 kMostTransactions = (1 << 20) - 1;

  void set(u32 pending, u32 expected, s64 transactions, bool parity);
  void update(u32 pending, u32 expected, s64 transactions);

  u64 word_;
};

}  // namespace warpwright::exec
