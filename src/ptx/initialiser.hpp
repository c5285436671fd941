// "= {1, 2}" → bytes and relocations.
#pragma once

#include "ptx/context.hpp"

namespace warpwright::ptx {

// Parses what follows "=" into the variable's image and relocations. `bounds` are the array bounds, 0 for an open first one, which
// gets its size here.
void parseInitialiser(Context& context, Variable& variable, const std::vector<u64>& bounds);

}  // namespace warpwright::ptx
