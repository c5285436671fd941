// Shared memory, kernel by kernel.
#pragma once

#include "compiler/layout.hpp"

namespace warpwright::compiler {

// A kernel's static shared memory holds the module-scope variables that it or a function it may call names, and those declared in their
// bodies. What device functions name lies at the same offset in every kernel, at the bottom, because their code is shared. Dynamic
// shared memory begins behind the static part; when a device function names it, at a common offset in all kernels that reach one.
void layOutShared(const ptx::Module& module, const CallGraph& calls, ModuleLayout& layout);

}  // namespace warpwright::compiler
