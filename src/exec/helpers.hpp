// Routines that execute beside warps, for a Stepper. See stepper.hpp.
#pragma once

#include "exec/grid.hpp"
#include "exec/stepper.hpp"

namespace warpwright::exec {

std::optional<u32> beginHelper(Grid& grid, BlockSlotId slot, u32 index, const isa::Function& routine, LaneMask lanes, bool speculative,
                               std::optional<u32> place);
void copyRegister(Grid& grid, u32 number, u32 parentRegister, u32 helperRegister, bool in);
std::span<u32> helperRegister(Grid& grid, u32 number, u32 helperRegister);
HelperMemory helperMemory(Grid& grid, u32 number);
BlockHelperMemory helperMemoryOf(const Grid& grid, BlockSlotId slot);
NextInstruction nextHelperInstruction(Grid& grid, u32 number);
void stepHelper(Grid& grid, u32 number, u64 now, StepRecorder& recorder);
void endHelper(Grid& grid, u32 number);

}  // namespace warpwright::exec
