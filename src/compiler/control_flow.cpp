#include "compiler/control_flow.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

using isa::Opcode;

bool fallsThrough(const MachineInstruction& instruction) { return !endsBlock(instruction) || !isAlwaysExecuted(instruction); }

std::vector<u32> blockStarts(const MachineFunction& function) {
  const u32 size = static_cast<u32>(function.code.size());
  std::vector<bool> starts = branchTargets(function);
  starts[0] = true;
  for (u32 i = 0; i < size; ++i)
    if (endsBlock(function.code[i])) starts[i + 1] = true;
  std::vector<u32> positions;
  for (u32 i = 0; i < size; ++i)
    if (starts[i]) positions.push_back(i);
  return positions;
}

void addEdge(ControlFlow& flow, u32 from, u32 position) {
  if (position >= flow.blockOf.size()) {
    flow.leaves[from] = true;
    return;
  }
  std::vector<u32>& successors = flow.successors[from];
  const u32 to = flow.blockOf[position];
  if (std::find(successors.begin(), successors.end(), to) == successors.end()) successors.push_back(to);
}

void addEdges(const MachineFunction& function, ControlFlow& flow, u32 block) {
  const u32 end = flow.blocks[block].end;
  const MachineInstruction& last = function.code[end - 1];
  if (last.opcode == Opcode::bra) addEdge(flow, block, function.labels[last.target]);
  if (last.opcode == Opcode::brx)
    for (const u32 label : function.branchTables[last.target]) addEdge(flow, block, function.labels[label]);
  if (fallsThrough(last)) addEdge(flow, block, end);
  const bool leavesAlways = (last.opcode == Opcode::ret || last.opcode == Opcode::exit) && isAlwaysExecuted(last);
  if (leavesAlways || last.opcode == Opcode::ret) flow.leaves[block] = true;
}

std::vector<bool> reachable(const Graph& graph, u32 start) {
  std::vector<bool> result(graph.size());
  for (const u32 node : reversePostorder(graph, start)) result[node] = true;
  return result;
}

bool isBarrier(const MachineInstruction& instruction) { return isa::info(instruction.opcode).work == isa::Work::barrier; }
bool mayBeBarrier(const MachineInstruction& instruction) { return isBarrier(instruction) || isCall(instruction); }
bool mayWait(const MachineInstruction& instruction) {
  return mayBeBarrier(instruction) || isa::info(instruction.opcode).work == isa::Work::shuffle;
}

// Blocks from which control may come to one of `pending`.
std::vector<bool> blocksBefore(const ControlFlow& flow, std::vector<u32> pending) {
  const Graph backward = reversed(flow.successors);
  std::vector<bool> result(flow.blocks.size());
  while (!pending.empty()) {
    const u32 block = pending.back();
    pending.pop_back();
    if (result[block]) continue;
    result[block] = true;
    pending.insert(pending.end(), backward[block].begin(), backward[block].end());
  }
  return result;
}

// … to an instruction of that kind.
std::vector<bool> blocksBefore(const MachineFunction& function, const ControlFlow& flow, bool (*isOfKind)(const MachineInstruction&)) {
  std::vector<u32> pending;
  for (u32 b = 0; b < flow.blocks.size(); ++b) {
    const auto begin = function.code.begin();
    if (std::any_of(begin + flow.blocks[b].begin, begin + flow.blocks[b].end, isOfKind)) pending.push_back(b);
  }
  return blocksBefore(flow, std::move(pending));
}

// Guarded exits that are the only way out.
void addOnlyWaysOut(const MachineFunction& function, ControlFlow& flow) {
  std::vector<u32> leaving;
  for (u32 b = 0; b < flow.blocks.size(); ++b)
    if (flow.leaves[b]) leaving.push_back(b);
  const std::vector<bool> comesOut = blocksBefore(flow, std::move(leaving));
  for (u32 b = 0; b < flow.blocks.size(); ++b)
    if (!comesOut[b] && function.code[flow.blocks[b].end - 1].opcode == Opcode::exit) flow.leaves[b] = true;
}

// Where the sides of a kernel's branches wait for threads that leave by the other side: barriers await no thread that has exited, so those
// that come to none any more go first.
class EarlyExits {
 public:
  EarlyExits(const MachineFunction& function, const ControlFlow& flow)
      : function_(function),
        flow_(flow),
        barrier_(blocksBefore(function, flow, isBarrier)),
        mayBeBarrier_(blocksBefore(function, flow, mayBeBarrier)),
        mayWait_(blocksBefore(function, flow, mayWait)) {}

