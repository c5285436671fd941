// Where the memory system sees the instructions of programs: where no data lie. See also sm/address_spaces.hpp.
#pragma once

#include "exec/launch.hpp"

namespace warpwright::machines {

// Of Program::code[0].
inline GlobalAddress codeAddressOf(const exec::LoadedProgram& program) {
  constexpr GlobalAddress kCodeBase{(u64{1} << 47) + (u64{1} << 46)};
  constexpr u64 kCodeSpacing = u64{1} << 24, kPrograms = (u64{1} << 46) / kCodeSpacing;
  return kCodeBase + program.number % kPrograms * kCodeSpacing;
}

}  // namespace warpwright::machines
