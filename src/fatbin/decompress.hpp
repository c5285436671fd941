// Compressed device code.
#pragma once

#include <string>

#include "fatbin/container.hpp"

namespace warpwright::fatbin {

// Where a header promises more, it is not believed: the largest libraries of kernels have entries of some tens of MiB.
constexpr u64 kLargestPayload = u64{1} << 30;

// The entry's bytes as they were before compression. Throws Error when the data do not give the size that the header says.
std::string decompress(const Entry& entry);

}  // namespace warpwright::fatbin
