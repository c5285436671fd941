// The Wilson-Dirac operator of lattice quantum chromodynamics: for each site the spinors of its eight neighbours, projected, multiplied by
// the link between and put together (Gou, section 4.5; four sites at a time).
#pragma once

#include "spe/programs/program.hpp"

namespace warpwright::spe::wilson_dirac {

inline constexpr u32 kSites = 128;
inline constexpr u32 kIterations = kSites / 4;

Result run(Spu& spu);
Result expected();

}  // namespace warpwright::spe::wilson_dirac
