// What L1 has of a memory that it shares with shared memory.
#pragma once

#include <vector>

#include "config/machine.hpp"

namespace warpwright::machines {

class CarveOuts {
 public:
  // The machine is valid.
  explicit CarveOuts(const config::Machine& machine);

  // Ways of each of L1's sets beside so much shared memory, for which the least carve-out that holds it is chosen; 0: all, as L1 has a
  // memory of its own.
  u32 waysBeside(u64 sharedBytes) const;

 private:
  std::vector<u64> sizes_;  // ascending
  u64 unifiedBytes_, bytesOfWay_;
  u32 ways_;
};

}  // namespace warpwright::machines
