// What the level below the caches of an SM holds: shared memory as the caches have written it back, and global memory.
//
// The simulator's memory is ahead of the timed machine's: it has a store when its instruction issues. Of shared memory a copy is kept that
// changes with what reaches the banks. Global memory is read where it lies; the SM's own stores of the last cycles are not there yet, nor
// are atomics under way: of lines that those may have changed, nothing is known, nor is of private memory, which lies elsewhere.
#pragma once

#include <vector>

#include "base/time.hpp"
#include "mechanisms/tiny_cache/line_name.hpp"
#include "mechanisms/tiny_cache/line_values.hpp"

namespace warpwright::mechanisms::tiny_cache {

class MemoryBelow {
 public:
  // delay: cycles after which a store of the SM is in memory.
  MemoryBelow(u32 lineBytes, u32 delay);

  void blockBegins(SlotId block, u64 sharedBytes);
  // Before a launch.
  void forgetAtomics() { atomics_.assign(atomics_.size(), false); }

  // A word of the line. `now` counts for global memory.
  KnownWord word(LineName line, u32 word, Cycle now) const;

  // --- of shared memory
  // Of a word the bits `of`.
  void setShared(LineName line, u32 word, KnownWord value, u32 of);

  // --- of global memory: the access has issued
  void noteStore(LineName line, Cycle issued);
  void noteAtomic(LineName line) { atomics_[bucketOf(line)] = true; }

 private:
  static constexpr u32 kBuckets = 4096;  // lines share them, which errs on the side of not knowing

  u64 wordInBlock(LineName line, u32 word) const { return line.offset(lineBytes_) / sizeof(u32) + word; }
  static u32 bucketOf(LineName line) { return static_cast<u32>(line.number() * 0x9e37'79b9'7f4a'7c15 >> 52); }

  u32 lineBytes_, delay_;
  std::vector<std::vector<KnownWord>> shared_;  // by block, then by word
  std::vector<Cycle> unstored_;                 // by bucket: when the last store of the SM is in memory
  std::vector<bool> atomics_;                   // by bucket: there was one in this launch
};

}  // namespace warpwright::mechanisms::tiny_cache
