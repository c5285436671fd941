#include "exec/wait_cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace warpwright::exec {
namespace {

// Where threads wait. Those at a barrier wait for threads of the block that are not there; the others, for lanes of their warp.
struct WaitPoint {
  enum class Kind : u8 { barrier, warpOperation, reconvergence } kind = Kind::barrier;
  u32 number = 0;  // of the barrier; of the warp
  bool operator==(const WaitPoint&) const = default;
};

struct Standing {
  WaitPoint at;
  u32 warp = 0;
};

std::string nameOf(const WaitPoint& point) {
  switch (point.kind) {
    case WaitPoint::Kind::barrier:
      if (point.number == kClusterBarrier) return "the barrier of the cluster";
      if (point.number >= kGroupBarriers) return fmt::format("the wait of warp group {}", point.number - kGroupBarriers);
      return fmt::format("barrier {}", point.number);
    case WaitPoint::Kind::warpOperation:
      return fmt::format("an operation of all lanes in warp {}", point.number);
    case WaitPoint::Kind::reconvergence:
      break;
  }
  return fmt::format("the end of a branch in warp {}", point.number);
}

// Empty when a thread can go on.
std::vector<Standing> standingIn(const Block& block) {
  std::vector<Standing> all;
  for (const Warp& warp : block.warps) {
    for (const Path& path : warp.tree.paths()) {
      if (path.state == PathState::ready) return {};
      const bool isAtBarrier = path.state == PathState::atBarrier || path.state == PathState::withWarp;
      all.push_back(
          {isAtBarrier ? WaitPoint{WaitPoint::Kind::barrier, path.barrier} : WaitPoint{WaitPoint::Kind::warpOperation, warp.index},
           warp.index});
    }
    // Where a warp waits at a barrier as a whole, it is not for lanes at meeting points.
    const auto paths = warp.tree.paths();
    const auto isAtBarrier = [](const Path& path) { return path.state == PathState::atBarrier; };
    if (std::any_of(paths.begin(), paths.end(), isAtBarrier)) continue;
    if (!warp.tree.finished() && warp.tree.hasWaiting()) all.push_back({{WaitPoint::Kind::reconvergence, warp.index}, warp.index});
  }
  return all;
}

// Points where threads stand that the threads at `point` wait for.
std::vector<WaitPoint> awaitedFrom(const WaitPoint& point, const std::vector<Standing>& all) {
  std::vector<WaitPoint> awaited;
  for (const Standing& each : all) {
    const bool isAwaited = point.kind == WaitPoint::Kind::barrier || each.warp == point.number;
    if (each.at != point && isAwaited && std::find(awaited.begin(), awaited.end(), each.at) == awaited.end()) awaited.push_back(each.at);
  }
  return awaited;
}

// Goes on from the last point of the way until one comes again; the way is then the circle.
bool findCircle(std::vector<WaitPoint>& way, const std::vector<Standing>& all) {
  for (const WaitPoint& next : awaitedFrom(way.back(), all)) {
    const auto before = std::find(way.begin(), way.end(), next);
    if (before != way.end()) {
      way.erase(way.begin(), before);
      return true;
    }
    way.push_back(next);
    if (findCircle(way, all)) return true;
    way.pop_back();
  }
  return false;
}

}  // namespace

std::string waitsInCircle(const Block& block) {
  const std::vector<Standing> all = standingIn(block);
  if (all.empty()) return {};
  std::vector<WaitPoint> circle{all.front().at};
  if (!findCircle(circle, all)) {
    // Threads of other blocks are awaited there.
    if (all.front().at == WaitPoint{WaitPoint::Kind::barrier, kClusterBarrier} && block.cluster) return {};
    return nameOf(all.front().at) + " waits for more threads than the block has left";
  }
  std::string text;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const WaitPoint& next = circle[(i + 1) % circle.size()];
    text += fmt::format("{}{} waits for threads at {}", i == 0 ? "" : ", ", nameOf(circle[i]), nameOf(next));
  }
  return text;
}

}  // namespace warpwright::exec
