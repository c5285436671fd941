// The directives that PTX text begins with (PTX ISA, section 11.1), without parsing the rest.
#pragma once

#include <string_view>

#include "fatbin/container.hpp"

namespace warpwright::fatbin {

struct PtxHeader {
  Architecture architecture;
  u32 isaMajor = 0, isaMinor = 0;
  u32 addressBits = 64;
};

// What the text does not say keeps its default: the parser complains.
PtxHeader readPtxHeader(std::string_view text);

}  // namespace warpwright::fatbin
