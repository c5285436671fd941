// List scheduling of a block for the two pipes of an SPU.
#pragma once

#include <vector>

#include "spe/instruction.hpp"
#include "spe/machine.hpp"

namespace warpwright::spe {

// The order in which the instructions of the block stand in the code, as indices. Those with the longest way to the end of the block come
// first. A branch stays last; accesses to the local store that may touch the same bytes keep their order.
std::vector<u32> scheduled(const Block& block, const Machine& machine);

}  // namespace warpwright::spe
