// The banks of a machine's shared memory, as those who count passes over them want them.
#pragma once

#include "access/bank_conflicts.hpp"
#include "config/machine.hpp"

namespace warpwright::sm {

// lanesTogether: lanes of a warp that reach the banks in a cycle.
inline access::Geometry sharedGeometry(const config::Machine& machine, u32 lanesTogether = kMaxWarpSize) {
  return {machine.warpSize,           machine.sharedBanks, machine.sharedBankBytes,
          machine.sm.sharedMulticast, lanesTogether,       machine.sm.sharedPairs};
}

}  // namespace warpwright::sm
