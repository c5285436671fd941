#include "compiler/registers/spill_slots.hpp"

#include <algorithm>
#include <map>

#include "compiler/layout.hpp"
#include "compiler/live_ranges.hpp"
#include "compiler/registers/code_editor.hpp"
#include "compiler/registers/slot_liveness.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

MachineInstruction storeOf(const MachineFunction& function, u32 unit, u32 words, const MachineInstruction& neighbour) {
  MachineInstruction result = addedInstruction(neighbour, Role::store, Opcode::st, words == 2 ? DataType::u64 : DataType::u32);
  result.spill = true;
  result.modifiers.space = isa::Space::local;
  result.sources = {spillBase(function), Operand::makeRegister(unit), Operand{}, Operand{}};
  return result;
}

MachineInstruction holdOf(const MachineFunction& function, u32 unit, const MachineInstruction& neighbour) {
  const u32 index = unit - function.words();
  MachineInstruction result = addedInstruction(neighbour, Role::hold, Opcode::selp, DataType::u32);
  result.destinations[0] = Operand::makeRegister(function.predicateHolds + index);
  result.sources = {Operand::makeImmediate(1), Operand::makeImmediate(0), Operand::makePredicate(kFirstVirtualPredicate + index),
                    Operand{}};
  return result;
}

// Behind a call of a device function the stack pointer still has to step back.
u32 storePosition(const MachineFunction& function, u32 position) {
  return isCall(function.code[position]) && !function.source().isKernel ? position + 1 : position;
}

void storeBehind(const MachineFunction& function, CodeEditor& editor, u32 position, std::vector<u32> units) {
  std::sort(units.begin(), units.end());
  const MachineInstruction& neighbour = function.code[position];
  const u32 behind = storePosition(function, position);
  for (u32 i = 0; i < units.size(); ++i) {
    if (units[i] >= function.words()) {
      editor.after(behind, holdOf(function, units[i], neighbour));
      continue;
    }
    const bool pair = i + 1 < units.size() && units[i + 1] == units[i] + 1 && formsPair(function, units[i]);
    editor.after(behind, storeOf(function, units[i], pair ? 2 : 1, neighbour));
    i += pair;
  }
}

}  // namespace

bool formsPair(const MachineFunction& function, u32 unit) {
  const RegisterGroup& group = function.groups[function.groupOf[unit]];
  return group.alignment >= 2 && (unit - group.first) % 2 == 0 && unit + 1 < group.first + group.words;
}

Operand spillBase(const MachineFunction& function) { return function.source().isKernel ? Operand{} : Operand::makeRegister(kStackWord); }

void placeStores(MachineFunction& function, UnitClass unitClass) {
  const ControlFlow flow = buildControlFlow(function);
  const SlotLiveness liveness(function, flow, unitClass);
  CodeEditor editor(function, flow);
  for (u32 b = 0; b < flow.blocks.size(); ++b)
    liveness.walkBackward(b, [&](u32 position, const NumberSet& live) {
      const Role role = function.code[position].role;
      if (role == Role::reload || role == Role::restore || role == Role::rematerialised) return;
      std::vector<u32> stored;
      forEachDestinationUnit(function, function.code[position], [&](u32 unit) {
        if (live.test(unit)) stored.push_back(unit);
      });
      storeBehind(function, editor, position, std::move(stored));
    });
  editor.apply();
}

namespace {

// Slots that units take in turn: a unit's slot is taken where a reload may still read it.
class SlotAssignment {
 public:
  explicit SlotAssignment(MachineFunction& function)
      : function_(function), flow_(buildControlFlow(function)), liveness_(function, flow_, UnitClass::words) {}

  u32 run() {
    findRanges();
    const u64 base = alignUp(function_.frameBytes, 8);
    for (MachineInstruction& instruction : function_.code) {
      if (instruction.role != Role::reload && instruction.role != Role::store) continue;
      instruction.offset = static_cast<s64>(base + 4 * slotOf(accessedUnit(instruction)));
    }
    if (!taken_.empty()) function_.frameBytes = alignUp(base + 4 * taken_.size(), kFrameAlignment);
    return static_cast<u32>(taken_.size());
  }

 private:
  static u32 accessedUnit(const MachineInstruction& access) {
    return access.role == Role::reload ? access.destinations[0].index : access.sources[1].index;
  }

  void findRanges() {
    ranges_.resize(function_.words());
    for (u32 b = 0; b < flow_.blocks.size(); ++b)
      liveness_.walkBackward(b, [&](u32 position, const NumberSet& live) {
        live.forEach([&](u32 unit) {
          if (unit < function_.words()) extend(ranges_[unit], position);
        });
      });
    for (LiveRange& range : ranges_) {
      std::sort(range.begin(), range.end(), [](const Segment& a, const Segment& b) { return a.begin < b.begin; });
      range = unite(range, {});
    }
  }
  static void extend(LiveRange& range, u32 position) {
    if (!range.empty() && range.back().begin == position + 1)
      range.back().begin = position;
    else if (range.empty() || range.back().begin != position)
      range.push_back({position, position + 1});
  }

  u32 slotOf(u32 unit) {
    const auto found = slots_.find(unit);
    if (found != slots_.end()) return found->second;
    const bool second = unit > 0 && formsPair(function_, unit - 1) && function_.groupOf[unit - 1] == function_.groupOf[unit];
    const u32 first = second ? unit - 1 : unit;
    const u32 words = formsPair(function_, first) ? 2 : 1;
    u32 slot = 0;
    while (!isFree(slot, first, words)) slot += words;
    for (u32 w = 0; w < words; ++w) {
      if (taken_.size() <= slot + w) taken_.resize(slot + w + 1);
      taken_[slot + w] = unite(taken_[slot + w], ranges_[first + w]);
      slots_[first + w] = slot + w;
    }
    return slots_[unit];
  }
  bool isFree(u32 slot, u32 unit, u32 words) const {
    for (u32 w = 0; w < words; ++w)
      if (slot + w < taken_.size() && overlap(taken_[slot + w], ranges_[unit + w])) return false;
    return true;
  }

  MachineFunction& function_;
  ControlFlow flow_;
  SlotLiveness liveness_;
  std::vector<LiveRange> ranges_;  // per word, in positions: the slot is taken behind the instruction
  std::vector<LiveRange> taken_;   // per slot
  std::map<u32, u32> slots_;       // unit → slot
};

}  // namespace

u32 assignSlots(MachineFunction& function) { return SlotAssignment(function).run(); }

}  // namespace warpwright::compiler
