#include "compiler/analysis/function_notes.hpp"

#include <algorithm>

#include "base/memory_units.hpp"
#include "compiler/argument_registers.hpp"
#include "compiler/layout.hpp"

namespace warpwright::compiler {
namespace {

// area: where the arguments or the results begin in the parameter area.
PassedValue passedValue(const ptx::Variable& variable, u64 offset, u64 area) {
  PassedValue value{variable.name, variable.size, std::nullopt};
  const u64 first = (offset - area) / kWordBytes, end = (offset - area + variable.size + kWordBytes - 1) / kWordBytes;
  if (end <= kArgumentWords) value.firstRegister = kFirstArgumentRegister + static_cast<u32>(first);
  return value;
}

class FunctionNotes final : public Analysis {
 public:
  std::vector<u32> mark(const MachineFunction& function) override {
    if (!function.source().pragmas.empty()) notes_.push_back(noteOf(function));
    return std::vector<u32>(function.code.size());
  }
  std::any table() override { return std::move(notes_); }

 private:
  static FunctionNote noteOf(const MachineFunction& function) {
    const ptx::Function& source = function.source();
    FunctionNote note{source.name, {function.module->sourceName, source.line, source.column}, {}, {}, {}};
    for (const ptx::Pragma& pragma : source.pragmas) note.pragmas.push_back(pragma.text);
    const SignatureLayout layout = layOutSignature(source.parameters, source.returns);
    for (std::size_t i = 0; i < source.parameters.size(); ++i)
      note.arguments.push_back(passedValue(source.parameters[i], layout.parameters[i], 0));
    for (std::size_t i = 0; i < source.returns.size(); ++i)
      note.results.push_back(passedValue(source.returns[i], layout.returns[i], layout.returns.front()));
    return note;
  }

  std::vector<FunctionNote> notes_;
};

}  // namespace

bool isEnteredWithoutCall(const ptx::Function& function) {
  return std::ranges::any_of(function.pragmas, [](const ptx::Pragma& pragma) { return pragma.text.starts_with("assist "); });
}

const AnalysisKind kFunctionNotes{"function-notes", [] { return std::unique_ptr<Analysis>(std::make_unique<FunctionNotes>()); }};

const std::vector<FunctionNote>& functionNotes(const isa::Program& program) {
  static const std::vector<FunctionNote> kNoNotes;
  const auto marks = program.marks.find(kFunctionNotes.name);
  if (marks == program.marks.end()) return kNoNotes;
  const auto* notes = std::any_cast<std::vector<FunctionNote>>(&marks->second.table);
  return notes != nullptr ? *notes : kNoNotes;
}

}  // namespace warpwright::compiler
