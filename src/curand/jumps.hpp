// Jumps of generators over many steps, on the host.
#pragma once

#include <vector>

#include "warpwright_curand/generators.hpp"

namespace warpwright::curand {

// The states of all lanes at the beginning of the sequence of a seed, and `steps` numbers of each lane later.
template <typename State>
std::vector<State> lanesOf(Wide seed, Wide steps);

// `state` after so many steps.
Xorwow jump(const Xorwow& state, Wide steps);
Mrg32k3a jump(const Mrg32k3a& state, Wide steps);

}  // namespace warpwright::curand
