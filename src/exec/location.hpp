// Where an instruction came from, for messages.
#pragma once

#include <string>

#include "base/error.hpp"
#include "isa/program.hpp"

namespace warpwright::exec {

// The source line when the program carries line information, else the line of the PTX text.
SourcePosition positionOf(const isa::Program& program, Pc pc);

// "app.cu:12" or "module.ptx:88", and "instruction 7" when nothing better is known.
std::string locationOf(const isa::Program& program, Pc pc);

// The PTX instruction's text; empty when unknown.
std::string ptxOf(const isa::Program& program, Pc pc);

}  // namespace warpwright::exec
