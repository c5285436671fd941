#include "compiler/analysis/next_use.hpp"

#include <algorithm>

namespace warpwright::compiler {

NextUse::NextUse(const MachineFunction& function, const ControlFlow& flow, const Liveness& liveness, const Loops& loops)
    : function_(function), flow_(flow), liveness_(liveness), loops_(loops), entry_(flow.blocks.size()), exit_(flow.blocks.size()) {
  findReads();
  std::vector<u32> order = flow.blocks.empty() ? std::vector<u32>{} : reversePostorder(flow.successors, 0);
  std::reverse(order.begin(), order.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 b : order) {
      exit_[b] = exitOf(b);
      Distances entry = entryOf(b, exit_[b]);
      if (entry == entry_[b]) continue;
      entry_[b] = std::move(entry);
      changed = true;
    }
  }
}

u32 NextUse::find(const Distances& distances, u32 unit) {
  const auto found = std::lower_bound(distances.begin(), distances.end(), std::pair{unit, u32{0}});
  return found == distances.end() || found->first != unit ? kNever : found->second;
}

// A guarded write that keeps the old value in some lanes reads it.
void NextUse::findReads() {
  reads_.resize(flow_.blocks.size());
  for (u32 b = 0; b < flow_.blocks.size(); ++b) {
    for (u32 i = flow_.blocks[b].begin; i < flow_.blocks[b].end; ++i) {
      const auto read = [&](u32 unit) { reads_[b].emplace_back(unit, i); };
      forEachSourceUnit(function_, function_.code[i], read);
      if (!liveness_.overwrites(i)) forEachDestinationUnit(function_, function_.code[i], read);
    }
    std::sort(reads_[b].begin(), reads_[b].end());
  }
}

NextUse::Distances NextUse::exitOf(u32 block) const {
  Distances all;
  for (const u32 successor : flow_.successors[block]) {
    const u32 exits = loops_.exits(block, successor) * kLoopExit;
    for (const auto& [unit, distance] : entry_[successor]) all.emplace_back(unit, distance + exits);
  }
  std::sort(all.begin(), all.end());
  // The nearest of each unit comes first.
  all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), all.end());
  return all;
}

NextUse::Distances NextUse::entryOf(u32 block, const Distances& exit) const {
  const BasicBlock& range = flow_.blocks[block];
  Distances result;
  liveness_.liveIn(block).forEach([&](u32 unit) {
    const auto read = std::lower_bound(reads_[block].begin(), reads_[block].end(), std::pair{unit, u32{0}});
    if (read != reads_[block].end() && read->first == unit) {
      result.emplace_back(unit, read->second - range.begin);
      return;
    }
    const u32 beyond = find(exit, unit);
    if (beyond != kNever) result.emplace_back(unit, range.end - range.begin + beyond);
  });
  return result;
}

u32 NextUse::from(u32 block, u32 position, u32 unit) const {
  const auto read = std::lower_bound(reads_[block].begin(), reads_[block].end(), std::pair{unit, position});
  if (read != reads_[block].end() && read->first == unit) return read->second - position;
  const u32 beyond = find(exit_[block], unit);
  return beyond == kNever ? kNever : flow_.blocks[block].end - position + beyond;
}

}  // namespace warpwright::compiler
