// The report about a grid that makes no progress: which warps wait where for what.
#include "exec/hang.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/demangle.hpp"
#include "exec/dispatch.hpp"
#include "exec/location.hpp"
#include "exec/wait_cycle.hpp"

namespace warpwright::exec {
namespace {

constexpr std::size_t kMostLines = 24;

std::string laneText(LaneMask lanes) {
  std::string text;
  for (LaneMask rest = lanes; rest;) {
    const u32 first = rest.least();
    const u32 count = static_cast<u32>(std::countr_one(rest.bits() >> first));
    if (!text.empty()) text += ",";
    text += count == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + count - 1);
    rest &= ~(LaneMask::range(first, count));
  }
  return text;
}

// One line of the report: neighbouring warps in the same situation share it.
struct Situation {
  const Block* block;
  u32 firstWarp, lastWarp;
  LaneMask lanes;
  Pc pc;
  std::string what;
  bool continues(const Situation& next) const {
    return block == next.block && lastWarp + 1 >= next.firstWarp && lanes == next.lanes && pc == next.pc && what == next.what;
  }
};

std::string situationText(const isa::Program& program, const Situation& s) {
  const Dim3& at = s.block->position;
  const std::string warps =
      s.firstWarp == s.lastWarp ? fmt::format("warp {}", s.firstWarp) : fmt::format("warps {}-{}", s.firstWarp, s.lastWarp);
  const std::string ptx = ptxOf(program, s.pc);
  return fmt::format("\n  block ({},{},{}), {}, lanes {}: {} at {}{}{}", at.x, at.y, at.z, warps, laneText(s.lanes), s.what,
                     locationOf(program, s.pc), ptx.empty() ? "" : ": ", ptx);
}

Situation situationOf(const Block& block, const Warp& warp, const Path& path) {
  Situation s{&block, warp.index, warp.index, path.mask, path.pc, warp.isHeld ? "wait for a routine beside their warp" : "run"};
  if (path.state == PathState::atBarrier && path.barrier == kClusterBarrier) {
    s.what = fmt::format("wait at the barrier of their cluster ({} of the {} threads of their block have arrived)", block.arrivedAtCluster,
                         block.liveThreads);
  } else if (path.state == PathState::atBarrier && path.barrier >= kGroupBarriers) {
    s.what = fmt::format("wait for the other warps of warp group {}", path.barrier - kGroupBarriers);
  } else if (path.state == PathState::atBarrier) {
    const Barrier& barrier = block.barriers[path.barrier];
    s.what = fmt::format("wait at barrier {} ({} of {} threads have arrived)", path.barrier, barrier.arrived,
                         barrier.expected ? barrier.expected : block.liveThreads);
  } else if (path.state == PathState::withWarp) {
    s.what = fmt::format("wait for the lanes of their warp at barrier {}", path.barrier);
  } else if (path.state == PathState::atWarpOperation) {
    s.what = "wait for the other lanes of the member mask";
  } else if (path.polling) {
    s.pc = previous(s.pc);  // a polling path stands behind the instruction that polled
    s.what = "poll for a value that never comes";
  }
  return s;
}

const isa::Program& programOf(const Grid& grid) { return grid.request.launch->program->program; }

std::string routineName(const Helper& helper) { return demangled(helper.routine->name); }

Situation situationOf(const Helper& helper) {
  const Warp& warp = helper.warp;
  Situation s{helper.block, warp.index, warp.index, helper.lanes, Pc{}, "run the routine '" + routineName(helper) + "' beside it"};
  if (!warp.tree.paths().empty()) s.pc = warp.tree.paths().front().pc;
  return s;
}

template <class Visit>
void forEachHelper(auto& grid, Visit visit) {
  for (const auto& helper : grid.helpers.warps)
    if (helper->block != nullptr) visit(*helper);
}

}  // namespace

std::string whereHelperIs(const Grid& grid, const Helper& helper) {
  return fmt::format("'{}' at {}", routineName(helper), locationOf(programOf(grid), situationOf(helper).pc));
}

std::string circlingRoutine(const Grid& grid) {
  std::string found;
  forEachHelper(grid, [&](const Helper& helper) {
    if (found.empty() && helper.circle.isClosed()) found = whereHelperIs(grid, helper);
  });
  return found;
}

