// Every lane operation with every type and every setting of the modifiers that it reacts to.
#pragma once

#include <vector>

#include "isa/instruction.hpp"

namespace warpwright::test {

// Operands are not filled in.
std::vector<isa::Instruction> laneVariants();

// Bits that are interesting as a value of the type: limits, zeros, subnormals, NaNs, neighbours of powers of two.
const std::vector<u64>& boundaryValues(isa::DataType type);

}  // namespace warpwright::test
