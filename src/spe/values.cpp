#include "spe/values.hpp"

#include <bit>

#include "base/error.hpp"

namespace warpwright::spe {

ValueId Values::add(const Words& words) {
  if (unused_.empty()) {
    values_.emplace_back();
    unused_.push_back(static_cast<ValueId>(values_.size() - 1));
  }
  const ValueId id = unused_.back();
  unused_.pop_back();
  values_[id] = {.words = words};
  return id;
}

void Values::dropHandle(ValueId id) {
  --values_[id].handles;
  forgetUnused(id);
}

void Values::dropUse(ValueId id) {
  --values_[id].uses;
  forgetUnused(id);
}

void Values::forgetUnused(ValueId id) {
  if (values_[id].handles != 0 || values_[id].uses != 0) return;
  takeRegister(id);
  unused_.push_back(id);
}

void Values::giveRegister(ValueId id) {
  u32 half = 0;
  while (half < takenBits_.size() && takenBits_[half] == ~u64{0}) ++half;
  if (half == takenBits_.size())
    throw Error("the program holds more values than an SPU has registers", {},
                "end the scopes of values that are not used any more, or keep some in the local store");
  const u32 free = static_cast<u32>(std::countr_one(takenBits_[half]));
  takenBits_[half] |= u64{1} << free;
  ++taken_;
  values_[id].reg = static_cast<u8>(64 * half + free);
  values_[id].hasRegister = true;
}

void Values::takeRegister(ValueId id) {
  Value& value = values_[id];
  if (!value.hasRegister) return;
  value.hasRegister = false;
  takenBits_[value.reg / 64] &= ~(u64{1} << value.reg % 64);
  --taken_;
}

}  // namespace warpwright::spe
