// How code is compiled for a machine.
#pragma once

#include <optional>

#include "compiler/compiler.hpp"
#include "config/machine.hpp"
#include "runtime/settings.hpp"

namespace warpwright::runtime {

// With the machine's limits, `maxRegisters` and the bounds that are given.
compiler::Options compileOptions(const config::Machine& machine, u32 maxRegisters, std::initializer_list<std::optional<u32>> bounds = {});
// For a device: with its policies and the analyses that its mechanisms want.
compiler::Options compileOptions(const Settings& settings);

}  // namespace warpwright::runtime
