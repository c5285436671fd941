// Which lanes of a warp are where: a tree whose leaves are the paths that can run and whose inner nodes are the points where
// diverged lanes meet again. Both reconvergence policies use it; they differ only in the leaf that runs next.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace warpwright::exec {

enum class PathState : u8 {
  ready,
  atBarrier,        // waits at the bar instruction at Path::pc
  atWarpOperation,  // waits at Path::pc for the other lanes of its member mask
  withWarp,         // could go on, but another path of the warp waits at a barrier, and the machine's barriers hold whole warps
};

struct Path {
  Pc pc;
  u32 node = 0;
  LaneMask mask;
  PathState state = PathState::ready;
  u8 barrier = 0;        // atBarrier, withWarp: its number
  bool polling = false;  // keeps reading the same values: spins
  Pc meeting = kNoPc;    // where it meets the others of its node

  bool operator==(const Path&) const = default;
};

class PathTree {
 public:
  // One path with the given lanes.
  void reset(Pc pc, LaneMask lanes);

  bool finished() const { return count_ == 0; }
  std::span<Path> paths() { return {paths_.data(), count_}; }
  std::span<const Path> paths() const { return {paths_.data(), count_}; }
  LaneMask lanes() const { return nodes_[kRoot].expected; }  // that have not exited
  // Lanes that wait at a barrier; those that stand at `pc` alone, unless it is kNoPc.
  LaneMask atBarrier(u32 number, Pc pc = kNoPc) const;

  // The most recently made path that is ready; null when there is none.
  Path* select() {
    for (u32 i = count_; i-- > 0;) {
      if (paths_[i].state == PathState::ready) return &paths_[i];
    }
    return nullptr;
  }
  // The same, passing over paths that poll.
  Path* selectBusy() {
    for (u32 i = count_; i-- > 0;) {
      if (paths_[i].state == PathState::ready && !paths_[i].polling) return &paths_[i];
    }
    return nullptr;
  }
  bool hasReady() const;
  // Every ready path waits until the warp's barrier of that number opens.
  void holdReady(u8 barrier);
  void forgetPolls();
  // Lets every other path run before this one.
  void yield(Path& path);

  // The pc at which a path meets the others of its node.
  static Pc meetingPoint(const Path& path) { return path.meeting; }

  // The lanes of `path` go to several instructions. Targets have disjoint, non-empty masks that together are the path's; the last one
  // runs first. meeting: the immediate post-dominator, kNoPc: none.
  struct Target {
    Pc pc;
    LaneMask lanes;
  };
  void diverge(Path& path, std::span<const Target> targets, Pc meeting);
  // The path is at its meeting point: it ends there, and the node too when it was the last.
  void arrive(Path& path);
  // Takes lanes out into a path of their own at pc, under the same node. Lanes must be a proper subset of the path's.
  void split(Path& path, LaneMask lanes, Pc pc);

  // False when calls nest too deeply.
  bool call(Path& path, Pc entry, Pc returnPc);
  // Lanes return from the innermost call; those outside any call exit. Gives the lanes that exited. The path ends when it loses all its
  // lanes.
  LaneMask ret(Path& path, LaneMask lanes);
  void exit(Path& path, LaneMask lanes);

  // Lanes that wait at the meeting points that accept(pc) chooses go on without the others. False when there are none.
  template <typename Accept>
  bool releaseWaiting(Accept accept);
  bool hasWaiting() const { return !waiting().empty(); }
  LaneMask waiting() const;  // lanes at meeting points
  // For reports: a meeting point at which lanes wait, or kNoPc.
  Pc waitingAt() const;

  // The same paths and meeting points, in the same order.
  bool operator==(const PathTree& other) const;

  // Joins paths that are ready at the same instruction under the same node. Ends references to paths.
  void mergeReady();

 private:
  static constexpr u32 kRoot = 0;
  static constexpr std::size_t kMostNodes = 1 << 16;

  struct Node {
    Pc pc = kNoPc;
    u32 parent = 0;
    LaneMask expected, arrived;
    bool isCall = false, used = false;

    bool operator==(const Node&) const = default;
  };

  u32 makeNode(const Node& node);
  Path& addPath(Pc pc, LaneMask lanes, u32 node);
  void removePath(Path& path);
  void mergeLast();
  void dropLanes(Path& path, LaneMask lanes);
  void arriveAt(u32 node, LaneMask lanes);
  // Ends the node when all it still expects have arrived. True when it ended without lanes, so that the parent may be complete too.
  void settle(u32 node);
  void leaveNodes(u32 from, u32 upTo, LaneMask lanes);
  u32 enclosingCall(u32 node) const;
  void release(u32 node);

  u32 count_ = 0;
  std::array<Path, kMaxWarpSize> paths_;
  std::vector<Node> nodes_;
  std::vector<u32> freeNodes_;
};

template <typename Accept>
bool PathTree::releaseWaiting(Accept accept) {
  bool any = false;
  for (u32 node = 1; node < nodes_.size(); ++node) {
    if (!nodes_[node].used || nodes_[node].arrived.empty() || !accept(nodes_[node].pc)) continue;
    release(node);
    any = true;
  }
  return any;
}

}  // namespace warpwright::exec
