// What a memory operation moves between the lanes and what serves them.
#pragma once

#include "base/integers.hpp"

namespace warpwright::sm {

// Words are of 32 bits, those of the banks of shared memory as wide as a bank.
struct DataMoved {
  u32 accesses = 0, lanes = 0;        // taken apart into lines: of global and private memory
  u32 cacheWords = 0;                 // of lanes, to or from a first-level cache or the memory behind it
  u32 sharedWords = 0;                // of lanes, to or from shared memory
  u32 bankReads = 0, bankWrites = 0;  // of shared memory
};

}  // namespace warpwright::sm
