// The values that a program holds in registers, and how far they are.
#pragma once

#include <array>
#include <vector>

#include "base/types.hpp"
#include "spe/instruction.hpp"

namespace warpwright::spe {

using Words = std::array<u32, 4>;  // of a register; word 0 is the preferred slot

inline constexpr u32 kRegisters = 128;
inline constexpr u8 kNoRegister = 0xff;

struct Value {
  Words words{};
  u32 handles = 0;  // of the program
  u32 uses = 0;     // by instructions that have not been timed
  u32 left = 0;     // of these uses, those behind the place in the block that registers have been given up to
  u64 ready = 0;    // the cycle from which instructions that use it may be issued
  bool isLoaded = false;
  bool hasRegister = false;
  u8 reg = kNoRegister;  // the one that it has, or had
};

class Values {
 public:
  ValueId add(const Words& words);
  Value& at(ValueId id) { return values_[id]; }
  const Value& at(ValueId id) const { return values_[id]; }
  // What has neither handles nor uses any more is forgotten, and gives its register back.
  void addHandle(ValueId id) { ++values_[id].handles; }
  void dropHandle(ValueId id);
  void addUse(ValueId id) { ++values_[id].uses; }
  void dropUse(ValueId id);

  // Throws Error when all registers are taken.
  void giveRegister(ValueId id);
  // Another value may have it from now on.
  void takeRegister(ValueId id);
  u32 registersTaken() const { return taken_; }

 private:
  void forgetUnused(ValueId id);

  std::vector<Value> values_;
  std::vector<ValueId> unused_;
  std::array<u64, kRegisters / 64> takenBits_{};
  u32 taken_ = 0;
};

}  // namespace warpwright::spe
