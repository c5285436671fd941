// What a loop's course depends on.
#pragma once

#include <bitset>
#include <span>

#include "isa/program.hpp"

namespace warpwright::exec {

inline constexpr u32 kPredicatesFrom = 256;
using Places = std::bitset<kPredicatesFrom + isa::kPredicates + 1>;  // registers, then predicates

// While only these instructions are executed: the places that decide where control goes, what is accessed and what is stored, and what
// those are computed from. The others may change for ever without an effect.
Places whatMatters(std::span<const Pc> executed, const isa::Program& program);

}  // namespace warpwright::exec
