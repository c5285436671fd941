// `--kernel TEXT`: which kernels what follows a run is about.
#pragma once

#include <string>

#include "base/demangle.hpp"
#include "stats/json.hpp"

namespace warpwright::cli {

// Of a profile: whether the kernel has the text in its name. All have none.
inline bool isNamedBy(const std::string& text, const stats::Json& kernel) {
  return demangled(kernel.at("name").get<std::string>()).find(text) != std::string::npos;
}

}  // namespace warpwright::cli
