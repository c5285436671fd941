// An address at a launch as one of the two skeletons.
#pragma once

#include "compiler/patterns/launch_pattern.hpp"
#include "compiler/patterns/place_value.hpp"

namespace warpwright::compiler {

// PatternFailure::composition where it is neither. `address` is folded (place_value.hpp).
LaunchPattern skeletonOf(const PlaceValue& address, const LaunchValues& launch);

}  // namespace warpwright::compiler
