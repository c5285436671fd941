// The options of nvrtcCompileProgram in terms of warpwright-cc's.
#pragma once

#include <string>
#include <vector>

#include "cc/driver/options.hpp"

namespace warpwright::nvrtc {

struct CompileOptions {
  cc::Options compiler;
  bool realArchitecture = false;  // sm_NN rather than compute_NN
  bool deviceByDefault = false;   // functions without a qualifier are for the device
};

// Throws Error for an option that is not known, naming the nearest, and for a value that makes no sense.
CompileOptions readOptions(const std::vector<std::string>& words);

}  // namespace warpwright::nvrtc
