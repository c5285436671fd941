// One program on its way from CUDA C++ to PTX.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nvrtc.h"

struct _nvrtcProgram {
  std::string source, name;
  std::map<std::string, std::string> headers;  // include name → text
  std::vector<std::string> expressions;
  std::map<std::string, std::string> loweredNames;
  std::string ptx, log;
  bool compiled = false;  // successfully
  bool realArchitecture = false;
};

namespace warpwright::nvrtc {

// Compiles with the options; the log receives what the compiler says.
nvrtcResult compile(_nvrtcProgram& program, const std::vector<std::string>& options);

}  // namespace warpwright::nvrtc
