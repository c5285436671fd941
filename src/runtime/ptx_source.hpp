// What the runtime reads off PTX text before it is parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
// What the text says with .address_size, and 32 where it says nothing, as PTX has it.
u32 addressBitsOf(std::string_view ptx);

// Several units as one text, which splitUnits() takes apart again: what a link hands out that its program may store.
std::string joinUnits(const std::vector<PtxUnit>& units);
// The units of such a text; any other text is one unit.
std::vector<PtxUnit> splitUnits(std::string_view text);

}  // namespace warpwright::runtime
