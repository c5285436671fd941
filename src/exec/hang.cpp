// The report about a grid that makes no progress: which warps wait where for what.
#include <fmt/format.h>

#include <bit>

#include "exec/location.hpp"
#include "exec/machine.hpp"

namespace warpwright::exec {
namespace {

constexpr u32 kMostLines = 24;

std::string laneText(LaneMask lanes) {
  std::string text;
  for (LaneMask rest = lanes; rest;) {
    const u32 first = static_cast<u32>(std::countr_zero(rest));
    const u32 count = static_cast<u32>(std::countr_one(rest >> first));
    if (!text.empty()) text += ",";
    text += count == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + count - 1);
    rest &= ~(firstLanes(count) << first);
  }
  return text;
}

}  // namespace

void Machine::hang(const std::string& why) const {
  const isa::Program& program = request_.program->program;
  std::string text = fmt::format("kernel '{}' hangs: {}", request_.kernel->name, why);
  u32 lines = 0, more = 0;
  const auto line = [&](const Block& block, const Warp& warp, LaneMask lanes, u32 pc, const std::string& what) {
    if (lines++ >= kMostLines) {
      ++more;
      return;
    }
    const std::string ptx = ptxOf(program, pc);
    text += fmt::format("\n  block ({},{},{}), warp {}, lanes {}: {} at {}{}{}", block.position.x, block.position.y, block.position.z,
                        warp.index, laneText(lanes), what, placeOf(program, pc), ptx.empty() ? "" : ": ", ptx);
  };
  for (std::size_t number = 0; number < blocks_.size(); ++number) {
    if (!occupied_[number]) continue;
    const Block& block = *blocks_[number];
    for (const Warp& warp : block.warps) {
      if (warp.tree.finished()) continue;
      for (const Path& path : warp.tree.paths()) {
        if (path.state == PathState::atBarrier) {
          const Barrier& barrier = block.barriers[path.barrier];
          line(block, warp, path.mask, path.pc,
               fmt::format("wait at barrier {} ({} of {} threads have arrived)", path.barrier, barrier.arrived,
                           barrier.expected ? barrier.expected : block.liveThreads));
        } else if (path.state == PathState::atWarpOperation) {
          line(block, warp, path.mask, path.pc, "wait for the other lanes of the member mask");
        } else {
          // A polling path stands behind the instruction that polled.
          line(block, warp, path.mask, path.polling ? path.pc - 1 : path.pc, path.polling ? "poll for a value that never comes" : "run");
        }
      }
      if (warp.tree.hasWaiting()) line(block, warp, warp.tree.waiting(), warp.tree.waitingAt(), "wait for diverged lanes of their warp");
    }
  }
  if (more) text += fmt::format("\n  and {} more", more);
  text += independent()
              ? "\n  remedy: every thread that others wait for must be able to arrive; blocks that wait for each other must all be resident"
              : "\n  remedy: threads of one warp cannot wait for each other with stack reconvergence; choose a machine with independent "
                "threads";
  throw Fault{LaunchStatus::hang, text};
}

}  // namespace warpwright::exec
