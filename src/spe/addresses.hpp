// The address that an instruction of the SPU forms.
#pragma once

#include "spe/spu.hpp"

namespace warpwright::spe {

inline constexpr u32 kQuadBytes = 16;

inline u32 sum(const Quad& base, s32 offset) { return base.word(0) + static_cast<u32>(offset); }
inline u32 sum(const Quad& base, const Quad& index) { return base.word(0) + index.word(0); }

}  // namespace warpwright::spe
