// How the addresses of a warp-wide access lie to one another, which who computes them finds out on the way.
#pragma once

#include "base/types.hpp"

namespace warpwright {

enum class Spread : u8 {
  unknown,
  uniform,      // all lanes have one address
  consecutive,  // a lane's address is its number times the bytes of a lane behind that of lane 0
  scattered,    // neither
};

}  // namespace warpwright
