#pragma once

#include "config/dram.hpp"

namespace warpwright::mem::dram {

// Throws Error, which names the keys, when no channel can be built from the configuration.
void validate(const config::Dram& dram);

}  // namespace warpwright::mem::dram
