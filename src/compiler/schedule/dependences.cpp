#include "compiler/schedule/dependences.hpp"

#include <algorithm>
#include <unordered_map>

#include "compiler/schedule/memory_order.hpp"

namespace warpwright::compiler {
namespace {

using isa::Effect;
using isa::Opcode;
using isa::Operand;
using isa::Space;

enum class Wall : u8 {
  none,
  memory,  // no access to memory and no meeting of lanes moves across it; arithmetic does
  full     // nothing moves across it
};

bool isUnorderedAccess(const MachineInstruction& instruction) {
  const isa::Ordering ordering = instruction.modifiers.ordering;
  return ordering == isa::Ordering::weak || ordering == isa::Ordering::relaxed;
}

// Floating-point divisions and roots of full precision: NVIDIA's assembler writes them with a branch, to a routine for operands that need
// one, and moves no access to memory across it.
bool branchesInside(const MachineInstruction& instruction) {
  const isa::Latency latency = isa::latencyOf(instruction);
  return latency == isa::Latency::divide32 || latency == isa::Latency::divide64;
}

Wall wallOf(const MachineInstruction& instruction) {
  const bool movesStack = isRegister(instruction.destinations[0]) && instruction.destinations[0].index == kStackWord;
  switch (isa::info(instruction.opcode).effect) {
    case Effect::all:
      return Wall::full;
    case Effect::orders:
      return Wall::memory;
    case Effect::reads:
    case Effect::writes:
      if (!isUnorderedAccess(instruction)) return Wall::memory;
      break;
    case Effect::none:
      if (branchesInside(instruction)) return Wall::memory;
      if (instruction.opcode == Opcode::s2r && instruction.modifiers.special >= isa::SpecialRegister::clock) return Wall::full;
      break;
    case Effect::meets:
      break;
  }
  return movesStack ? Wall::full : Wall::none;
}

bool isArithmetic(const MachineInstruction& instruction) {
  return isa::info(instruction.opcode).family == isa::Family::lane && wallOf(instruction) == Wall::none;
}

bool isStore(const MachineInstruction& instruction) { return isa::info(instruction.opcode).effect == Effect::writes; }

bool accessesMemory(const MachineInstruction& instruction) {
  const isa::Family family = isa::info(instruction.opcode).family;
  if (family == isa::Family::texture) return true;
  const Space space = instruction.modifiers.space;
  return family == isa::Family::memory && space != Space::constant && space != Space::param;
}

// The kernel parameter in the address.
Operand parameterOf(const MachineInstruction& instruction) {
  const std::size_t index = isa::info(instruction.opcode).sources.find('b');
  return index == std::string_view::npos ? Operand{} : instruction.sources[index];
}

MemoryAccess accessOf(const MachineInstruction& instruction) {
  const u32 bytes = isa::sizeOf(instruction.type) * instruction.vector;
  MemoryAccess access{.offset = instruction.offset, .bytes = bytes, .isStore = isStore(instruction)};
  if (isa::info(instruction.opcode).family == isa::Family::texture) return access;
  access.space = instruction.modifiers.space;
  if (instruction.symbol || instruction.addsFrame) return access;
  access.base = AddressBase{instruction.sources[0], parameterOf(instruction)};
  return access;
}

class DependenceFinder {
 public:
  DependenceFinder(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness)
      : function_(function), block_(block), liveness_(liveness), successors_(block.end - block.begin) {}

  std::vector<std::vector<Dependence>> run() {
    for (u32 i = 0; i < successors_.size(); ++i) {
      registers(i);
      const MachineInstruction& instruction = at(i);
      if (accessesMemory(instruction)) memory(i);
      if (isa::lanesMeet(instruction.opcode)) {
        if (lastMeeting_ != kNone) order(lastMeeting_, i);
        lastMeeting_ = i;
      }
      if (instruction.passesArgument) {
        if (lastArgument_ != kNone) order(lastArgument_, i);
        lastArgument_ = i;
      }
      const bool last = i + 1 == successors_.size();
      if (lastFullWall_ != kNone) order(lastFullWall_, i);
      if (lastWall_ != kNone && !isArithmetic(instruction)) order(lastWall_, i);
      const Wall wall = last && endsBlock(instruction) ? Wall::full : wallOf(instruction);
      if (wall != Wall::none) build(wall, i);
    }
    return std::move(successors_);
  }

