#include "exec/path_tree.hpp"

#include <algorithm>

namespace warpwright::exec {

void PathTree::reset(Pc pc, LaneMask lanes) {
  count_ = 0;
  nodes_.clear();
  freeNodes_.clear();
  nodes_.push_back({.expected = lanes, .used = true});
  addPath(pc, lanes, kRoot);
}

bool PathTree::hasReady() const {
  return std::any_of(paths_.begin(), paths_.begin() + count_, [](const Path& path) { return path.state == PathState::ready; });
}

LaneMask PathTree::atBarrier(u32 number, Pc pc) const {
  LaneMask lanes;
  for (const Path& path : paths()) {
    if (path.state == PathState::atBarrier && path.barrier == number && (pc == kNoPc || path.pc == pc)) lanes |= path.mask;
  }
  return lanes;
}

void PathTree::holdReady(u8 barrier) {
  for (Path& path : paths()) {
    if (path.state != PathState::ready) continue;
    path.state = PathState::withWarp;
    path.barrier = barrier;
  }
}

void PathTree::forgetPolls() {
  for (Path& path : paths()) path.polling = false;
}

bool PathTree::operator==(const PathTree& other) const {
  return std::ranges::equal(paths(), other.paths()) && nodes_ == other.nodes_ && freeNodes_ == other.freeNodes_;
}

void PathTree::yield(Path& path) {
  Path* const position = &path;
  std::rotate(paths_.data(), position, position + 1);
}

u32 PathTree::makeNode(const Node& node) {
  if (freeNodes_.empty()) {
    nodes_.push_back(node);
    return static_cast<u32>(nodes_.size() - 1);
  }
  const u32 index = freeNodes_.back();
  freeNodes_.pop_back();
  nodes_[index] = node;
  return index;
}

Path& PathTree::addPath(Pc pc, LaneMask lanes, u32 node) {
  paths_[count_] = {.pc = pc, .node = node, .mask = lanes, .meeting = nodes_[node].isCall ? kNoPc : nodes_[node].pc};
  return paths_[count_++];
}

void PathTree::removePath(Path& path) {
  std::move(&path + 1, paths_.data() + count_, &path);
  --count_;
}

void PathTree::dropLanes(Path& path, LaneMask lanes) {
  path.mask &= ~lanes;
  if (path.mask.empty()) removePath(path);
}

void PathTree::diverge(Path& path, std::span<const Target> targets, Pc meeting) {
  u32 node = path.node;
  const LaneMask lanes = path.mask;
  // A loop diverges again and again towards the same point: one node serves all.
  const bool sameMeeting = nodes_[node].pc == meeting && !nodes_[node].isCall;
  if (meeting != kNoPc && !sameMeeting) node = makeNode({.pc = meeting, .parent = path.node, .expected = lanes, .used = true});
  removePath(path);
  LaneMask arrived;
  for (const Target& target : targets) {
    if (target.pc == meeting && meeting != kNoPc) {
      arrived |= target.lanes;
    } else {
      addPath(target.pc, target.lanes, node);
    }
  }
  if (arrived) arriveAt(node, arrived);
}

void PathTree::arrive(Path& path) {
  const u32 node = path.node;
  const LaneMask lanes = path.mask;
  removePath(path);
  arriveAt(node, lanes);
}

void PathTree::arriveAt(u32 node, LaneMask lanes) {
  nodes_[node].arrived |= lanes;
  settle(node);
}

// Completion travels upwards: the path that leaves a node may stand at the meeting point of the next one.
void PathTree::settle(u32 node) {
  while (node != kRoot && nodes_[node].arrived == nodes_[node].expected) {
    const Node done = nodes_[node];
    nodes_[node].used = false;
    freeNodes_.push_back(node);
    const u32 parent = done.parent;
    const bool meetsParent = parent != kRoot && nodes_[parent].pc == done.pc && !nodes_[parent].isCall;
    if (done.arrived && !meetsParent) {
      addPath(done.pc, done.arrived, parent);
      mergeLast();
      return;
    }
    if (meetsParent) nodes_[parent].arrived |= done.arrived;
    node = parent;
  }
}

// The path made last swallows those that stand where it does.
void PathTree::mergeLast() {
  const Path last = paths_[count_ - 1];
  for (u32 i = count_ - 1; i-- > 0;) {
    const Path& path = paths_[i];
    if (path.pc != last.pc || path.node != last.node || path.state != PathState::ready) continue;
    paths_[count_ - 1].mask |= path.mask;
    removePath(paths_[i]);
  }
}

void PathTree::mergeReady() {
  for (u32 i = 0; i < count_; ++i) {
    if (paths_[i].state != PathState::ready) continue;
    for (u32 j = count_; --j > i;) {
      if (paths_[j].pc != paths_[i].pc || paths_[j].node != paths_[i].node || paths_[j].state != PathState::ready) continue;
      paths_[i].mask |= paths_[j].mask;
      removePath(paths_[j]);
    }
  }
}

void PathTree::split(Path& path, LaneMask lanes, Pc pc) {
  path.mask &= ~lanes;
  addPath(pc, lanes, path.node);
}

bool PathTree::call(Path& path, Pc entry, Pc returnPc) {
  if (nodes_.size() - freeNodes_.size() >= kMostNodes) return false;
  path.node = makeNode({.pc = returnPc, .parent = path.node, .expected = path.mask, .isCall = true, .used = true});
  path.pc = entry;
  path.meeting = kNoPc;
  return true;
}

u32 PathTree::enclosingCall(u32 node) const {
  while (node != kRoot && !nodes_[node].isCall) node = nodes_[node].parent;
  return node;
}

void PathTree::leaveNodes(u32 from, u32 upTo, LaneMask lanes) {
  for (u32 node = from; node != upTo;) {
    nodes_[node].expected &= ~lanes;
    const u32 parent = nodes_[node].parent;
    settle(node);
    node = parent;
  }
}

LaneMask PathTree::ret(Path& path, LaneMask lanes) {
  const u32 from = path.node;
  const u32 callNode = enclosingCall(from);
  if (callNode == kRoot) {
    exit(path, lanes);
    return lanes;
  }
  dropLanes(path, lanes);
  leaveNodes(from, callNode, lanes);
  arriveAt(callNode, lanes);
  return {};
}

void PathTree::exit(Path& path, LaneMask lanes) {
  const u32 from = path.node;
  dropLanes(path, lanes);
  // Outermost first would end a node before its children; lanes leave from the inside out.
  leaveNodes(from, kRoot, lanes);
  nodes_[kRoot].expected &= ~lanes;
}

void PathTree::release(u32 node) {
  const LaneMask lanes = nodes_[node].arrived;
  nodes_[node].arrived.clear();
  nodes_[node].expected &= ~lanes;
  // The released lanes go on before the rest does; arriving at the parent's own meeting point is noticed when they run.
  addPath(nodes_[node].pc, lanes, nodes_[node].parent);
  mergeLast();
}

LaneMask PathTree::waiting() const {
  LaneMask lanes;
  for (const Node& node : nodes_) lanes |= node.used ? node.arrived : LaneMask{};
  return lanes;
}

Pc PathTree::waitingAt() const {
  for (const Node& node : nodes_) {
    if (node.used && node.arrived) return node.pc;
  }
  return kNoPc;
}

}  // namespace warpwright::exec
