// c = a B for rows a of three words and matrices B of three columns, four of each at a time (Gou, section 4.2 and figure 4.2).
#pragma once

#include "spe/programs/program.hpp"

namespace warpwright::spe::vector_matrix {

inline constexpr u32 kCount = 2000;
inline constexpr u32 kIterations = kCount / 4;

Result run(Spu& spu);
Result expected();

}  // namespace warpwright::spe::vector_matrix
