// One program on its way from NVVM IR to PTX.
#pragma once

#include <string>
#include <vector>

#include "nvvm.h"

struct _nvvmProgram {
  struct Module {
    std::string content, name;
    bool lazy = false;
  };
  std::vector<Module> modules;
  std::string ptx, log;
  bool compiled = false;  // successfully
};

namespace warpwright::nvvm {

// The log receives what LLVM says.
nvvmResult compile(_nvvmProgram& program, const std::vector<std::string>& options);
// The same without a result.
nvvmResult verify(_nvvmProgram& program, const std::vector<std::string>& options);

}  // namespace warpwright::nvvm
