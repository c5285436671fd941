#include "sass/opcodes.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/nearest.hpp"

namespace warpwright::sass {
namespace {

constexpr OpcodeRow kOpcodeRows[] = {
#define WW_SASS(name, since, operation, type, form, space) \
  {name, since, isa::Opcode::operation, isa::DataType::type, Form::form, isa::Space::space},
#include "sass/opcodes.def"
};

// The newest meaning that the GPU knows; null: it has none.
const OpcodeRow* find(std::string_view name, u32 smVersion) {
  const OpcodeRow* found = nullptr;
  for (const OpcodeRow& row : kOpcodeRows)
    if (row.name == name && row.since <= smVersion) found = &row;
  return found;
}

[[noreturn]] void failUnknown(std::string_view name, u32 smVersion, const SourcePosition& where) {
  std::vector<std::string> known;
  for (const OpcodeRow& row : kOpcodeRows) {
    if (row.name == name)
      throw Error(fmt::format("sm_{} has no instruction {}: it came with sm_{}", smVersion, name, row.since), where,
                  "the header's '-binary version' is that of another GPU, or the line is damaged");
    known.emplace_back(row.name);
  }
  const std::string near = nearestName(name, known);
  throw Error(fmt::format("unknown opcode {}{}", name, near.empty() ? "" : fmt::format("; the nearest is {}", near)), where,
              "if the GPU has it, src/sass/opcodes.def needs a row for it (docs/sass-traces.md)");
}

}  // namespace

std::span<const OpcodeRow> opcodeRows() { return kOpcodeRows; }

const OpcodeRow& rowOf(std::string_view opcode, u32 smVersion, const SourcePosition& where) {
  const std::size_t dot = opcode.find('.');
  const std::string_view name = opcode.substr(0, dot);
  if (dot != std::string_view::npos) {
    const std::string_view withModifier = opcode.substr(0, opcode.find('.', dot + 1));
    if (const OpcodeRow* row = find(withModifier, smVersion)) return *row;
  }
  if (const OpcodeRow* row = find(name, smVersion)) return *row;
  failUnknown(name, smVersion, where);
}

}  // namespace warpwright::sass