 private:
  struct Unit {
    u32 writer = kNone;
    std::vector<u32> readers;
  };

  const MachineInstruction& at(u32 i) const { return function_.code[block_.begin + i]; }
  // Dependences are found by ascending `to`; of the same pair of instructions only the longest is kept.
  void add(u32 from, u32 to, u32 latency) {
    if (from == to) return;
    std::vector<Dependence>& list = successors_[from];
    if (list.empty() || list.back().to != to) list.push_back({to, 0});
    list.back().latency = std::max(list.back().latency, latency);
  }
  void order(u32 from, u32 to) { add(from, to, 1); }

  void registers(u32 i) {
    const MachineInstruction& instruction = at(i);
    const auto read = [&](u32 unit) {
      Unit& state = units_[unit];
      if (state.writer != kNone) add(state.writer, i, expectedLatency(at(state.writer)));
      state.readers.push_back(i);
    };
    forEachSourceUnit(function_, instruction, read);
    if (!liveness_.overwrites(block_.begin + i)) forEachDestinationUnit(function_, instruction, read);
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      Unit& state = units_[unit];
      if (state.writer != kNone) order(state.writer, i);
      for (const u32 reader : state.readers) add(reader, i, 0);
      state.readers.clear();
      state.writer = i;
    });
  }

  void memory(u32 i) {
    for (const u32 earlier : memory_.add(i, accessOf(at(i)))) order(earlier, i);
  }

  static bool endsBlock(const MachineInstruction& instruction) {
    return isa::info(instruction.opcode).family == isa::Family::control || instruction.endsThread;
  }

  void build(Wall wall, u32 i) {
    // What is before the last wall is before this one too; arithmetic is before full walls only.
    const u32 last = wall == Wall::full ? lastFullWall_ : lastWall_;
    for (u32 earlier = last == kNone ? 0 : last + 1; earlier < i; ++earlier)
      if (wall == Wall::full || !isArithmetic(at(earlier))) order(earlier, i);
    lastWall_ = i;
    if (wall == Wall::full) lastFullWall_ = i;
    memory_.clear();
  }

  const MachineFunction& function_;
  const BasicBlock& block_;
  const Liveness& liveness_;
  std::vector<std::vector<Dependence>> successors_;
  std::unordered_map<u32, Unit> units_;
  MemoryOrder memory_;
  u32 lastWall_ = kNone, lastFullWall_ = kNone, lastMeeting_ = kNone, lastArgument_ = kNone;
};

}  // namespace

std::vector<std::vector<Dependence>> findDependences(const MachineFunction& function, const BasicBlock& block, const Liveness& liveness) {
  return DependenceFinder(function, block, liveness).run();
}

u32 unitCycles(const MachineInstruction& instruction) { return accessesMemory(instruction) ? 2 : 1; }

u32 expectedLatency(const MachineInstruction& instruction) {
  switch (isa::latencyOf(instruction)) {
    case isa::Latency::memory:
      switch (instruction.modifiers.space) {
        case Space::shared:
          return 24;
        case Space::constant:
        case Space::param:
          return 8;
        default:
          return 200;
      }
    case isa::Latency::shuffle:
    case isa::Latency::vote:
    case isa::Latency::reduce:
      return 24;
    case isa::Latency::special:
    case isa::Latency::count:
    case isa::Latency::convert:
    case isa::Latency::convertInteger:
      return 16;
    case isa::Latency::divide:
    case isa::Latency::divide32:
    case isa::Latency::divide64:
      return 40;
    case isa::Latency::fma64:
      return 16;
    case isa::Latency::matrix:
    case isa::Latency::matrixInteger:
    case isa::Latency::matrix64:
      return 24;
    default:
      return 4;
  }
}

}  // namespace warpwright::compiler
