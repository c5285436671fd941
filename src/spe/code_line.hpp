// An instruction in the listing of a program.
#pragma once

#include <string>

#include "base/types.hpp"

namespace warpwright::spe {

struct CodeLine {
  std::string label;  // of a block that begins here; else empty
  u32 address = 0;
  std::string text;
};

}  // namespace warpwright::spe
