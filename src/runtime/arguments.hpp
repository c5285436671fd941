// The arguments of a launch, as programs hand them over, gathered in the kernel's parameter block.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"
#include "isa/program.hpp"

namespace warpwright::runtime {

struct ParameterBlock {
  std::vector<u8> bytes;
  std::string problem;  // why there is none, with its remedy; empty when there is one
};

// From a pointer to each argument; `arguments` may be null for a kernel without parameters.
ParameterBlock gatherArguments(const isa::Function& kernel, void* const* arguments);

// From a buffer of `size` bytes that holds them all, each at the offset of its parameter; it may be longer than it has to be.
ParameterBlock copyArguments(const isa::Function& kernel, const void* buffer, u64 size);

}  // namespace warpwright::runtime
