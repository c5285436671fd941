#include "compiler/registers/split_ranges.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "compiler/liveness.hpp"

namespace warpwright::compiler {
namespace {

using isa::Operand;

// A value is what one definition writes, or what enters a block. Values that must share a unit, or lie side by side, form a component.
class RangeSplitter {
 public:
  explicit RangeSplitter(MachineFunction& function)
      : function_(function), flow_(buildControlFlow(function)), liveness_(function, flow_), leaving_(flow_.blocks.size()) {}

  void run() {
    for (u32 b = 0; b < flow_.blocks.size(); ++b) {
      std::map<u32, u32>& entering = entering_.emplace_back();
      liveness_.liveIn(b).forEach([&](u32 unit) { entering[unit] = newValue(unit); });
    }
    valuesOf_.resize(function_.code.size());
    for (u32 b = 0; b < flow_.blocks.size(); ++b) walk(b);
    for (u32 b = 0; b < flow_.blocks.size(); ++b)
      for (const u32 successor : flow_.successors[b]) connect(b, successor);
    rename();
  }

 private:
  static constexpr u32 kOperands = 9;  // guard, sources, destinations
  using OperandValues = std::array<std::vector<u32>, kOperands>;

  static Operand& operandAt(MachineInstruction& instruction, u32 index) {
    if (index == 0) return instruction.guard;
    return index <= 4 ? instruction.sources[index - 1] : instruction.destinations[index - 5];
  }
  u32 wordsAt(const MachineInstruction& instruction, u32 index) const {
    if (index == 0) return 0;
    return index <= 4 ? sourceWords(function_, instruction, index - 1) : destinationWords(function_, instruction, index - 5);
  }
  // The units that an operand names; empty for the stack pointer and constants.
  std::vector<u32> unitsAt(MachineInstruction& instruction, u32 index) const {
    const Operand& operand = operandAt(instruction, index);
    if (operand.kind == Operand::Kind::predicate && operand.index >= kFirstVirtualPredicate)
      return {function_.unitOfPredicate(operand.index)};
    if (!isRegister(operand) || operand.index == kStackWord) return {};
    std::vector<u32> units(wordsAt(instruction, index));
    std::iota(units.begin(), units.end(), operand.index);
    return units;
  }

  u32 newValue(u32 unit) {
    parent_.push_back(static_cast<u32>(parent_.size()));
    unitOf_.push_back(unit);
    return parent_.back();
  }
  u32 find(u32 value) {
    while (parent_[value] != value) value = parent_[value] = parent_[parent_[value]];
    return value;
  }
  void join(u32 a, u32 b) { parent_[find(a)] = find(b); }

  void walk(u32 block) {
    std::map<u32, u32> current = entering_[block];
    const auto valueOf = [&](u32 unit) {
      const auto found = current.find(unit);
      return found != current.end() ? found->second : current[unit] = newValue(unit);
    };
    for (u32 i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
      MachineInstruction& instruction = function_.code[i];
      for (u32 o = 0; o < 5; ++o)
        for (const u32 unit : unitsAt(instruction, o)) valuesOf_[i][o].push_back(valueOf(unit));
      for (u32 o = 5; o < kOperands; ++o)
        for (const u32 unit : unitsAt(instruction, o)) {
          if (liveness_.overwrites(i)) current[unit] = newValue(unit);
          valuesOf_[i][o].push_back(valueOf(unit));
        }
      for (const std::vector<u32>& values : valuesOf_[i])
        for (u32 w = 1; w < values.size(); ++w) join(values[0], values[w]);
    }
    leaving_[block] = std::move(current);
  }

  void connect(u32 from, u32 to) {
    for (const auto& [unit, value] : entering_[to]) {
      const auto found = leaving_[from].find(unit);
      if (found != leaving_[from].end()) join(found->second, value);
    }
  }

  void rename() {
    struct Component {
      u32 lowest = kNone, highest = 0, alignment = 1, first = kNone;
    };
    std::map<u32, Component> components;  // by root
    const u32 oldWords = function_.words();
    for (u32 i = 0; i < function_.code.size(); ++i)
      for (const std::vector<u32>& values : valuesOf_[i]) {
        if (values.empty()) continue;
        Component& component = components[find(values[0])];
        const u32 alignment = values.size() > 2 ? 4 : static_cast<u32>(values.size());
        component.alignment = std::max(component.alignment, alignment);
        for (const u32 value : values) {
          component.lowest = std::min(component.lowest, unitOf_[value]);
          component.highest = std::max(component.highest, unitOf_[value]);
        }
      }
    function_.groups.resize(1);
    function_.groupOf.resize(1);
    function_.predicates = 0;
    function_.predicateHolds = kNone;
    for (u32 i = 0; i < function_.code.size(); ++i)
      for (u32 o = 0; o < kOperands; ++o) {
        const std::vector<u32>& values = valuesOf_[i][o];
        if (values.empty()) continue;
        Component& component = components[find(values[0])];
        const bool predicate = component.lowest >= oldWords;
        if (component.first == kNone)
          component.first =
              predicate ? function_.newPredicate() : function_.newGroup(component.highest - component.lowest + 1, component.alignment);
        operandAt(function_.code[i], o).index = component.first + (predicate ? 0 : unitOf_[values[0]] - component.lowest);
      }
  }

  MachineFunction& function_;
  ControlFlow flow_;
  Liveness liveness_;
  std::vector<std::map<u32, u32>> entering_, leaving_;  // per block: unit → value
  std::vector<OperandValues> valuesOf_;                 // per instruction
  std::vector<u32> parent_, unitOf_;                    // per value
};

}  // namespace

void splitRanges(MachineFunction& function) { RangeSplitter(function).run(); }

}  // namespace warpwright::compiler
