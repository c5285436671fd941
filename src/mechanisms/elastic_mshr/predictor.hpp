// Which size loads of an instruction should ask for, guessed without a compiler from what became of those before: a table in each SM,
// indexed by pc, with a size and a two-bit counter that saturates (as those of Smith, "A study of branch prediction strategies", 1981). It
// sees what the MSHRs see anyway:
//
//   - A load is primary while its instruction's own request for the other half of a block of twice the size is in flight: a vote for more.
//   - Half of a packet or less had been reserved when it came: a vote for less. Otherwise the size is confirmed.
//
// No paper is followed here. Rhu and others, "A locality-aware memory hierarchy for energy-efficient GPU architectures" (MICRO 2013),
// choose a granularity in hardware too, by what was used of lines that were evicted, which MSHRs do not know.
#pragma once

#include <vector>

#include "base/types.hpp"

namespace warpwright::mechanisms::elastic_mshr {

class Predictor {
 public:
  // mostBlocks: of a hyper block, a power of two.
  Predictor(u32 entries, u32 mostBlocks) : mostBlocks_(mostBlocks), entries_(entries) {}

  // Blocks that a primary load of the instruction asks for: one before anything is known.
  u32 blocksFor(Pc pc) const;
  // A primary load that asks for so many blocks would have been covered by a request in flight of twice the size.
  void missedNeighbour(Pc pc, u32 blocks);
  // A packet of so many blocks has come, `kept` of which were reserved.
  void arrived(Pc pc, u32 blocks, u32 kept);

 private:
  static constexpr u8 kMost = 3;
  struct Entry {
    Pc pc = kNoPc;
    u32 blocks = 1;
    u8 confidence = 1;
  };
  // The instruction's entry, which it takes from another if need be.
  Entry& own(Pc pc);

  u32 mostBlocks_;
  std::vector<Entry> entries_;  // instruction pc has number pc modulo their count
};

}  // namespace warpwright::mechanisms::elastic_mshr
