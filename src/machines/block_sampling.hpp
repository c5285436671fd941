// Launches of which only a sample of the blocks is simulated in detail: how many blocks that is, and what the whole launch would take.
//
// The sample is the first blocks, or, of a large grid, stretches all over it (spread.hpp). Neighbours run beside one another as they would
// in the whole launch, so caches, open rows and the mix of waits are those of a full machine; every k-th block would tear apart what
// neighbours share. The cycles of the other blocks follow from
// the rate at which blocks ended while the machine was full (fill_times.hpp): the rate settles once as many blocks have ended as are
// resident (the observation behind principal kernel projection; Baddouh and others, "Principal Kernel Analysis", MICRO 2021). Each fill of
// the machine, or each stretch, is a batch, and the spread of batches gives the interval (batch means; Law and Kelton, "Simulation Modeling
// and Analysis").
#pragma once

#include <string>
#include <vector>

#include "machines/block_work.hpp"
#include "machines/fill_times.hpp"
#include "stats/estimate.hpp"

namespace warpwright::machines {

// A number of blocks, or a share of the grid; neither: all.
struct BlockSample {
  u64 blocks = 0;
  double share = 0;
  bool isAll() const { return blocks == 0 && share == 0; }
};

// "128" or "5%". Throws Error for anything else.
BlockSample parseBlockSample(const std::string& text);

// How many of the grid's blocks are simulated in detail, on a machine that holds `resident` at once: never fewer than fill it four times.
// The first fill it, the second are still in step with one another, the third show its rate, the fourth drain it.
u64 blocksInDetail(const BlockSample& sample, u64 gridBlocks, u64 resident);

// From its beginning to the end of so many blocks, the first in its order.
struct SampledLaunch {
  Cycle began{};
  u64 cycles = 0, blocks = 0;
  std::vector<Fill> fills;
  std::vector<Fill> endings;  // FillTimes::endings(): how far the machine's places are out of step
  bool isSpread = false;      // in that of spread.hpp
};

// Core cycles of the launch with all of its blocks.
stats::Estimate wholeCycles(const SampledLaunch& sample, const BlockWork& work);

// So many fills at least show what blocks do that are timed in their order. The rate of a full machine falls to what it stays at over as
// many as seven fills (reduction of size paper on v100, sgemm of size paper on gtx480; of 36 launches that were traced fill by fill one
// takes longer, 13), and half of what was seen counts as the beginning.
inline constexpr u64 kLeastFills = 12;
// So many has a grid of which the least sample leaves out a third. Leaving out less is worth no error.
inline constexpr u64 kFillsOfSampledGrids = 3 * (kLeastFills + 1) / 2 + 1;

// Of a launch under way, when the machine has been filled once more and so many blocks have been dispatched: whether the others may be left
// out, because they are at least a third of the work, those are like them and the interval of the whole launch's cycles is no wider to
// either side than `error`, as a share.
bool isEnough(const SampledLaunch& sample, const BlockWork& work, double error);

}  // namespace warpwright::machines
