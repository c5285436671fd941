// What the mechanisms of a machine add to the code of each program.
#pragma once

#include <vector>

#include "mechanisms/mechanism.hpp"
#include "ptx/module.hpp"
#include "runtime/settings.hpp"

namespace warpwright::runtime {

std::vector<mechanisms::CodeUnit> addedCode(const mechanisms::Mechanisms& mechanisms, u32 addressBits);

// What a mechanism adds has its own file and lines in messages, whatever text it is joined to.
ptx::Module parseAdded(const mechanisms::CodeUnit& unit);

// The program, all else added, with what mechanisms make for it alone, and what that is. linesBefore: of the text that it is joined to.
std::vector<mechanisms::CodeUnit> adapt(ptx::Module& module, const mechanisms::Mechanisms& mechanisms, u32 linesBefore);

// Of addresses: settings.addressBits are a program's, or no program is there yet.
enum class Width : u8 { ofProgram, any };

// Compiles each unit by itself, so that messages name its own file and lines. Throws Error.
void checkAddedCode(const mechanisms::Mechanisms& mechanisms, const Settings& settings, Width width);

}  // namespace warpwright::runtime
