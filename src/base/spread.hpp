// How the addresses of a warp-wide access lie to one another, where that is known at no cost.
#pragma once

#include "base/types.hpp"

namespace warpwright {

enum class Spread : u8 {
  any,          // nothing is known
  uniform,      // all lanes have one address
  consecutive,  // a lane's address is its number times the bytes of a lane behind that of lane 0
};

}  // namespace warpwright
