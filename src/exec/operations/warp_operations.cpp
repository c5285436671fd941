// Operations among the lanes of a warp: shfl, vote, match, redux, activemask, elect, warpsync (PTX ISA, sections of those names).
//
// PTX gives these operations 32-bit masks. In warps of 64 lanes each half of 32 lanes sees its own 32 bits, and a member mask
// names the same lanes of both halves.
#include "exec/operations/warp_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "exec/dispatch.hpp"

namespace warpwright::exec {
namespace {

LaneMask members(u32 mask) { return LaneMask(u64{mask} << 32 | mask); }
// What a lane sees of a mask over all lanes.
u32 half(LaneMask lanes, LaneId lane) { return static_cast<u32>(lane < 32 ? lanes.bits() : lanes.bits() >> 32); }

// The member mask is the last source of each row of the table.
const LaneOperand& memberOperand(const Op& op) { return op.sources[isa::info(op.instruction->opcode).sources.size() - 1]; }

// Calls visit(lanes) for each set of lanes that name the same members: tiles of a warp may work side by side.
template <typename Visit>
void forEachGroup(const u32* masks, LaneMask lanes, Visit visit) {
  if (!masks) return visit(lanes);
  while (lanes) {
    const u32 mask = masks[lanes.least()];
    LaneMask group;
    for (const LaneId lane : lanes) {
      if (masks[lane] == mask) group.insert(lane);
    }
    visit(group);
    lanes &= ~group;
  }
}

template <typename T>
T reducedLanes(isa::AtomicOp op, T a, T b) {
  switch (op) {
    case isa::AtomicOp::and_:
      return a & b;
    case isa::AtomicOp::or_:
      return a | b;
    case isa::AtomicOp::xor_:
      return a ^ b;
    case isa::AtomicOp::min:
      return std::min(a, b);
    case isa::AtomicOp::max:
      return std::max(a, b);
    default:
      return static_cast<T>(static_cast<u32>(a) + static_cast<u32>(b));
  }
}

struct ShuffleSource {
  u32 lane;
  bool inRange;
};

// PTX ISA, "shfl": segments and clamping.
ShuffleSource shuffleSource(isa::ShuffleMode mode, LaneId lane, u32 b, u32 c, u32 warpSize) {
  const u32 lowBits = warpSize - 1;
  const u32 value = b & lowBits, clamp = c & lowBits, segment = (c >> 8) & lowBits;
  const u32 highest = (lane & segment) | (clamp & ~segment & lowBits);
  const u32 lowest = lane & segment;
  s32 from = 0;
  bool inRange = false;
  switch (mode) {
    case isa::ShuffleMode::up:
      from = static_cast<s32>(lane) - static_cast<s32>(value);
      inRange = from >= static_cast<s32>(highest);
      break;
    case isa::ShuffleMode::down:
      from = static_cast<s32>(lane + value);
      inRange = from <= static_cast<s32>(highest);
      break;
    case isa::ShuffleMode::bfly:
      from = static_cast<s32>(lane ^ value);
      inRange = from <= static_cast<s32>(highest);
      break;
    case isa::ShuffleMode::idx:
      from = static_cast<s32>(lowest | (value & ~segment));
      inRange = from <= static_cast<s32>(highest);
      break;
  }
  return {inRange ? static_cast<u32>(from) : lane, inRange};
}

// All lanes that must take part before `lanes` can: those their member masks name, less the exited.
LaneMask neededLanes(const Issue& issue, const LaneOperand& operand, LaneMask lanes) {
  const LaneMask live = issue.warp.tree.lanes();
  const u32* masks = source(issue.warp, operand);
  if (operand.bank == LaneOperand::Bank::pool) return members(masks[0]) & live;
  LaneMask needed;
  for (const LaneId lane : lanes) needed |= members(masks[lane]);
  return needed & live;
}

// A lane that executes an operation of others only.
void checkMembers(Grid& grid, const Issue& issue, const LaneOperand& operand) {
  const u32* masks = source(issue.warp, operand);
  for (const LaneId lane : issue.executing) {
    if ((members(masks[lane]) & LaneMask::of(lane))) continue;
    return noteUndefined(grid, issue.pc,
                         fmt::format("executed by {} with the member mask {:#010x}, which does not name its lane {}",
                                     threadText(grid.request, issue.block, threadOf(grid.request, issue.warp, lane)), masks[lane], lane));
  }
}

LaneMask gather(Grid& grid, const Issue& issue, const LaneOperand& operand) {
  LaneMask together = issue.executing;
  LaneMask needed = neededLanes(issue, operand, together);
  if ((needed & ~together).empty()) return together;

  PathTree& tree = issue.warp.tree;
  const LaneMask skipping = issue.active & ~issue.executing;
  if (skipping) tree.split(issue.path, skipping, next(issue.pc));
  const auto takesPart = [&](const Path& path) {
    if (path.state != PathState::atWarpOperation) return false;
    return path.pc == issue.pc || (issue.op.handler == Handler::warpSync && grid.kernel.at(path.pc).handler == Handler::warpSync);
  };
  for (const Path& path : tree.paths()) {
    if (!takesPart(path)) continue;
    together |= path.mask;
    needed |= neededLanes(issue, memberOperand(grid.kernel.at(path.pc)), path.mask);
  }
  if (needed & ~together) {
    issue.path.state = PathState::atWarpOperation;
    unissue(grid, issue);
    return {};
  }
  InstructionCount& count = grid.result.counts[issue.pc];
  const u64 joined = u64{(together & ~issue.executing).size()};
  count.lanes += joined;
  count.active += joined;
  for (Path& path : tree.paths()) {
    if (!takesPart(path)) continue;
    path.state = PathState::ready;
    ++path.pc;
  }
  return together;
}

// __syncwarp orders the accesses of the lanes that name one another; exited ones are awaited by nobody.
void orderAmong(const Grid&, const Issue& issue, LaneMask lanes) {
  if (!issue.block.races || issue.warp.isHelper) return;
  const LaneMask live = issue.warp.tree.lanes();
  forEachGroup(source(issue.warp, memberOperand(issue.op)), lanes,
               [&](LaneMask group) { issue.block.races->synchroniseLanes(issue.warp.index, group == live ? ~LaneMask{} : group); });
}

void shuffleAmong(const Grid& grid, const Issue& issue, LaneMask lanes) {
  const Op& op = issue.op;
  const u32* value = source(issue.warp, op.sources[0]);
  const u32* b = source(issue.warp, op.sources[1]);
  const u32* c = source(issue.warp, op.sources[2]);
  u32* destination = registers(issue.warp, op.destinations[0]);
  alignas(64) u32 result[kMaxWarpSize];
  LaneMask inRange;
  for (const LaneId lane : lanes) {
    const ShuffleSource from = shuffleSource(op.instruction->modifiers.shuffle, lane, b[lane], c[lane], grid.request.limits.warpSize);
    result[lane] = value[from.lane];
    if (from.inRange) inRange.insert(lane);
  }
  for (const LaneId lane : lanes) destination[lane] = result[lane];
  setPredicate(issue.warp, op.destinations[1], lanes, inRange);
}

void voteAmong(const Grid&, const Issue& issue, LaneMask lanes) {
  const Op& op = issue.op;
  const LaneMask value = predicate(issue.warp, op.sources[0]);
  const u32* masks = op.sources[1].present ? source(issue.warp, op.sources[1]) : nullptr;
  const isa::VoteMode mode = op.instruction->modifiers.vote;
  forEachGroup(masks, lanes, [&](LaneMask group) {
    const LaneMask yes = value & group;
    if (mode == isa::VoteMode::ballot) {
      u32* destination = registers(issue.warp, op.destinations[0]);
      for (const LaneId lane : group) destination[lane] = half(yes, lane);
      return;
    }
    const bool all = yes == group;
    const bool outcome = mode == isa::VoteMode::all ? all : mode == isa::VoteMode::any ? !yes.empty() : all || yes.empty();
    setPredicate(issue.warp, op.destinations[0], group, outcome ? group : LaneMask{});
  });
}

void matchAmong(const Grid& grid, const Issue& issue, LaneMask lanes) {
  const Op& op = issue.op;
  const u32* plane = source(issue.warp, op.sources[0]);
  const u32* masks = op.sources[1].present ? source(issue.warp, op.sources[1]) : nullptr;
  const bool is64 = isa::sizeOf(op.instruction->type) == 8;
  const auto value = [&](LaneId lane) { return is64 ? wide(grid, plane, lane) : plane[lane]; };
  alignas(64) u32 result[kMaxWarpSize];
  forEachGroup(masks, lanes, [&](LaneMask group) {
    LaneMask left = group;
    bool allEqual = true;
    while (left) {
      const u64 wanted = value(left.least());
      LaneMask equal;
      for (const LaneId lane : left) {
        if (value(lane) == wanted) equal.insert(lane);
      }
      allEqual &= equal == group;
      for (const LaneId lane : equal) result[lane] = half(equal, lane);
      left &= ~equal;
    }
    if (!op.instruction->modifiers.matchAll) return;
    for (const LaneId lane : group) result[lane] = allEqual ? half(group, lane) : 0;
    setPredicate(issue.warp, op.destinations[1], group, allEqual ? group : LaneMask{});
  });
  if (!op.destinations[0].present) return;
  u32* destination = registers(issue.warp, op.destinations[0]);
  for (const LaneId lane : lanes) destination[lane] = result[lane];
}

void reduceAmong(const Grid&, const Issue& issue, LaneMask lanes) {
  const Op& op = issue.op;
  const u32* value = source(issue.warp, op.sources[0]);
  const u32* masks = op.sources[1].present ? source(issue.warp, op.sources[1]) : nullptr;
  const isa::AtomicOp operation = op.instruction->modifiers.atomic;
  const bool isSigned = isa::isSigned(op.instruction->type);
  u32* destination = registers(issue.warp, op.destinations[0]);
  forEachGroup(masks, lanes, [&](LaneMask group) {
    u32 total = value[group.least()];
    for (const LaneId lane : group.withoutLeast()) {
      const u32 next = value[lane];
      total = isSigned ? static_cast<u32>(reducedLanes(operation, static_cast<s32>(total), static_cast<s32>(next)))
                       : reducedLanes(operation, total, next);
    }
    for (const LaneId lane : group) destination[lane] = total;
  });
}

void electAmong(const Grid&, const Issue& issue, LaneMask lanes) {
  const Op& op = issue.op;
  const u32* masks = op.sources[0].present ? source(issue.warp, op.sources[0]) : nullptr;
  forEachGroup(masks, lanes, [&](LaneMask group) {
    const u32 leader = group.least();
    setPredicate(issue.warp, op.destinations[1], group, LaneMask::of(leader));
    if (!op.destinations[0].present) return;
    u32* destination = registers(issue.warp, op.destinations[0]);
    for (const LaneId lane : group) destination[lane] = leader;
  });
}

// What an operation does once the lanes are together.
template <void (*kAmong)(const Grid&, const Issue&, LaneMask)>
bool together(Grid& grid, const Issue& issue) {
  const LaneOperand& operand = memberOperand(issue.op);
  if (operand.present && grid.request.checks.synchronisation) checkMembers(grid, issue, operand);
  const LaneMask lanes = operand.present ? gather(grid, issue, operand) : issue.executing;
  if (lanes.empty()) return false;
  kAmong(grid, issue, lanes);
  if (grid.issueEvents) raiseResult(grid, issue.block.index, issue.warp, issue.op, issue.pc, lanes);
  if (lanes == issue.executing && issue.path.mask == issue.active) return true;
  issue.path.pc = next(issue.pc);
  issue.warp.tree.mergeReady();
  return false;
}

}  // namespace

bool shuffle(Grid& grid, const Issue& issue) { return together<shuffleAmong>(grid, issue); }
bool vote(Grid& grid, const Issue& issue) { return together<voteAmong>(grid, issue); }
bool match(Grid& grid, const Issue& issue) { return together<matchAmong>(grid, issue); }
bool reduce(Grid& grid, const Issue& issue) { return together<reduceAmong>(grid, issue); }
bool elect(Grid& grid, const Issue& issue) { return together<electAmong>(grid, issue); }
bool warpSync(Grid& grid, const Issue& issue) { return together<orderAmong>(grid, issue); }

void activeMask(Grid&, const Issue& issue) {
  u32* destination = registers(issue.warp, issue.op.destinations[0]);
  for (const LaneId lane : issue.executing) {
    destination[lane] = half(issue.executing, lane);
  }
}

}  // namespace warpwright::exec
