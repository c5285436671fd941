// How GPGPU-Sim writes a cache:
//   [KIND:]SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATE[:WRITE_ALLOCATE[:SET_INDEX]],MSHR:ENTRIES:MERGES,MISS_QUEUE[:FIFO][,PORT_BYTES]
// Version 3 has no KIND (N or S, for sectored) and no SET_INDEX; "none" stands for no cache.
#pragma once

#include <optional>

#include "config/import/options.hpp"

namespace warpwright::config {

struct CacheText {
  bool sectored = false;
  u64 sets = 0, lineBytes = 0, ways = 0;
  char replacement = 'L';  // L: LRU, F: FIFO
  char write = 'R';        // R: read-only, B: back, T: through, E: evict, L: back for local, evict for global
  char allocate = 0;       // of writes: N: none, W and F: fetches, L: fetches when read; 0: not said
  char setIndex = 'L';     // L: linear; others hash
  u64 mshrs = 0, merges = 0, missQueue = 0;
  u64 portBytes = 0;  // 0: not said
};

// Nothing for "none". Throws Error at the option.
std::optional<CacheText> parseCacheText(const Option& option);

}  // namespace warpwright::config