  // The side of the block's branch on which threads come to a barrier, when on the other they leave without waiting for any; kNoNode: there
  // is none. meeting: where both would meet.
  u32 sideThatWaits(u32 block, u32 meeting) const {
    const std::vector<u32>& sides = flow_.successors[block];
    if (!function_.source().isKernel || sides.size() != 2) return kNoNode;
    // Beyond an exit nothing is lost by not meeting there.
    const std::vector<bool>& comesToBarrier = meeting == kNoNode || isExit(meeting) ? mayBeBarrier_ : barrier_;
    for (const u32 side : {0u, 1u}) {
      if (comesToBarrier[sides[side]] && !mayWait_[sides[1 - side]]) return sides[side];
    }
    return kNoNode;
  }

 private:
  bool isExit(u32 block) const {
    const MachineInstruction& first = function_.code[flow_.blocks[block].begin];
    return first.opcode == Opcode::exit && isAlwaysExecuted(first);
  }

  const MachineFunction& function_;
  const ControlFlow& flow_;
  std::vector<bool> barrier_, mayBeBarrier_, mayWait_;
};

}  // namespace

std::vector<bool> branchTargets(const MachineFunction& function) {
  std::vector<bool> result(function.code.size() + 1);
  for (const MachineInstruction& instruction : function.code) {
    if (instruction.opcode == Opcode::bra) result[function.labels[instruction.target]] = true;
    if (instruction.reconvergence != isa::kNoTarget) result[function.labels[instruction.reconvergence]] = true;
    if (instruction.opcode != Opcode::brx) continue;
    for (const u32 label : function.branchTables[instruction.target]) result[function.labels[label]] = true;
  }
  return result;
}

ControlFlow buildControlFlow(const MachineFunction& function) {
  ControlFlow flow;
  const std::vector<u32> starts = blockStarts(function);
  flow.blockOf.resize(function.code.size());
  for (u32 b = 0; b < starts.size(); ++b) {
    const u32 end = b + 1 < starts.size() ? starts[b + 1] : static_cast<u32>(function.code.size());
    flow.blocks.push_back({starts[b], end});
    std::fill(flow.blockOf.begin() + starts[b], flow.blockOf.begin() + end, b);
  }
  flow.successors.resize(flow.blocks.size());
  flow.leaves.resize(flow.blocks.size());
  for (u32 b = 0; b < flow.blocks.size(); ++b) addEdges(function, flow, b);
  addOnlyWaysOut(function, flow);
  return flow;
}

void removeUnreachableCode(MachineFunction& function) {
  if (function.code.empty()) return;
  const ControlFlow flow = buildControlFlow(function);
  const std::vector<bool> live = reachable(flow.successors, 0);
  for (u32 b = 0; b < flow.blocks.size(); ++b) {
    if (live[b]) continue;
    for (u32 i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) becomeNop(function.code[i]);
  }
  removeNops(function);
}

std::vector<u32> immediatePostDominators(const ControlFlow& flow) {
  const u32 exit = static_cast<u32>(flow.blocks.size());
  Graph forward = flow.successors;
  forward.emplace_back();
  for (u32 b = 0; b < exit; ++b)
    if (flow.leaves[b]) forward[b].push_back(exit);
  std::vector<u32> result = immediateDominators(reversed(forward), exit);
  result.pop_back();
  for (u32& node : result)
    if (node == exit) node = kNoNode;
  return result;
}

void assignReconvergence(MachineFunction& function) {
  if (function.code.empty()) return;
  const ControlFlow flow = buildControlFlow(function);
  const std::vector<u32> postDominators = immediatePostDominators(flow);
  const EarlyExits earlyExits(function, flow);
  std::vector<u32> labelOf(flow.blocks.size(), kNone);
  for (u32 b = 0; b < flow.blocks.size(); ++b) {
    MachineInstruction& last = function.code[flow.blocks[b].end - 1];
    const bool mayDiverge = last.opcode == Opcode::brx || (last.opcode == Opcode::bra && !isAlwaysExecuted(last));
    if (!mayDiverge) continue;
    const u32 side = earlyExits.sideThatWaits(b, postDominators[b]);
    const u32 target = side != kNoNode ? side : postDominators[b];
    if (target == kNoNode) continue;
    if (labelOf[target] == kNone) labelOf[target] = function.newLabel(flow.blocks[target].begin);
    last.reconvergence = labelOf[target];
  }
}

std::vector<u32> loopDepths(const MachineFunction& function) {
  std::vector<s32> change(function.code.size() + 1);
  for (u32 i = 0; i < function.code.size(); ++i) {
    const MachineInstruction& instruction = function.code[i];
    if (instruction.opcode != Opcode::bra || function.labels[instruction.target] > i) continue;
    ++change[function.labels[instruction.target]];
    --change[i + 1];
  }
  std::vector<u32> depths(function.code.size());
  s32 depth = 0;
  for (u32 i = 0; i < depths.size(); ++i) depths[i] = static_cast<u32>(depth += change[i]);
  return depths;
}

}  // namespace warpwright::compiler
