// Loops as a compiler makes them of counted ones.
#pragma once

#include "spe/spu.hpp"

namespace warpwright::spe {

// Body: void(), `times` times round, at least once. Each round counts down and branches, which is hinted at its begin: spu-gcc hints by
// default.
template <typename Body>
void repeat(Spu& spu, u32 times, Body&& body) {
  Quad left = spu.il(static_cast<s32>(times));
  do {
    spu.label("round");
    spu.hbr();
    body();
    left = spu.ai(left, -1);
  } while (spu.brnz(left));
  spu.label("after");
}

}  // namespace warpwright::spe
