// Device code embedded in this program, as its start-up code registers it.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::runtime {

// The PTX that a registration's wrapper leads to: one unit for code compiled by itself, several for code that was linked (nvcc -rdc=true).
// Of several architectures, the best for sm_VERSION. Throws Error for anything else, for machine code without PTX with its remedy.
std::vector<PtxUnit> registeredPtx(const void* wrapper, const std::string& origin, u32 smVersion);

// 32 or 64: the width of device addresses of the registered PTX. Throws Error as above.
u32 registeredAddressBits(const void* wrapper, const std::string& origin);

}  // namespace warpwright::runtime
