// A step of a fluid in particles, by smoothed particle hydrodynamics: densities, then accelerations, from all pairs in reach (Gou, section
// 4.5; four particles of a cell with one of a neighbouring cell at a time). The words of the result are the cells'.
#pragma once

#include "spe/programs/fluid_cells.hpp"
#include "spe/programs/program.hpp"

namespace warpwright::spe::fluidanimate {

inline constexpr u32 kIterations = kCells;

Result run(Spu& spu);
Result expected();

}  // namespace warpwright::spe::fluidanimate
