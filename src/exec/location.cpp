#include "exec/location.hpp"

#include <fmt/format.h>

namespace warpwright::exec {
namespace {

// What the compiler adds, to save registers at a function's beginning for one, has no line: it stands where the next instruction of the
// function does that has one, or else the last before it.
Pc nearestWithLine(const isa::Program& program, Pc pc) {
  const isa::Function* const function = program.functionAt(pc);
  if (!function) return pc;
  const auto hasLine = [&](Pc at) { return program.code[at].sourceLine != 0 || program.code[at].ptxLine != 0; };
  for (Pc at = pc; at < function->end; ++at)
    if (hasLine(at)) return at;
  for (Pc at = pc; at > function->begin;) {
    at = previous(at);
    if (hasLine(at)) return at;
  }
  return pc;
}

}  // namespace

SourcePosition positionOf(const isa::Program& program, Pc pc) {
  if (pc >= program.code.size()) return {program.sourceName};
  const isa::Instruction& instruction = program.code[pc];
  const auto file = program.files.find(instruction.sourceFile);
  if (instruction.sourceLine != 0 && file != program.files.end()) return {file->second, instruction.sourceLine};
  return {program.sourceName, instruction.ptxLine};
}

std::string locationOf(const isa::Program& program, Pc pc) {
  const SourcePosition position = positionOf(program, nearestWithLine(program, pc));
  if (position.line == 0) return fmt::format("instruction {}", pc);
  return fmt::format("{}:{}", position.file.empty() ? "PTX line" : position.file, position.line);
}

std::string ptxOf(const isa::Program& program, Pc pc) {
  if (pc >= program.ptxOf.size() || program.ptxOf[pc] >= program.ptxText.size()) return {};
  return program.ptxText[program.ptxOf[pc]];
}

}  // namespace warpwright::exec
