// Compilation whose own check of the code tells the user what it found.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "compiler/internal_error.hpp"

namespace warpwright::runtime {

// As compiler::compile. Where the compiler finds its own code wrong the Error says so, and where the PTX lies that should be reported.
isa::Program compileChecked(const ptx::Module& module, const compiler::Options& options, std::string_view ptx);

// What is said to the user then. Keeps the PTX in a new file of the folder for temporary files.
Error explain(const compiler::InternalError& error, std::string_view ptx);

}  // namespace warpwright::runtime
