// What a load of global memory has brought is not loaded again.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// A load of global memory without ordering that repeats an earlier one of its basic block, with nothing between the two that writes, orders
// or lets lanes meet, becomes a copy of that one's result. ptxas of CUDA 13 does so for sm_90: of the 170 loads of the workloads'
// `kmeansAssign`, once its loops are straight code, each warp of an H100 executes 34 (data/hardware/h100-2/traffic.csv). What was loaded
// keeps its register until the last copy. Returns whether anything changed.
bool shareLoads(MachineFunction& function);

}  // namespace warpwright::compiler
