// Device code that lies in this process: what a program's start-up code registers, and what it loads from memory.
#pragma once

#include <string>
#include <vector>

#include "fatbin/container.hpp"

namespace warpwright::fatbin {

// The containers that a registration's wrapper leads to: one for a unit compiled by itself (version 1); one a unit for code that was linked
// (version 2, -rdc=true), without the linked machine code. The pointer must lead to 24 readable bytes, and what they name must be what it
// says; sizes are checked against the loaded file that holds the data. Throws Error for an unknown wrapper and for damaged containers.
std::vector<Container> wrapperContainers(const void* wrapper, const std::string& origin);

// The containers at an address whose extent nobody told (cuModuleLoadData, cuModuleLoadFatBinary): a wrapper, a container or PTX text
// ended by a NUL. A container that does not tell its size ends at the first bytes that are no entry: something must follow it.
// Throws Error for anything else, NoPtx for machine code (a cubin).
std::vector<Container> imageContainers(const void* image, const std::string& origin);

}  // namespace warpwright::fatbin
