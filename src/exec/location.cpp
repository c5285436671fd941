#include "exec/location.hpp"

#include <fmt/format.h>

namespace warpwright::exec {

SourcePosition positionOf(const isa::Program& program, u32 pc) {
  if (pc >= program.code.size()) return {program.sourceName};
  const isa::Instruction& instruction = program.code[pc];
  const auto file = program.files.find(instruction.sourceFile);
  if (instruction.sourceLine != 0 && file != program.files.end()) return {file->second, instruction.sourceLine};
  return {program.sourceName, instruction.ptxLine};
}

std::string placeOf(const isa::Program& program, u32 pc) {
  const SourcePosition position = positionOf(program, pc);
  if (position.line == 0) return fmt::format("instruction {}", pc);
  return fmt::format("{}:{}", position.file.empty() ? "PTX line" : position.file, position.line);
}

std::string ptxOf(const isa::Program& program, u32 pc) {
  if (pc >= program.ptxOf.size() || program.ptxOf[pc] >= program.ptxText.size()) return {};
  return program.ptxText[program.ptxOf[pc]];
}

}  // namespace warpwright::exec
