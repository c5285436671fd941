// Loops as a compiler makes them of counted ones.
#pragma once

#include "spe/spu.hpp"

namespace warpwright::spe {

// Whether the branch at a loop's end is hinted, here at the begin of each round. spu-gcc hints by default, and puts the hint of a short
// loop before it. There is one buffer for hints: a loop around loops that have hints would lose its own to them.
enum class Hint : u8 { none, given };

// Body: void(), as many times round as the register says, at least once.
template <typename Body>
void repeat(Spu& spu, std::string_view name, Quad left, Hint hint, Body&& body) {
  const std::string again = std::string(name) + " again";
  do {
    spu.label(name);
    if (hint == Hint::given) spu.hbrr(again, name);
    body();
    left = spu.ai(left, -1);
  } while (spu.brnz(left, again));
  spu.label("after");
}

// `times` times round, without loops inside.
template <typename Body>
void repeat(Spu& spu, u32 times, Body&& body) {
  repeat(spu, "round", spu.il(static_cast<s32>(times)), Hint::given, std::forward<Body>(body));
}

}  // namespace warpwright::spe
