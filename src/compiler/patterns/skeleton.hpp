// An address at a launch as one of the two skeletons.
#pragma once

#include "compiler/patterns/index_value.hpp"
#include "compiler/patterns/launch_pattern.hpp"

namespace warpwright::compiler {

// PatternFailure::composition where it is neither. `address` is folded (index_value.hpp).
LaunchPattern skeletonOf(const IndexValue& address, const LaunchValues& launch);

}  // namespace warpwright::compiler
