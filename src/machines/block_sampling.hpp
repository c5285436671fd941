// Launches of which only a sample of the blocks is simulated in detail: how many blocks that is, and what the whole launch would take.
//
// The sample is the first blocks, as many as asked for and never fewer than four times what the machine holds at once: the first fill it,
// the second are still in step with one another, the third show its rate, the fourth drain it. Neighbours run beside one another as they
// would in the whole launch, so caches, open rows and the mix of waits are those of a full machine; every k-th block would tear apart what
// neighbours share. The cycles of the other blocks follow from the rate at which blocks ended while the machine was full (fill_times.hpp):
// the rate settles once as many blocks have ended as are resident (the observation behind principal kernel projection; Baddouh and others,
// "Principal Kernel Analysis", MICRO 2021). Later blocks that do other work than the first are what the method cannot know.
#pragma once

#include <string>

#include "base/types.hpp"

namespace warpwright::machines {

struct TimedResult;

// A number of blocks, or a share of the grid; neither: all.
struct BlockSample {
  u64 blocks = 0;
  double share = 0;
  bool isAll() const { return blocks == 0 && share == 0; }
};

// "128" or "5%". Throws Error for anything else.
BlockSample parseBlockSample(const std::string& text);

// How many of the grid's blocks are simulated in detail, on a machine that holds `resident` at once.
u64 blocksInDetail(const BlockSample& sample, u64 gridBlocks, u64 resident);

// Core cycles of the launch with all of its blocks.
u64 extrapolatedCycles(const TimedResult& sample, u64 gridBlocks);

}  // namespace warpwright::machines
