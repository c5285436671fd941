// What the caches take of a chip: section 3.2 of the paper, by their own sizes.
#pragma once

#include "config/machine.hpp"
#include "mechanisms/hardware.hpp"
#include "mechanisms/tiny_cache/settings.hpp"

namespace warpwright::mechanisms::tiny_cache {

// Of one lane: the words of the lines; state, tag and control bits, of which those of all ways of a set are read together.
energy::Sram dataOf(const Geometry& geometry);
energy::Sram tagsOf(const Geometry& geometry);

// Numbers of a line (state_bits, tag_bits, entry_bits, control_bits, metadata_bits, metadata_bytes) and of a lane's cache (bytes, overhead:
// the share of what is not data); arrays of all lanes of the machine.
Hardware hardware(const Settings& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::tiny_cache
