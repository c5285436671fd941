// Numbers that name things.
#pragma once

#include "base/integers.hpp"

namespace warpwright {

// The number of one of a kind: a lane of a warp, a warp slot of an SM. Ids of different kinds do not mix, and a plain number becomes an id
// only where that is written. An id can be used as a number, to index and to compute; what comes out is a number. `Kind` is never defined.
template <class Kind>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(u32 number) : number_(number) {}
  template <class Other>
  explicit Id(Id<Other>) = delete;
  constexpr operator u32() const { return number_; }

 private:
  u32 number_ = 0;
};

}  // namespace warpwright
