// What may stand beside the banks of shared memory and serve words in their place. The baseline has none.
#pragma once

#include "base/types.hpp"

namespace warpwright::sm {

// An access of a warp to shared memory, as it issues. Those of an SM come in the order in which they take effect.
struct SharedAccess {
  u32 block = 0;  // number of its warp slot, the block's first
  const u64* offsets = nullptr;
  LaneMask lanes = 0;
  u32 bytes = 0;  // a lane
  bool isStore = false, isAtomic = false;
  const u32* values = nullptr;  // word p of lane l at 32 p + l: what is stored or was loaded; null: not known, or parts of words
};

struct SharedService {
  LaneMask lanes = 0;  // need no banks
  u32 passes = 0;      // of what serves them, at the time of the banks'
  u32 bankPasses = 0;  // beyond those of the other lanes
  u32 delay = 0;       // cycles until the data are there, beyond the banks' latency
};

class SharedLink {
 public:
  virtual ~SharedLink() = default;
  virtual void blockBegins(u32 block, u64 bytes) = 0;
  virtual SharedService access(const SharedAccess& access) = 0;
};

}  // namespace warpwright::sm
