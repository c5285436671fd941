#include "compiler/analysis/loops.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::compiler {
namespace {

void collectBody(const Graph& predecessors, Loop& loop, u32 latch) {
  std::vector<u32> work{latch};
  while (!work.empty()) {
    const u32 block = work.back();
    work.pop_back();
    if (std::find(loop.blocks.begin(), loop.blocks.end(), block) != loop.blocks.end()) continue;
    loop.blocks.push_back(block);
    for (const u32 predecessor : predecessors[block]) work.push_back(predecessor);
  }
}

}  // namespace

u32 Loops::loopAt(u32 header) const {
  for (const u32 loop : around[header])
    if (loops[loop].header == header) return loop;
  return kNoNode;
}

u32 Loops::exits(u32 from, u32 to) const {
  return static_cast<u32>(std::count_if(around[from].begin(), around[from].end(), [&](u32 loop) {
    return std::find(around[to].begin(), around[to].end(), loop) == around[to].end();
  }));
}

Loops findLoops(const ControlFlow& flow) {
  Loops result;
  const u32 blocks = static_cast<u32>(flow.blocks.size());
  result.depth.resize(blocks);
  result.around.resize(blocks);
  if (blocks == 0) return result;
  const DominatorTree tree(flow.successors, 0);
  const Graph predecessors = reversed(flow.successors);
  for (u32 header = 0; header < blocks; ++header) {
    Loop loop{header, {header}};
    bool found = false;
    for (const u32 latch : predecessors[header]) {
      if (!tree.dominates(header, latch)) continue;
      found = true;
      collectBody(predecessors, loop, latch);
    }
    if (!found) continue;
    std::erase_if(loop.blocks, [&](u32 block) { return !tree.dominates(header, block); });
    for (const u32 block : loop.blocks) {
      ++result.depth[block];
      result.around[block].push_back(static_cast<u32>(result.loops.size()));
    }
    result.loops.push_back(std::move(loop));
  }
  return result;
}

double frequencyAtDepth(u32 depth) { return std::pow(10.0, std::min(depth, 8u)); }

}  // namespace warpwright::compiler
