// What a loop's course depends on.
#pragma once

#include <bitset>
#include <span>

#include "isa/program.hpp"

namespace warpwright::exec {

inline constexpr u32 kPredicatesFrom = 256;
// A location of a thread is a register or, from kPredicatesFrom on, a predicate.
using Locations = std::bitset<kPredicatesFrom + isa::kPredicates + 1>;

// While only these instructions are executed: the locations that decide where control goes, what is accessed and what is stored, and what
// those are computed from. The others may change for ever without an effect.
Locations whatMatters(std::span<const Pc> executed, const isa::Program& program);

}  // namespace warpwright::exec
