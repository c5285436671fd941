#include "compiler/analysis/shared_layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"

namespace warpwright::compiler {
namespace {

constexpr std::string_view kPragma = "shared_layout";

bool isAccess(isa::Opcode opcode) { return opcode == isa::Opcode::ld || opcode == isa::Opcode::st || opcode == isa::Opcode::atom; }

class SharedLayouts final : public Analysis {
 public:
  std::vector<u32> mark(const MachineFunction& function) override {
    std::vector<u32> marks(function.code.size());
    for (const ptx::Pragma& pragma : function.source().pragmas)
      if (pragma.text.starts_with(kPragma)) markNext(function, pragma, marks);
    return marks;
  }

 private:
  [[noreturn]] static void refuse(const MachineFunction& function, const ptx::Pragma& pragma, const char* what) {
    const ptx::Function& source = function.source();
    throw Error(fmt::format("the pragma \"{}\" in '{}' {}", pragma.text, source.name, what),
                {function.module->sourceName, source.line, source.column},
                fmt::format("write .pragma \"{} S\"; in front of a load, a store or an atomic of shared memory, with S from 0 to {}",
                            kPragma, kMostSharedLayout));
  }

  static u32 familyOf(const MachineFunction& function, const ptx::Pragma& pragma) {
    const std::string_view text = std::string_view(pragma.text).substr(kPragma.size());
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    u32 family = 0;
    const auto [end, failed] = std::from_chars(text.data() + begin, text.data() + text.size(), family);
    if (begin == 0 || failed != std::errc{} || end != text.data() + text.size() || family > kMostSharedLayout)
      refuse(function, pragma, "names no layout");
    return family;
  }

  // An instruction of PTX may have become several, and loops may have been unrolled.
  static void markNext(const MachineFunction& function, const ptx::Pragma& pragma, std::vector<u32>& marks) {
    const u32 mark = 1 + familyOf(function, pragma);
    bool any = false;
    for (std::size_t i = 0; i < function.code.size(); ++i) {
      const MachineInstruction& instruction = function.code[i];
      if (instruction.origin != pragma.position || !isAccess(instruction.opcode) || instruction.modifiers.space != isa::Space::shared)
        continue;
      marks[i] = mark;
      any = true;
    }
    if (!any) refuse(function, pragma, "stands before no access to shared memory");
  }
};

}  // namespace

const AnalysisKind kSharedLayouts{"named-layouts", [] { return std::unique_ptr<Analysis>(std::make_unique<SharedLayouts>()); }};

const std::vector<u32>& sharedLayouts(const isa::Program& program) {
  static const std::vector<u32> kNoLayouts;
  const auto marks = program.marks.find(kSharedLayouts.name);
  return marks == program.marks.end() ? kNoLayouts : marks->second.of;
}

}  // namespace warpwright::compiler
