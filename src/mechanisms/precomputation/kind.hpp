#pragma once

#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::precomputation {

extern const Kind kPrecomputation;

}  // namespace warpwright::mechanisms::precomputation
