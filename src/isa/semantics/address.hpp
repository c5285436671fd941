// Conversion between generic addresses and the spaces' own (PTX ISA 9.7.9: cvta, isspacep).
#pragma once

#include "isa/address_space.hpp"
#include "isa/semantics/values.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

constexpr u64 windowOf(Space space) {
  switch (space) {
    case Space::shared:
      return kSharedWindow;
    case Space::local:
      return kLocalWindow;
    case Space::constant:
      return kConstantWindow;
    case Space::param:
      return kParamWindow;
    default:
      return 0;
  }
}

template <class U>
WARPWRIGHT_SEMANTIC U convertAddress(const Modifiers& modifiers, U address) {
  const U window = static_cast<U>(windowOf(modifiers.space));
  return modifiers.toSpace ? address - window : address + window;
}

// Global is whatever lies in no window.
template <class U>
WARPWRIGHT_SEMANTIC bool isInSpace(const Modifiers& modifiers, U address) {
  const U window = static_cast<U>(windowOf(modifiers.space));
  const U end = static_cast<U>(kParamWindow + kWindowBytes);
  if (window == 0) return address < U{kSharedWindow} || address >= end;
  return address - window < U{kWindowBytes};
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
