// Names of kernels as the source has them.
#pragma once

#include <string>

namespace warpwright {

// "saxpy(int, float)" for "_Z5saxpyif"; the name itself when it is not mangled.
std::string demangled(const std::string& name);
// The name in a demangled signature: "ns::saxpy<float>" of "void ns::saxpy<float>(int)".
std::string nameIn(const std::string& signature);

}  // namespace warpwright
