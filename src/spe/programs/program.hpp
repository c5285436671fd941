// Programs of chapter 4 of Gou's thesis, each as it is for the original SPE and for one with a SAMS local store.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "spe/spu.hpp"

namespace warpwright::spe {

// The words of a program's result, which both forms compute alike.
using Result = std::vector<u32>;

struct Program {
  std::string_view name, description;
  u32 iterations = 0;  // that the published counts are shared out to
  // Runs the form for the SPU's machine.
  Result (*run)(Spu& spu);
  // What the result must be, computed in C++.
  Result (*expected)();
};

std::span<const Program> programs();
// Throws Error for a name that there is not.
const Program& programOf(const std::string& name);

}  // namespace warpwright::spe
