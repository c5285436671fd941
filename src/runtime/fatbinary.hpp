// Device code as programs hand it over: registered by their start-up code, in memory, in files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::runtime {

// The PTX that a registration's wrapper leads to: one unit for code compiled by itself, several for code that was linked (nvcc -rdc=true).
// Of several architectures, the best for sm_VERSION. Throws Error for anything else, fatbin::NoPtx for machine code
// without PTX.
std::vector<PtxUnit> registeredPtx(const void* wrapper, const std::string& origin, u32 smVersion);

// The same of an image at an address whose extent nobody told: PTX text, a fat binary, or a wrapper.
std::vector<PtxUnit> imagePtx(const void* image, const std::string& origin, u32 smVersion);
// The same of a file's bytes: PTX, fat binary, object file, archive.
std::vector<PtxUnit> filePtx(std::string_view bytes, const std::string& name, u32 smVersion);

// 32 or 64: the width of device addresses of the registered PTX. Throws Error as above.
u32 registeredAddressBits(const void* wrapper, const std::string& origin);

}  // namespace warpwright::runtime
