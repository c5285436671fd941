// Natural loops.
#pragma once

#include <vector>

#include "compiler/control_flow.hpp"

namespace warpwright::compiler {

// The blocks of the natural loops that share a header, the header first.
struct Loop {
  u32 header = 0;
  std::vector<u32> blocks;
};

struct Loops {
  std::vector<Loop> loops;
  std::vector<u32> depth;                // per block: loops around it
  std::vector<std::vector<u32>> around;  // per block: indices of these loops

  // The index of the loop with this header; kNoNode: none.
  u32 loopAt(u32 header) const;
  // How many loops the edge leaves.
  u32 exits(u32 from, u32 to) const;
};

// Back edges are those whose target dominates their source; cycles with several entries are no loops.
Loops findLoops(const ControlFlow& flow);

// Ten times for every loop around a block: the customary estimate of how often it runs.
double frequencyAtDepth(u32 depth);

}  // namespace warpwright::compiler
