#include "messages.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace warpwright::cudart {

void printError(std::string_view text) {
  std::fflush(stdout);
  std::fputs(fmt::format("warpwright: {}\n", text).c_str(), stderr);
}

}  // namespace warpwright::cudart
