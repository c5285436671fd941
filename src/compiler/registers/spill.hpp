// Bounds the number of values that are in registers at a time.
#pragma once

#include <vector>

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

enum class UnitClass : u8 { words, predicates };

struct SpillRequest {
  UnitClass unitClass = UnitClass::words;
  u32 limit = 0;  // units of the class that may be in registers at a time
  // Per unit of the function; units of the lowest rank are evicted first whatever their next use. Empty: all alike.
  std::vector<u8> rank;
};

// Inserts reloads (or repeated computations) in front of reads and on edges so that no more than `limit` units of the class hold values,
// but for what a single instruction names, evicting those whose next read is farthest away. Reloaded units keep their register: a unit
// then has several definitions, which splitRanges separates. Words are reloaded from slots that placeStores fills and assignSlots places;
// predicates from words. `function` must have numbered instructions.
void spill(MachineFunction& function, const SpillRequest& request);

}  // namespace warpwright::compiler
