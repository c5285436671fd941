// What registers hold before allocation, as forms over the indices of a thread in its grid: the use-def chains behind addresses, followed
// on demand.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "compiler/analysis/loops.hpp"
#include "compiler/patterns/access_pattern.hpp"

namespace warpwright::compiler {

// A word holds the low bits of the form, or bits 32 to 63 of it; a pair of words the form.
struct UnitValue {
  Form form;
  bool isHigh = false;
  std::vector<u32> checks;  // PatternVocabulary::checks, in ascending order

  bool operator==(const UnitValue&) const = default;
};

// A value for each path, or why there is none.
struct UnitVersions {
  std::vector<UnitValue> values;
  PatternFailure failure = PatternFailure::none;
  isa::Opcode obstacle = isa::Opcode::nop;

  bool isKnown() const { return failure == PatternFailure::none; }
  bool operator==(const UnitVersions&) const = default;
  static UnitVersions fail(PatternFailure failure, isa::Opcode obstacle = isa::Opcode::nop) { return {{}, failure, obstacle}; }
};

class UnitValues {
 public:
  explicit UnitValues(const MachineFunction& function);

  // Of a source of an instruction; where it is absent, 0.
  UnitVersions source(const MachineInstruction& instruction, u32 index);
  UnitVersions sum(const UnitVersions& a, const UnitVersions& b, u64 factor = 1);
  UnitVersions number(s64 value) const { return {{{Form::constant(value), false, {}}}}; }
  UnitVersions variable(const isa::SymbolAddress& symbol);

  PatternVocabulary vocabulary() const { return {forms_.values(), checks_}; }

 private:
  struct Definition {
    u32 position = 0, operand = 0;
  };
  // What an update adds to a register once in each iteration of a loop.
  struct Growth {
    u32 loop = 0, update = 0;  // Loops::loops, position
    UnitVersions step;
  };
  using Combine = std::function<UnitVersions(const UnitValue&, const UnitValue&)>;

  // unit_values.cpp
  bool isPair(u32 first) const;
  UnitVersions word(u32 position, u32 unit);
  UnitVersions pair(u32 position, u32 first);
  UnitVersions joinWords(const UnitVersions& low, const UnitVersions& high);
  Form lowWord(const Form& form);
  Form signsOf(const Form& form);
  const NamedValue* leafOf(const Form& form) const;
  UnitVersions resolve(u32 unit);
  UnitVersions resolveSeveral(u32 unit);
  bool mentions(const Form& form, const std::function<bool(isa::ThreadSymbol)>& is) const;
  const NamedValue* valueOf(isa::ThreadSymbol symbol) const;
  bool isSame(const Form& form) const;
  bool countsIterations(const UnitVersions& versions) const;
  bool isUnfinished(const UnitVersions& versions) const;

  // loop_values.cpp
  UnitVersions seenAt(u32 position, u32 unit, UnitVersions versions);
  std::optional<Form> outsideOfLoops(const Form& form, u32 position, u32 unit);
  bool comesBefore(u32 earlier, u32 later) const;
  bool mayFollow(u32 earlier, u32 later, u32 header) const;
  UnitVersions grown(u32 unit, u32 position, const UnitVersions& step, const std::vector<u32>& beginnings);
  bool runsOnce(u32 loop, u32 position) const;
  u32 innermostLoop(u32 position) const;
  bool contains(u32 loop, u32 position) const;
  bool isBehind(u32 position, u32 loop);

  // transitions.cpp
  UnitVersions result(const MachineInstruction& instruction, u32 operand);
  UnitVersions computed(const MachineInstruction& instruction);
  UnitVersions special(isa::SpecialRegister which);
  UnitVersions loaded(const MachineInstruction& instruction);
  UnitVersions converted(const MachineInstruction& instruction);
  UnitVersions added(const MachineInstruction& instruction, u64 factor);
  UnitVersions carried(const MachineInstruction& instruction, u64 factor);
  UnitVersions multiplied(const MachineInstruction& instruction, bool isWide);
  UnitVersions shiftedLeft(const MachineInstruction& instruction);
  UnitVersions shiftedRight(const MachineInstruction& instruction);
  UnitVersions logic(const MachineInstruction& instruction);
  UnitVersions divided(const MachineInstruction& instruction);
  UnitVersions extracted(const MachineInstruction& instruction);
  UnitVersions leaf(NamedValue::Operation operation, u64 number, u32 bytes = 0);
  UnitVersions operand(const MachineInstruction& instruction, u32 index);

  // versions.cpp
  UnitVersions each(const UnitVersions& a, const UnitVersions& b, const Combine& combine) const;
  UnitVersions both(UnitVersions a, const UnitVersions& b) const;
  UnitVersions formed(Form form, const UnitValue& a, const UnitValue& b) const;
  UnitVersions product(const UnitVersions& a, const UnitVersions& b);
  UnitVersions quotientOf(NamedValue::Operation operation, const UnitVersions& a, const UnitVersions& b);
  UnitVersions derived(NamedValue::Operation operation, const UnitVersions& a, const UnitVersions& b);
  UnitVersions conjunction(const UnitVersions& a, const UnitVersions& b, u32 bytes);
  UnitVersions extend(UnitVersions versions, u32 bytes, bool isSigned);

  const MachineFunction& function_;
  ControlFlow flow_;
  Loops loops_;
  DominatorTree dominators_;
  AddressForms forms_{4};
  std::vector<RangeCheck> checks_;
  std::vector<std::vector<Definition>> definitions_;  // by unit
  std::map<u32, UnitVersions> found_;                 // by unit
  std::map<u32, std::vector<Growth>> growth_;         // by unit
  std::set<u32> unfinished_;                          // units
  std::map<u32, std::vector<bool>> reached_;          // by loop: blocks
  u32 depth_ = 0, steps_ = 0;
};

}  // namespace warpwright::compiler
