#include "compiler/register_allocation.hpp"

#include <algorithm>

#include "compiler/argument_registers.hpp"
#include "compiler/coalescing.hpp"
#include "compiler/reuse_delay.hpp"

namespace warpwright::compiler {
namespace {

// When each machine register is taken, as a bit per point of the time line.
class Occupancy {
 public:
  Occupancy(u32 registers, u32 points) : wordsEach_((points + 63) / 64), bits_(size_t{registers} * wordsEach_) {}

  bool isFree(u32 reg, const LiveRange& range) const {
    return std::none_of(range.begin(), range.end(), [&](const Segment& segment) { return isTaken(reg, segment); });
  }
  void take(u32 reg, const LiveRange& range) {
    for (const Segment& segment : range)
      forEachWord(segment, [&](u32 word, u64 mask) {
        bits_[size_t{reg} * wordsEach_ + word] |= mask;
        return false;
      });
  }

 private:
  bool isTaken(u32 reg, const Segment& segment) const {
    return forEachWord(segment, [&](u32 word, u64 mask) { return (bits_[size_t{reg} * wordsEach_ + word] & mask) != 0; });
  }
  // Stops and returns true when the visitor does.
  template <class Visitor>
  static bool forEachWord(const Segment& segment, Visitor&& visit) {
    const u32 first = segment.begin / 64, last = (segment.end - 1) / 64;
    for (u32 word = first; word <= last; ++word) {
      u64 mask = ~u64{0};
      if (word == first) mask &= ~u64{0} << (segment.begin % 64);
      if (word == last) mask &= ~u64{0} >> (63 - (segment.end - 1) % 64);
      if (visit(word, mask)) return true;
    }
    return false;
  }

  u32 wordsEach_;
  std::vector<u64> bits_;
};

enum class Order : u8 { byStart, wideFirst };

struct Attempt {
  std::vector<u32> base;  // per cluster
  u32 registers = 0, predicates = 0;
};

// Registers are searched beyond the limit as well, so that the error can say how many it would take; nothing takes so many.
constexpr u32 kSearchedRegisters = 4096;

u32 startOf(const Clusters::Cluster& cluster) {
  u32 start = kNone;
  for (const LiveRange& range : cluster.ranges)
    if (!range.empty()) start = std::min(start, range.front().begin);
  return start;
}

class Allocator {
 public:
  Allocator(const MachineFunction& function, const Clusters& clusters, Order order)
      : function_(function), clusters_(clusters), groups_(static_cast<u32>(function.groups.size())) {
    attempt_.base.assign(clusters.count(), kNone);
    sequence_ = sequence(order);
    findCalls();
    findWishes();
  }

  Attempt run() {
    const u32 points = 2 * static_cast<u32>(function_.code.size()) + 2;
    place(false, kSearchedRegisters, points, attempt_.registers);
    place(true, kSearchedRegisters, points, attempt_.predicates);
    return std::move(attempt_);
  }

 private:
  std::vector<u32> sequence(Order order) const {
    std::vector<u32> list;
    std::vector<u32> start(clusters_.count());
    for (u32 c = 0; c < clusters_.count(); ++c) {
      start[c] = startOf(clusters_.cluster(c));
      if (clusters_.isRoot(c) && start[c] != kNone) list.push_back(c);
    }
    std::stable_sort(list.begin(), list.end(), [&](u32 a, u32 b) {
      const u32 widthA = clusters_.cluster(a).words, widthB = clusters_.cluster(b).words;
      if (order == Order::wideFirst && widthA != widthB) return widthA > widthB;
      return start[a] < start[b];
    });
    return list;
  }

  void place(bool predicates, u32 limit, u32 points, u32& used) {
    // Grows with need: most functions use a few dozen registers of the searched range.
    std::vector<Occupancy> occupancy;
    const auto at = [&](u32 reg) -> Occupancy& {
      while (occupancy.size() <= reg) occupancy.emplace_back(1, points);
      return occupancy[reg];
    };
    const auto take = [&](u32 c, u32 base) {
      const Clusters::Cluster& cluster = clusters_.cluster(c);
      attempt_.base[c] = base;
      for (u32 w = 0; w < cluster.words; ++w) at(base + w).take(0, cluster.ranges[w]);
      used = std::max(used, base + cluster.words);
    };
    for (const u32 c : sequence_)
      if (!predicates && clusters_.isFixed(c)) take(c, kFirstArgumentRegister);
    for (const u32 c : sequence_) {
      if ((c >= groups_) != predicates || c == function_.groupOf[kStackWord] || clusters_.isFixed(c)) continue;
      const Clusters::Cluster& cluster = clusters_.cluster(c);
      if (!predicates && wishes_[c] != kNone && isFree(cluster, wishes_[c], false, at)) {
        take(c, wishes_[c]);
        continue;
      }
      for (u32 base = 0; base + cluster.words <= limit; base += cluster.alignment) {
        if (!isFree(cluster, base, predicates, at)) continue;
        take(c, base);
        break;
      }
      // Too many words live across a call: more registers would not help.
      if (attempt_.base[c] == kNone) used = limit;
    }
  }

