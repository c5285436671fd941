// Accesses to shared memory by the layouts that they name.
#pragma once

#include "base/types.hpp"

namespace warpwright::mechanisms::shared_layouts {

struct Statistics {
  u64 named = 0, unnamed = 0, mismatches = 0;

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("named", "warp instructions", "to shared memory, that name a layout", &S::named);
    field("unnamed", "warp instructions", "to shared memory, that name none", &S::unnamed);
    field("mismatches", "words", "read in another layout than they were last stored in", &S::mismatches);
  }
  bool operator==(const Statistics&) const = default;
};

}  // namespace warpwright::mechanisms::shared_layouts
