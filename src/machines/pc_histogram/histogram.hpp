// The PC histogram of a launch on an SM: how many threads stand at which instruction, sample by sample. A sample is the moment at which an
// interval ends. A thread stands at the last instruction that it has issued, which it may still wait for (a load, a barrier); before its
// first one, at the kernel's entry. Gou, "Customizable Memory Schemes for Data Parallel Accelerators", section 6.3.1.
#pragma once

#include <map>
#include <vector>

#include "base/time.hpp"
#include "isa/program.hpp"
#include "machines/pc_histogram/positions.hpp"
#include "machines/pc_histogram/sums.hpp"

namespace warpwright::machines {

// Threads of a block at an instruction in a sample.
struct PcCount {
  Cycle from{};   // where the sample's interval begins
  u64 block = 0;  // of the grid
  Pc pc;          // index into the program's code
  u32 threads = 0;
  bool operator==(const PcCount&) const = default;
};

PositionKind positionKindOf(const isa::Program& program, Pc pc);

struct PcHistogram {
  std::vector<PcCount> counts;    // by sample, by block in the order in which they began, by instruction
  std::map<Pc, WarpPairs> pairs;  // of one block, by the instruction at which the first stands
  PcSums sums;
  bool isComplete = true;  // no sample was left out

  // A sample of the launch's blocks, whose code is the program's. Nothing for no thread.
  void add(Cycle from, const std::vector<BlockPositions>& blocks, const isa::Program& program);
};

}  // namespace warpwright::machines
