#include "exec/injector.hpp"

#include <algorithm>
#include <span>

#include "exec/grid.hpp"

namespace warpwright::exec {
namespace {

u64 mixed(u64 hash, u64 value) {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
  hash ^= hash >> 32;
  hash *= 0xd6e8'feb8'6659'fd93;
  return hash ^ hash >> 29;
}

// In [0, 1).
double asShare(u64 random) { return static_cast<double>(random >> 11) * 0x1p-53; }

LaneId laneOf(LaneMask lanes, u64 random) {
  u64 left = random % lanes.size();
  for (const LaneId lane : lanes)
    if (left-- == 0) return lane;
  return lanes.least();
}

std::span<const InjectionPoint> pointsOf(const InjectionPlan& plan, u64 launch) {
  const auto first = std::ranges::lower_bound(plan.at, launch, {}, &InjectionPoint::launch);
  const auto last = std::ranges::upper_bound(plan.at, launch, {}, &InjectionPoint::launch);
  return {first, last};
}

// What the compiler adds for routines beside the program: places are those of the program's own instructions.
bool isPoint(const Op& op) { return op.instruction != nullptr && op.instruction->opcode == isa::Opcode::point; }

// A register or a predicate that an instruction writes, and its bits.
struct Written {
  LaneOperand operand;
  u32 bits = 0;
};

}  // namespace

Injector::Injector(const InjectionPlan& plan, u64 launch) : plan_(plan), launch_(launch) {}

bool Injector::isNeeded(const InjectionPlan* plan, u64 launch) {
  return plan != nullptr && (plan->rate > 0 || plan->choose > 0 || !pointsOf(*plan, launch).empty());
}

// Of each event 64 bits that depend on the seed and on the event alone.
u64 Injector::random(const InjectionPoint& point, u32 number) const {
  u64 hash = mixed(plan_.seed, point.launch);
  hash = mixed(hash, point.block);
  hash = mixed(hash, u64{point.warp} << 8 | static_cast<u64>(point.target));
  return mixed(mixed(hash, point.event), number);
}

// An event of so many lanes has a fault from the rate u / lanes on, with u evenly spread: at a low rate the faults of an event are then as
// many, on average, as those of its lanes. The events with the lowest such rates are a sample in which each lane counts alike.
bool Injector::isDue(const InjectionPoint& point, u32 lanes) {
  if (!plan_.at.empty() && std::ranges::binary_search(plan_.at, point)) return true;
  if ((plan_.rate == 0 && plan_.choose == 0) || !plan_.has(point.target)) return false;
  const double rate = asShare(random(point, 0)) / lanes;
  if (plan_.choose == 0) return rate < plan_.rate;
  std::vector<InjectionCandidate>& chosen = result_.candidates;
  const InjectionCandidate candidate{rate, point};
  if (chosen.size() == plan_.choose) {
    if (chosen.front() < candidate) return false;
    std::ranges::pop_heap(chosen);
    chosen.pop_back();
  }
  chosen.push_back(candidate);
  std::ranges::push_heap(chosen);
  return false;
}

void Injector::issues(Grid& grid, Block& block, Warp& warp, Pc pc, LaneMask executing) {
  if (warp.isHelper || isPoint(grid.kernel.at(pc))) return;
  const u64 event = warp.issues++;
  if (executing.empty()) return;
  const auto isDueIn = [&](InjectionTarget target) { return isDue({launch_, block.index, warp.index, target, event}, executing.size()); };
  const auto faultIn = [&](InjectionTarget target) {
    return InjectedFault{.at = {launch_, block.index, warp.index, target, event}, .pc = pc};
  };
  if (grid.kernel.registers() != 0 && isDueIn(InjectionTarget::reg)) flipRegister(grid, warp, faultIn(InjectionTarget::reg));
  if (block.sharedBytes != 0 && isDueIn(InjectionTarget::shared)) flipShared(grid, block, faultIn(InjectionTarget::shared));
  if (isDueIn(InjectionTarget::global)) flipGlobal(grid, faultIn(InjectionTarget::global));
}

void Injector::hasWritten(Grid& grid, u64 block, Warp& warp, const Op& op, Pc pc, LaneMask written) {
  if (warp.isHelper || written.empty() || isPoint(op)) return;
  const InjectionPoint point{launch_, block, warp.index, InjectionTarget::result, warp.results++};
  if (isDue(point, written.size())) flipResult(grid, warp, op, written, {.at = point, .pc = pc});
}

void Injector::flipResult(Grid& grid, Warp& warp, const Op& op, LaneMask written, InjectedFault fault) {
  const std::string_view letters = isa::info(op.instruction->opcode).destinations;
  std::array<Written, 4> all;
  u32 bits = 0;
  for (u32 i = 0; i < letters.size(); ++i) {
    if (!op.destinations[i].present) continue;
    const bool isPredicate = op.destinations[i].bank == LaneOperand::Bank::predicate;
    const u32 words = std::max(1u, isa::operandWords(*op.instruction, letters[i], grid.addressBits));
    all[i] = {op.destinations[i], isPredicate ? 1 : words * 32};
    bits += all[i].bits;
  }
  if (bits == 0) return;
  const LaneId lane = laneOf(written, random(fault.at, 1));
  u32 bit = static_cast<u32>(random(fault.at, 2) % bits);
  const Written* hit = all.data();
  while (bit >= hit->bits) bit -= (hit++)->bits;
  fault.thread = threadOf(grid.request, warp, lane);
  fault.isPredicate = hit->operand.bank == LaneOperand::Bank::predicate;
  if (fault.isPredicate) {
    fault.place = hit->operand.offset;
    warp.predicates[hit->operand.offset] = warp.predicates[hit->operand.offset] ^ LaneMask::of(lane);
  } else {
    fault.place = hit->operand.offset / grid.lanes + bit / 32;
    fault.bit = bit % 32;
    warp.state.registers[hit->operand.offset + bit / 32 * grid.lanes + lane] ^= u32{1} << fault.bit;
  }
  result_.faults.push_back(fault);
}

void Injector::flipRegister(Grid& grid, Warp& warp, InjectedFault fault) {
  const LaneId lane = laneOf(warp.existing, random(fault.at, 1));
  fault.thread = threadOf(grid.request, warp, lane);
  fault.place = random(fault.at, 2) % grid.kernel.registers();
  fault.bit = static_cast<u32>(random(fault.at, 3) % 32);
  warp.state.registers[fault.place * grid.lanes + lane] ^= u32{1} << fault.bit;
  result_.faults.push_back(fault);
}

void Injector::flipShared(Grid& grid, Block& block, InjectedFault fault) {
  fault.place = random(fault.at, 1) % block.sharedBytes;
  fault.bit = static_cast<u32>(random(fault.at, 2) % 8);
  reinterpret_cast<u8*>(block.shared.data())[fault.place] ^= static_cast<u8>(1 << fault.bit);
  ++grid.progress.changes;
  result_.faults.push_back(fault);
}

// As a store of the SM would change it, where several run at once.
void Injector::flipGlobal(Grid& grid, InjectedFault fault) {
  std::vector<Allocation> all = grid.memory.live();
  std::erase_if(all, [](const Allocation& each) { return each.kind == AllocationKind::host; });
  u64 bytes = 0;
  for (const Allocation& each : all) bytes += each.size;
  if (bytes == 0) return;
  u64 offset = random(fault.at, 1) % bytes;
  auto hit = all.begin();
  while (offset >= hit->size) offset -= (hit++)->size;
  const GlobalAddress address = hit->address + offset;
  fault.place = u64{address};
  fault.bit = static_cast<u32>(random(fault.at, 2) % 8);
  auto* const byte = reinterpret_cast<u8*>(GlobalMemory::hostPointer(address));
  u8 value = *byte;
  if (grid.separate) grid.separate->stores.patch(address, 1, &value);
  value ^= static_cast<u8>(1 << fault.bit);
  if (grid.separate) {
    grid.separate->stores.store(address, 1, &value);
  } else {
    *byte = value;
  }
  ++grid.progress.changes;
  result_.faults.push_back(fault);
}

InjectionResult Injector::take() { return std::move(result_); }

}  // namespace warpwright::exec
