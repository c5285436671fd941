// Translation units that were compiled separately, joined into one module.
#pragma once

#include <string>
#include <vector>

#include "ptx/module.hpp"

namespace warpwright::ptx {

struct Unit {
  Module module;
  u32 lineOffset = 0;  // lines of the joined text before this unit's first one, for messages
};

// Joins at least one unit. What one unit declares, another may define (PTX ISA, "Linking Directives"): a .visible definition comes before a
// .weak one, of several .weak ones the first is taken, of .common ones the largest. A name without a linkage directive belongs to its unit
// alone; where another unit has it too, it gets the unit's number behind a dot.
// Throws Error when two units define a name, when a declaration does not fit the definition, or when address sizes differ.
Module link(std::vector<Unit> units, const std::string& sourceName);

}  // namespace warpwright::ptx
