// WARPWRIGHT_DUMP: what the simulator made of each module, for a look with an editor.
#pragma once

#include <string>
#include <string_view>

#include "isa/program.hpp"

namespace warpwright::runtime {

// Writes module-ID.ptx and module-ID.asm into the folder, which is made when missing. Throws Error when that fails.
void dumpModule(const std::string& folder, u32 id, std::string_view ptx, const isa::Program& program);

// The listing of every function with code, or of those of that name.
std::string listing(const isa::Program& program, std::string_view functionName = {});

}  // namespace warpwright::runtime
