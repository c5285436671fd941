// NVVM IR as LLVM reads it. Both are LLVM's text, with a few intrinsics of NVVM's own.
#pragma once

#include <string>
#include <vector>

#include "nvvm/options.hpp"

namespace warpwright::nvvm {

// The text with the data layout as LLVM spells it, casts in place of intrinsics that change a pointer's address space, and calls of
// intrinsics() in place of those that LLVM has in other forms. Inline PTX stays where it is.
std::string translated(std::string text);
// Functions that the text defines or declares, without LLVM's intrinsics.
std::vector<std::string> functionsIn(const std::string& text);
// A module with what translated() and libdevice call: NVVM IR specification, "Intrinsic Functions", by LLVM's own and by inline PTX.
std::string intrinsics(const CompileOptions& options);

}  // namespace warpwright::nvvm
