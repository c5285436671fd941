// The sizes that shared memory may have where it shares an SM's memory with L1.
#pragma once

#include <string>
#include <vector>

#include "config/machine.hpp"

namespace warpwright::config {

// Of `sm.memory.carve_outs`, in bytes, ascending; none: L1 and shared memory have memories of their own. Throws std::invalid_argument for a
// text that is no list of them.
std::vector<u64> carveOutsOf(const std::string& text);

}  // namespace warpwright::config
