#include "compiler/patterns/access_pattern.hpp"

#include "compiler/patterns/unit_values.hpp"

namespace warpwright::compiler {
namespace {

constexpr std::string_view kName = "access patterns";

// Of the address: the register's value, the displacement, and the kernel parameter that is added.
UnitVersions addressOf(const MachineInstruction& instruction, UnitValues& values) {
  // What lies beyond the frame, where arguments of calls are.
  if (instruction.addsFrame) return UnitVersions::fail(PatternFailure::argument);
  const u32 parameter = instruction.opcode == isa::Opcode::ld ? 1 : 2;
  UnitVersions address = values.source(instruction, 0);
  address = values.sum(address, values.source(instruction, parameter));
  address = values.sum(address, values.number(instruction.offset));
  const bool isMoved = instruction.symbol && instruction.symbol->operand == isa::CodeRelocation::kOffsetOperand;
  return isMoved ? values.sum(address, values.variable(instruction.symbol->address)) : address;
}

bool isAccess(const MachineInstruction& instruction) {
  const isa::Space space = instruction.modifiers.space;
  const bool isMemory = space == isa::Space::global || space == isa::Space::local || space == isa::Space::generic;
  return isMemory && !instruction.spill && (instruction.opcode == isa::Opcode::ld || instruction.opcode == isa::Opcode::st);
}

AccessPattern patternOf(const MachineFunction& function, u32 position, UnitValues& values) {
  const MachineInstruction& instruction = function.code[position];
  AccessPattern pattern;
  pattern.isLoad = instruction.opcode == isa::Opcode::ld;
  pattern.space = instruction.modifiers.space;
  pattern.bytes = isa::sizeOf(instruction.type) * instruction.vector;
  const UnitVersions address = addressOf(instruction, values);
  pattern.failure = address.failure;
  pattern.obstacle = address.obstacle;
  for (const UnitValue& value : address.values) pattern.versions.push_back({value.form, value.checks});
  return pattern;
}

class AccessPatternAnalysis final : public Analysis {
 public:
  std::vector<u32> mark(const MachineFunction& function) override {
    std::vector<u32> marks(function.code.size());
    UnitValues values(function);
    const std::size_t first = table_.patterns.size();
    for (u32 i = 0; i < function.code.size(); ++i) {
      if (!isAccess(function.code[i])) continue;
      table_.patterns.push_back(patternOf(function, i, values));
      marks[i] = static_cast<u32>(table_.patterns.size());
    }
    const auto vocabulary = std::make_shared<const PatternVocabulary>(values.vocabulary());
    for (std::size_t i = first; i < table_.patterns.size(); ++i) table_.patterns[i].vocabulary = vocabulary;
    return marks;
  }
  std::any table() override { return table_; }

 private:
  AccessPatterns table_;
};

}  // namespace

const AnalysisKind kAccessPatterns{kName, [] { return std::unique_ptr<Analysis>(std::make_unique<AccessPatternAnalysis>()); }};

const AccessPattern* patternAt(const isa::Program& program, Pc pc) {
  const auto marks = program.marks.find(kName);
  if (marks == program.marks.end() || pc >= marks->second.of.size() || marks->second.of[pc] == 0) return nullptr;
  const auto* table = std::any_cast<AccessPatterns>(&marks->second.table);
  return table == nullptr ? nullptr : &table->patterns[marks->second.of[pc] - 1];
}

std::string_view textOf(PatternFailure failure) {
  switch (failure) {
    case PatternFailure::none:
      break;
    case PatternFailure::loaded:
      return "the address depends on a value that the program loads";
    case PatternFailure::exchanged:
      return "the address depends on what lanes exchange, or on a number that is no place in the grid";
    case PatternFailure::argument:
      return "the address depends on an argument of a function, or on what a call gives back";
    case PatternFailure::privateSpace:
      return "the address is a generic one of memory of the thread's own";
    case PatternFailure::operation:
      return "the address depends on an operation that no skeleton has";
    case PatternFailure::step:
      return "a loop changes the address otherwise than by one step for all threads in each iteration";
    case PatternFailure::tooComplex:
      return "the address is made of more than the compiler keeps";
    case PatternFailure::wraps:
      return "integers on the way to the address may overflow";
    case PatternFailure::product:
      return "the address is a product of indices";
    case PatternFailure::composition:
      return "indices, and bits of indices, make an address of neither skeleton";
    case PatternFailure::versions:
      return "the address depends on the path through the program";
  }
  return "";
}

}  // namespace warpwright::compiler
