#include "compiler/liveness.hpp"

#include <algorithm>

namespace warpwright::compiler {

Liveness::Liveness(const MachineFunction& function, const ControlFlow& flow) : function_(function), flow_(flow) {
  findDefined();
  findLive();
}

void Liveness::findDefined() {
  const u32 blocks = static_cast<u32>(flow_.blocks.size()), units = function_.units();
  definedIn_.assign(blocks, NumberSet(units));
  definedOut_.assign(blocks, NumberSet(units));
  for (u32 b = 0; b < blocks; ++b)
    for (u32 i = flow_.blocks[b].begin; i < flow_.blocks[b].end; ++i)
      forEachDestinationUnit(function_, function_.code[i], [&](u32 unit) { definedOut_[b].set(unit); });

  const std::vector<u32> order = blocks == 0 ? std::vector<u32>{} : reversePostorder(flow_.successors, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 b : order) {
      definedOut_[b].unite(definedIn_[b]);
      for (const u32 successor : flow_.successors[b]) changed |= definedIn_[successor].unite(definedOut_[b]);
    }
  }

  overwrites_.resize(function_.code.size());
  for (u32 b = 0; b < blocks; ++b) {
    NumberSet defined = definedIn_[b];
    for (u32 i = flow_.blocks[b].begin; i < flow_.blocks[b].end; ++i) {
      const MachineInstruction& instruction = function_.code[i];
      forEachSourceUnit(function_, instruction, [&](u32 unit) {
        if (!defined.test(unit)) undefinedReads_.emplace(i, unit);
      });
      bool nothingToKeep = true;
      forEachDestinationUnit(function_, instruction, [&](u32 unit) { nothingToKeep &= !defined.test(unit); });
      overwrites_[i] = nothingToKeep || replacesDestinations(instruction);
      forEachDestinationUnit(function_, instruction, [&](u32 unit) { defined.set(unit); });
    }
  }
}

void Liveness::step(u32 position, NumberSet& live) const {
  const MachineInstruction& instruction = function_.code[position];
  if (overwrites_[position]) forEachDestinationUnit(function_, instruction, [&](u32 unit) { live.reset(unit); });
  forEachSourceUnit(function_, instruction, [&](u32 unit) {
    if (!undefinedReads_.contains({position, unit})) live.set(unit);
  });
}

void Liveness::findLive() {
  const u32 blocks = static_cast<u32>(flow_.blocks.size()), units = function_.units();
  std::vector<NumberSet> read(blocks, NumberSet(units)), written(blocks, NumberSet(units));
  for (u32 b = 0; b < blocks; ++b) {
    for (u32 i = flow_.blocks[b].end; i-- > flow_.blocks[b].begin;) {
      if (overwrites_[i]) {
        forEachDestinationUnit(function_, function_.code[i], [&](u32 unit) {
          written[b].set(unit);
          read[b].reset(unit);
        });
      }
      forEachSourceUnit(function_, function_.code[i], [&](u32 unit) { read[b].set(unit); });
    }
  }
  liveIn_.assign(blocks, NumberSet(units));
  liveOut_.assign(blocks, NumberSet(units));
  std::vector<u32> order = blocks == 0 ? std::vector<u32>{} : reversePostorder(flow_.successors, 0);
  std::reverse(order.begin(), order.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 b : order) {
      for (const u32 successor : flow_.successors[b]) liveOut_[b].unite(liveIn_[successor]);
      liveOut_[b].intersect(definedOut_[b]);
      NumberSet in = liveOut_[b];
      in.subtract(written[b]);
      in.unite(read[b]);
      in.intersect(definedIn_[b]);
      changed |= liveIn_[b].unite(in);
    }
  }
}

}  // namespace warpwright::compiler
