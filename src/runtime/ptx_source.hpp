// What the runtime reads off PTX text before it is parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace warpwright::runtime {

// One translation unit.
struct PtxUnit {
  std::string text;
  std::optional<u32> maxRegisters;  // upper bound for the registers of a function; a bound in the text holds too
};

// The text without the NULs that end PTX embedded in executables.
std::string_view trimPtx(std::string_view ptx);
// N of the line "// warpwright: maxrregcount=N" that warpwright-cc writes. Throws Error when N is not a number from 1 up.
std::optional<u32> registerBound(std::string_view ptx);
// 32 where the text says ".address_size 32", else 64.
u32 addressBitsOf(std::string_view ptx);

}  // namespace warpwright::runtime
