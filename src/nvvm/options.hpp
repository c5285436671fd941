// The options of nvvmCompileProgram.
#pragma once

#include <string>
#include <vector>

#include "base/types.hpp"

namespace warpwright::nvvm {

struct CompileOptions {
  u32 smVersion = 52;  // -arch=compute_NN; libNVVM's default
  bool optimise = true;
  bool lines = false;           // -g, -generate-line-info: source lines in the PTX
  bool flushDenormals = false;  // of single precision
  bool preciseSquareRoot = true, preciseDivision = true;
  bool fuseMultiplyAdd = true;
};

// Throws Error for an option that is not known, naming the nearest, and for a value that makes no sense.
CompileOptions readOptions(const std::vector<std::string>& words);

}  // namespace warpwright::nvvm
