// Device code embedded in this program: what the data pointer of one registration holds.
#pragma once

#include <string>

namespace warpwright::runtime {

// The PTX that one registration's data pointer leads to; plain text ended by a NUL. Throws Error for anything else.
std::string registeredPtx(const void* data);

}  // namespace warpwright::runtime
