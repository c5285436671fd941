// Which SMs the blocks of a cluster may share: those of a graphics processing cluster (GPC).
#pragma once

#include <vector>

#include "config/machine.hpp"

namespace warpwright::config {

struct SmGroup {
  u32 first = 0, count = 0;  // SMs
};

// As few groups as Machine::clusterMultiprocessors allows, as equal as pairs of SMs (texture processing clusters) allow; the larger first.
// None where that is 0.
std::vector<SmGroup> smGroups(const Machine& machine);

}  // namespace warpwright::config
