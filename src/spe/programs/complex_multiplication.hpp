// Products of complex numbers that lie as structures of two words, four at a time (Gou, sections 4.5 and table 4.6).
#pragma once

#include "spe/programs/program.hpp"

namespace warpwright::spe::complex_multiplication {

inline constexpr u32 kCount = 10'000;
inline constexpr u32 kIterations = kCount / 4;

Result run(Spu& spu);
Result expected();

}  // namespace warpwright::spe::complex_multiplication
