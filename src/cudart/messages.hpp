// What the shim says on stderr.
#pragma once

#include <string_view>

namespace warpwright::cudart {

// "warpwright: TEXT": why a call or a kernel failed, and what checks found. Also when WARPWRIGHT_QUIET is set, which is for what has no
// fault.
void printError(std::string_view text);

}  // namespace warpwright::cudart
