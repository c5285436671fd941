// The entry of every host level's build of this folder.
#pragma once

#include "exec/lane_function.hpp"

namespace warpwright::exec::lanes {

// Null when no lane operation is like the instruction.
namespace portable {
LaneFunction find(const isa::Instruction& instruction, u32 lanes);
}
namespace avx2 {
LaneFunction find(const isa::Instruction& instruction, u32 lanes);
}
namespace avx512 {
LaneFunction find(const isa::Instruction& instruction, u32 lanes);
}

}  // namespace warpwright::exec::lanes
