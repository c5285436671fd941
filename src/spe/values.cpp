#include "spe/values.hpp"

#include <algorithm>

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
  const auto free = std::ranges::find(isTaken_, false);
  if (free == isTaken_.end())
    throw Error("the program holds more values than an SPU has registers", {},
                "end the scopes of values that are not used any more, or keep some in the local store");
  *free = true;
  ++taken_;
  values_[id].reg = static_cast<u8>(free - isTaken_.begin());
  values_[id].hasRegister = true;
}

void Values::takeRegister(ValueId id) {
  Value& value = values_[id];
  if (!value.hasRegister) return;
  value.hasRegister = false;
  isTaken_[value.reg] = false;
  --taken_;
}

}  // namespace warpwright::spe
