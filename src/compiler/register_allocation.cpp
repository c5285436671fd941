#include "compiler/register_allocation.hpp"

#include <algorithm>

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
  bool fits = true;
};

// Registers are searched beyond the limit as well, so that the error can say how many it would take.
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
    for (const u32 c : sequence_) {
      if ((c >= groups_) != predicates || c == function_.groupOf[kStackWord]) continue;
      const Clusters::Cluster& cluster = clusters_.cluster(c);
      for (u32 base = 0; base + cluster.words <= limit; base += cluster.alignment) {
        if (!isFree(cluster, base, predicates, at)) continue;
        attempt_.base[c] = base;
        for (u32 w = 0; w < cluster.words; ++w) at(base + w).take(0, cluster.ranges[w]);
        used = std::max(used, base + cluster.words);
        break;
      }
      attempt_.fits &= attempt_.base[c] != kNone;
    }
  }

  template <class At>
  bool isFree(const Clusters::Cluster& cluster, u32 base, bool predicates, At&& at) const {
    for (u32 w = 0; w < cluster.words; ++w) {
      const bool reserved = !predicates && function_.usesStack && base + w == isa::kStackRegister;
      if (reserved || !at(base + w).isFree(0, cluster.ranges[w])) return false;
    }
    return true;
  }

  const MachineFunction& function_;
  const Clusters& clusters_;
  u32 groups_;
  std::vector<u32> sequence_;
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
    if (instruction.opcode == isa::Opcode::mov && instruction.destinations[0] == instruction.sources[0])
      instruction.opcode = isa::Opcode::nop;
  removeNops(function);
}

}  // namespace warpwright::compiler
