// Who executes an instruction on an SM: the warp in a slot, or one of its helpers.
#pragma once

#include "base/types.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

struct Context {
  static constexpr u32 kParent = ~u32{0};

  SlotId slot;           // of the warp; a helper shares its register banks and its scheduler
  u32 helper = kParent;  // of its SM, as the stepper numbers them; kParent: the warp itself

  bool isHelper() const { return helper != kParent; }
  bool operator==(const Context&) const = default;
};

}  // namespace warpwright::sm
