// What the mechanisms of a machine add to the code of each program.
#pragma once

#include <vector>

#include "mechanisms/mechanism.hpp"
#include "runtime/settings.hpp"

namespace warpwright::runtime {

std::vector<mechanisms::CodeUnit> addedCode(const mechanisms::Mechanisms& mechanisms, u32 addressBits);

// Of addresses: settings.addressBits are a program's, or no program is there yet.
enum class Width : u8 { ofProgram, any };

// Compiles each unit by itself, so that messages name its own file and lines. Throws Error.
void checkAddedCode(const mechanisms::Mechanisms& mechanisms, const Settings& settings, Width width);

}  // namespace warpwright::runtime
