#include "compiler/coalescing.hpp"

#include <algorithm>

namespace warpwright::compiler {

Clusters::Clusters(const MachineFunction& function, std::vector<LiveRange> ranges, bool join)
    : function_(function), fixed_(findFixedGroups(function)) {
  for (const RegisterGroup& group : function.groups) {
    Cluster& cluster = clusters_.emplace_back(Cluster{group.words, group.alignment, {}});
    for (u32 w = 0; w < group.words; ++w) cluster.ranges.push_back(std::move(ranges[group.first + w]));
  }
  for (u32 unit = function.words(); unit < function.units(); ++unit) clusters_.push_back({1, 1, {std::move(ranges[unit])}});
  for (u32 i = 0; i < clusters_.size(); ++i) parent_.push_back({i, 0});
  if (join) joinCopies();
}

void Clusters::extend(const std::vector<u32>& until) {
  for (u32 c = 0; c < function_.groups.size(); ++c)
    for (LiveRange& range : clusters_[c].ranges) {
      for (Segment& segment : range) segment.end = std::max(segment.end, until[segment.end]);
      range = unite(range, {});
    }
}

Clusters::Position Clusters::rootOf(u32 cluster) const {
  Position position{cluster, 0};
  while (parent_[position.cluster].cluster != position.cluster) {
    position.offset += parent_[position.cluster].offset;
    position.cluster = parent_[position.cluster].cluster;
  }
  return position;
}

Clusters::Position Clusters::positionOf(u32 unit) const {
  if (unit >= function_.words()) return rootOf(static_cast<u32>(function_.groups.size()) + unit - function_.words());
  const u32 group = function_.groupOf[unit];
  Position position = rootOf(group);
  position.offset += unit - function_.groups[group].first;
  return position;
}

void Clusters::joinCopies() {
  struct Copy {
    u32 position = 0, words = 0, depth = 0;
  };
  const std::vector<u32> depths = loopDepths(function_);
  std::vector<Copy> copies;
  for (u32 i = 0; i < function_.code.size(); ++i) {
    const MachineInstruction& instruction = function_.code[i];
    if (instruction.opcode != isa::Opcode::mov) continue;
    const isa::Operand &to = instruction.destinations[0], &from = instruction.sources[0];
    if (to.kind != from.kind || from.negated) continue;
    if (isRegister(to)) {
      if (to.index == kStackWord || from.index == kStackWord) continue;
      const u32 widest =
          std::max(function_.groups[function_.groupOf[to.index]].words, function_.groups[function_.groupOf[from.index]].words);
      copies.push_back({i, widest, depths[i]});
    } else if (to.kind == isa::Operand::Kind::predicate && from.index >= kFirstVirtualPredicate) {
      copies.push_back({i, 1, depths[i]});
    }
  }
  std::stable_sort(copies.begin(), copies.end(), [](const Copy& a, const Copy& b) {
    const bool vectorA = a.words > 2, vectorB = b.words > 2;
    if (vectorA != vectorB) return vectorA;
    return a.depth > b.depth;
  });
  for (const Copy& copy : copies) {
    const MachineInstruction& instruction = function_.code[copy.position];
    const isa::Operand &to = instruction.destinations[0], &from = instruction.sources[0];
    if (isRegister(to))
      tryJoin(to.index, from.index);
    else
      tryJoin(function_.unitOfPredicate(to.index), function_.unitOfPredicate(from.index));
  }
}

// The smaller cluster must find its words inside the larger one, at its own alignment, with no word in use at the same time.
void Clusters::tryJoin(u32 unitA, u32 unitB) {
  Position a = positionOf(unitA), b = positionOf(unitB);
  if (a.cluster == b.cluster || isFixed(a.cluster) || isFixed(b.cluster)) return;
  if (clusters_[a.cluster].words < clusters_[b.cluster].words) std::swap(a, b);
  Cluster& host = clusters_[a.cluster];
  Cluster& guest = clusters_[b.cluster];
  if (a.offset < b.offset) return;
  const u32 distance = a.offset - b.offset;
  if (distance + guest.words > host.words || distance % guest.alignment != 0 || host.alignment % guest.alignment != 0) return;
  for (u32 w = 0; w < guest.words; ++w)
    if (overlap(host.ranges[distance + w], guest.ranges[w])) return;
  for (u32 w = 0; w < guest.words; ++w) host.ranges[distance + w] = unite(host.ranges[distance + w], guest.ranges[w]);
  guest.ranges.clear();
  parent_[b.cluster] = {a.cluster, distance};
}

}  // namespace warpwright::compiler