  template <class At>
  bool isFree(const Clusters::Cluster& cluster, u32 base, bool predicates, At&& at) const {
    for (u32 w = 0; w < cluster.words; ++w) {
      const bool reserved = !predicates && function_.usesStack && base + w == isa::kStackRegister;
      const bool clobbered = !predicates && !isPreservedByCalls(base + w) && overlap(cluster.ranges[w], calls_);
      if (reserved || clobbered || !at(base + w).isFree(0, cluster.ranges[w])) return false;
    }
    return true;
  }

  // What is live across a call holds its value at the point between what the call reads and what it gives.
  void findCalls() {
    for (u32 i = 0; i < function_.code.size(); ++i)
      if (isCall(function_.code[i])) calls_.push_back({2 * i + 1, 2 * i + 2});
  }

  // Where a copy to or from an argument register would copy nothing.
  void findWishes() {
    wishes_.assign(clusters_.count(), kNone);
    for (const MachineInstruction& instruction : function_.code) {
      if (!instruction.passesArgument || instruction.opcode != isa::Opcode::mov) continue;
      Clusters::Position fixed = clusters_.positionOf(instruction.destinations[0].index);
      Clusters::Position free = clusters_.positionOf(instruction.sources[0].index);
      if (clusters_.isFixed(free.cluster)) std::swap(fixed, free);
      if (!clusters_.isFixed(fixed.cluster) || clusters_.isFixed(free.cluster)) continue;
      const u32 reg = kFirstArgumentRegister + fixed.offset;
      const bool possible = reg >= free.offset && (reg - free.offset) % clusters_.cluster(free.cluster).alignment == 0;
      if (possible && wishes_[free.cluster] == kNone) wishes_[free.cluster] = reg - free.offset;
    }
  }

  const MachineFunction& function_;
  const Clusters& clusters_;
  u32 groups_;
  std::vector<u32> sequence_;
  LiveRange calls_;
  std::vector<u32> wishes_;  // per cluster: a first register, or kNone
  Attempt attempt_;
};

Allocation toAllocation(const MachineFunction& function, const Clusters& clusters, const Attempt& attempt) {
  Allocation allocation;
  allocation.home.assign(function.units(), kNone);
  for (u32 unit = 0; unit < function.units(); ++unit) {
    const Clusters::Position position = clusters.positionOf(unit);
    const u32 base = attempt.base[position.cluster];
    if (base != kNone) allocation.home[unit] = base + position.offset;
  }
  allocation.registers = attempt.registers;
  allocation.predicates = attempt.predicates;
  if (function.usesStack) allocation.registers = std::max(allocation.registers, isa::kStackRegister + 1);
  allocation.home[kStackWord] = isa::kStackRegister;
  return allocation;
}

}  // namespace

Allocation allocateRegisters(const MachineFunction& function, u32 wantedRegisters) {
  const ControlFlow flow = buildControlFlow(function);
  const Liveness liveness(function, flow);
  const std::vector<LiveRange> ranges = buildLiveRanges(function, flow, liveness);
  std::optional<Allocation> best;
  const auto attempt = [&](bool join, Order order) {
    const Clusters clusters(function, ranges, join);
    Allocation allocation = toAllocation(function, clusters, Allocator(function, clusters, order).run());
    if (!best || allocation.registers < best->registers) best = std::move(allocation);
  };
  attempt(true, Order::byStart);
  if (best->registers > wantedRegisters) attempt(true, Order::wideFirst);
  if (best->registers > wantedRegisters) attempt(false, Order::byStart);
  if (best->registers > wantedRegisters) attempt(false, Order::wideFirst);
  return std::move(*best);
}

Allocation allocateFreely(const MachineFunction& function, u32 wantedRegisters) {
  const ControlFlow flow = buildControlFlow(function);
  const Liveness liveness(function, flow);
  Clusters clusters(function, buildLiveRanges(function, flow, liveness), true);
  clusters.extend(reuseDelays(function, flow));
  Allocation allocation = toAllocation(function, clusters, Allocator(function, clusters, Order::byStart).run());
  return allocation.registers <= wantedRegisters ? allocation : allocateRegisters(function, wantedRegisters);
}

void applyAllocation(MachineFunction& function, const Allocation& allocation) {
  const auto rename = [&](isa::Operand& operand) {
    if (operand.kind == isa::Operand::Kind::reg) operand.index = allocation.home[operand.index];
    if (operand.kind == isa::Operand::Kind::predicate && operand.index >= kFirstVirtualPredicate)
      operand.index = allocation.home[function.unitOfPredicate(operand.index)];
  };
  for (MachineInstruction& instruction : function.code) {
    rename(instruction.guard);
    for (isa::Operand& operand : instruction.destinations) rename(operand);
    for (isa::Operand& operand : instruction.sources) rename(operand);
  }
}

void removeSelfCopies(MachineFunction& function) {
  for (MachineInstruction& instruction : function.code)
    if (instruction.opcode == isa::Opcode::mov && instruction.destinations[0] == instruction.sources[0]) becomeNop(instruction);
  removeNops(function);
}

}  // namespace warpwright::compiler
