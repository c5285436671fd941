// What the caches take of a chip: section 3.2 of the paper, by their own sizes.
#pragma once

#include "config/machine.hpp"
#include "mechanisms/hardware.hpp"
#include "mechanisms/tiny_cache/settings.hpp"

namespace warpwright::mechanisms::tiny_cache {

// Of one lane: words of the lines, which lanes read and write, and the same array as lines, which fills write at once; an entry of tag and
// state bits each line, and its control bits, of which those of the line at hand are read.
energy::Sram wordsOf(const Geometry& geometry);
energy::Sram linesOf(const Geometry& geometry);
energy::Sram tagsOf(const Geometry& geometry);
energy::Sram controlsOf(const Geometry& geometry);
// Bits that a look-up compares: the entries of a set, content-addressed, as caches of many ways and few lines have them (Zhang and
// Asanovic, "Highly-associative caches for low-power processors", 2000).
u64 searchedBits(const Geometry& geometry);

// Numbers of a line (state_bits, tag_bits, entry_bits, control_bits, metadata_bits, metadata_bytes) and of a lane's cache (bytes, overhead:
// the share of what is not data); arrays of all lanes of the machine.
Hardware hardware(const Settings& settings, const config::Machine& machine);

}  // namespace warpwright::mechanisms::tiny_cache
