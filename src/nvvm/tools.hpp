// LLVM's tools, as processes.
#pragma once

#include <string>

#include "base/types.hpp"

namespace warpwright::nvvm {

// The releases of LLVM whose text still has NVVM IR's typed pointers.
inline constexpr u32 kOldestLlvm = 14, kNewestLlvm = 16;

struct Tools {
  std::string disassemble, link, optimise, generate;  // llvm-dis, llvm-link, opt, llc
};

// Found on PATH, the newest release first, or in $WARPWRIGHT_LLVM, a folder. Throws Error where there are none.
Tools findTools();

}  // namespace warpwright::nvvm
