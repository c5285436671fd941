// 4 x 4 matrices whose rows are structures of four words (Gou, section 4.5 and table 4.6).
#pragma once

#include "spe/programs/program.hpp"

namespace warpwright::spe::transpose {

inline constexpr u32 kIterations = 10'000;

Result run(Spu& spu);
Result expected();

}  // namespace warpwright::spe::transpose
