// By which powers of two values are divisible, as far as the code tells.
#pragma once

#include <vector>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Zero bits at the low end of a value, counted no further than this: more than any access asks for.
inline constexpr u32 kMostZeroBits = 8;

// Per unit: how many low bits of the word are zero whenever it is read; 0 where nothing is known, for predicates and for the high words of
// 64-bit values. A unit is judged by all its definitions, so live ranges should have been split (registers/split_ranges.hpp).
std::vector<u8> findZeroBits(const MachineFunction& function);

// The same of what an instruction's symbol adds to its address or its immediate: the declared alignment of the variable, with the addend.
u32 zeroBitsOf(const MachineFunction& function, const isa::SymbolAddress& symbol);
u32 zeroBitsOf(u64 value);

}  // namespace warpwright::compiler