std::string whereThreadsWait(const Grid& grid) {
  std::vector<Situation> situations;
  std::string circles;
  const auto add = [&](Situation s) {
    // The same situation of the warp before, which may have several paths.
    for (std::size_t i = situations.size(); i-- > 0 && situations[i].lastWarp + 1 >= s.firstWarp && situations[i].block == s.block;) {
      if (!situations[i].continues(s)) continue;
      situations[i].lastWarp = s.lastWarp;
      return;
    }
    situations.push_back(std::move(s));
  };
  for (std::size_t number = 0; number < grid.blocks.slots.size(); ++number) {
    if (!grid.blocks.occupied[number]) continue;
    const Block& block = *grid.blocks.slots[number];
    if (const std::string circle = waitsInCircle(block); !circle.empty() && circles.empty())
      circles = fmt::format("\n  block ({},{},{}): {}", block.position.x, block.position.y, block.position.z, circle);
    for (const Warp& warp : block.warps) {
      if (warp.tree.finished()) continue;
      for (const Path& path : warp.tree.paths()) add(situationOf(block, warp, path));
      if (!warp.tree.hasWaiting()) continue;
      add({&block, warp.index, warp.index, warp.tree.waiting(), warp.tree.waitingAt(), "wait for diverged lanes of their warp"});
    }
  }
  forEachHelper(grid, [&](const Helper& helper) { add(situationOf(helper)); });
  std::string text;
  for (std::size_t i = 0; i < situations.size() && i < kMostLines; ++i) text += situationText(programOf(grid), situations[i]);
  if (situations.size() > kMostLines) text += fmt::format("\n  and {} more", situations.size() - kMostLines);
  return text + circles;
}

// After each step of the warp, while it is watched.
void follow(const Grid& grid, const Warp& warp, u32 registers, const StepRecord& record, WarpCircle& circle) {
  circle.executed(record.pc);
  const bool isBackwards = record.jumped && record.next.state == WarpState::ready && record.next.pc <= record.pc;
  if (isBackwards && warp.deferred == 0) circle.jumped(warp, registers, grid.lanes, programOf(grid));
}

namespace {

struct Helping {
  bool circles = false;               // some go in a circle
  bool isOld = false, isNew = false;  // others that get further: that were there when this was asked before; that were not
};

// One of low priority that has issued nothing since gets no slot, and need never get one.
Helping lookAtHelpers(Grid& grid) {
  Helping found;
  forEachHelper(grid, [&](Helper& helper) {
    const bool isClosed = helper.circle.isClosed(), wasSeen = std::exchange(helper.wasSeen, true);
    const bool hasMoved = std::exchange(helper.hasMoved, false);
    found.circles |= isClosed;
    found.isOld |= !isClosed && wasSeen && hasMoved;
    found.isNew |= !isClosed && !wasSeen;
  });
  return found;
}

// Routines that come and go change no more than those before them did, which was nothing; but one that has just begun may be the first that
// takes long. So it must be the second time that this is asked.
bool areHelpersStuck(Grid& grid, bool isAnyHeld) {
  const Helping helping = lookAtHelpers(grid);
  if (isAnyHeld) return helping.circles && !helping.isOld && !helping.isNew;
  if (helping.isOld) return false;
  const bool wereFresh = std::exchange(grid.helpers.wereFresh, helping.isNew);
  return !helping.isNew || wereFresh;
}

}  // namespace

// Of warps that go in no circle, none may be able to run, or have an atomic under way that may change what others wait for. One that is
// held gets no further than the helper for which it is; and one that is starved, than helpers that go in a circle let it.
bool isStuck(Grid& grid, std::span<const WarpCircle> circles) {
  if (grid.bulk.underWay() != 0) return false;
  bool isAnyHeld = false;  // or starved
  for (std::size_t slot = 0; slot < grid.blocks.slots.size(); ++slot) {
    if (!grid.blocks.occupied[slot]) continue;
    for (const Warp& warp : grid.blocks.slots[slot]->warps) {
      const std::size_t number = slot * grid.shape.warps() + warp.index;
      const bool isClosed = number < circles.size() && circles[number].isClosed();
      const bool isStarved = number < circles.size() && circles[number].isStarved();
      const bool mayRun = warp.tree.hasReady() && !warp.isHeld && !isStarved;
      if (!isClosed && (mayRun || warp.deferred != 0)) return false;
      isAnyHeld |= !isClosed && (warp.isHeld || isStarved);
    }
  }
  return areHelpersStuck(grid, isAnyHeld);
}

bool hasThreads(const Grid& grid) {
  if (!circlingRoutine(grid).empty()) return true;
  const auto& blocks = grid.blocks;
  for (std::size_t slot = 0; slot < blocks.slots.size(); ++slot)
    if (blocks.occupied[slot] && !std::ranges::all_of(blocks.slots[slot]->warps, [](const Warp& warp) { return warp.tree.finished(); }))
      return true;
  return false;
}

bool releaseWaiting(Grid& grid) {
  if (!independent(grid)) return false;
  bool any = false;
  for (std::size_t slot = 0; slot < grid.blocks.slots.size(); ++slot) {
    if (!grid.blocks.occupied[slot]) continue;
    for (Warp& warp : grid.blocks.slots[slot]->warps) any |= releaseWaiting(grid, warp);
  }
  grid.progress.changes += any;
  return any;
}

void hang(const Grid& grid, const std::string& why) {
  std::string text = fmt::format("kernel '{}' hangs: {}{}", demangled(grid.request.launch->kernel->name), why, whereThreadsWait(grid));
  text += independent(grid)
              ? "\n  remedy: every thread that others wait for must be able to arrive; blocks that wait for each other must all be resident"
              : "\n  remedy: threads of one warp cannot wait for each other with stack reconvergence; choose a machine with independent "
                "threads";
  throw Fault{LaunchStatus::hang, text};
}

}  // namespace warpwright::exec
