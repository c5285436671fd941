#include "isa/verify.hpp"

#include <fmt/format.h>

#include <cctype>

#include "isa/disassembler.hpp"
#include "isa/evaluate.hpp"

namespace warpwright::isa {
namespace {

bool isOptional(char letter) { return std::islower(static_cast<unsigned char>(letter)) != 0; }

// Why the operand does not fit the letter; empty when it does.
std::string operandProblem(const Instruction& instruction, char letter, const Operand& operand, u32 addressBits, bool isDestination) {
  if (operand.kind == Operand::Kind::none) return isOptional(letter) ? "" : "is missing";
  const DataType type = operandType(instruction, letter, addressBits);
  if (type == DataType::none) return "has no type";
  if (letter == 'b') return operand.kind == Operand::Kind::param ? "" : "is not a parameter";
  const bool isConstant = operand.kind == Operand::Kind::immediate || operand.kind == Operand::Kind::param;
  if (isDestination && isConstant) return "is a constant";
  if (type == DataType::pred) {
    if (operand.kind != Operand::Kind::predicate) return "is not a predicate";
    if (isDestination && operand.negated) return "is negated";
    return isDestination && operand.index == kTruePredicate ? "is the constant predicate" : "";
  }
  if (operand.kind == Operand::Kind::predicate) return "is a predicate";
  if (operand.negated) return "is negated";
  return "";
}

std::string operandProblems(const Instruction& instruction, u32 addressBits) {
  const OpcodeInfo& row = info(instruction.opcode);
  const auto check = [&](std::string_view letters, const std::array<Operand, 4>& operands, bool isDestination) -> std::string {
    for (u32 i = 0; i < operands.size(); ++i) {
      const bool known = i < letters.size();
      const std::string problem = known ? operandProblem(instruction, letters[i], operands[i], addressBits, isDestination)
                                  : operands[i].kind != Operand::Kind::none ? "is not in the table"
                                                                            : "";
      if (!problem.empty()) return fmt::format("{} {} {}", isDestination ? "destination" : "source", i, problem);
    }
    return "";
  };
  const std::string problem = check(row.destinations, instruction.destinations, true);
  return problem.empty() ? check(row.sources, instruction.sources, false) : problem;
}

// Carries go through predicates exactly where the modifiers say so.
std::string carryProblem(const Instruction& instruction) {
  const OpcodeInfo& row = info(instruction.opcode);
  if (row.destinations != "Tp" || row.family != Family::lane) return "";
  const bool out = instruction.destinations[1].kind != Operand::Kind::none;
  const bool in = instruction.sources[row.sources.size() - 1].kind != Operand::Kind::none;
  if (out != instruction.modifiers.carryOut) return "the carry-out predicate disagrees with the modifier";
  if (in != instruction.modifiers.carryIn) return "the carry-in predicate disagrees with the modifier";
  return "";
}

bool needsTarget(Opcode opcode) {
  return opcode == Opcode::bra || opcode == Opcode::brx || opcode == Opcode::call || opcode == Opcode::syscall;
}

std::string problemOf(const Instruction& instruction, u32 addressBits) {
  const OpcodeInfo& row = info(instruction.opcode);
  if (!row.allows(instruction.type)) return fmt::format("type {} is not allowed", name(instruction.type));
  if (instruction.guard.kind != Operand::Kind::predicate) return "the guard is not a predicate";
  if (row.family == Family::lane && !hasSemantics(instruction)) return "no such combination of operation, types and modifiers";
  if (needsTarget(instruction.opcode) && instruction.target == kNoTarget) return "the target is missing";
  const bool isList = instruction.opcode == Opcode::bulk && instruction.vector == bulkListWords(instruction.modifiers.bulk.dimensions);
  const bool vector = instruction.vector == 1 || instruction.vector == 2 || instruction.vector == 4 || isList;
  if (!vector || (instruction.vector > 1 && row.family != Family::memory && row.family != Family::texture))
    return fmt::format("vector of {}", instruction.vector);
  const std::string carry = carryProblem(instruction);
  return carry.empty() ? operandProblems(instruction, addressBits) : carry;
}

// The stack pointer is one register with 64-bit addresses too.
bool isStackPointer(const Operand& operand, char letter) { return (letter == 'a' || letter == 'A') && operand.index == kStackRegister; }

std::string registerProblem(const Instruction& instruction, char letter, const Operand& operand, u32 addressBits) {
  if (operand.kind == Operand::Kind::predicate)
    return operand.index <= kTruePredicate ? "" : fmt::format("no predicate P{}", operand.index);
  if (operand.kind != Operand::Kind::reg || isStackPointer(operand, letter)) return "";
  const u32 words = operandWords(instruction, letter, addressBits);
  if (operand.index + words > kMaxRegisters) return fmt::format("no register R{}", operand.index + words - 1);
  const bool pairs = registerWords(operandType(instruction, letter, addressBits)) == 2;
  return pairs && operand.index % 2 != 0 ? fmt::format("R{} cannot begin a pair", operand.index) : "";
}

std::string registerProblems(const Instruction& instruction, u32 addressBits) {
  const OpcodeInfo& row = info(instruction.opcode);
  for (u32 i = 0; i < row.destinations.size(); ++i) {
    std::string problem = registerProblem(instruction, row.destinations[i], instruction.destinations[i], addressBits);
    if (!problem.empty()) return problem;
  }
  for (u32 i = 0; i < row.sources.size(); ++i) {
    std::string problem = registerProblem(instruction, row.sources[i], instruction.sources[i], addressBits);
    if (!problem.empty()) return problem;
  }
  return registerProblem(instruction, 'P', instruction.guard, addressBits);
}

std::string targetProblem(const Program& program, Pc pc) {
  const Instruction& instruction = program.code[pc];
  const Function* function = program.functionAt(pc);
  if (function == nullptr) return "lies in no function";
  const auto outside = [&](Pc target) { return target < function->begin || target >= function->end; };
  switch (instruction.opcode) {
    case Opcode::bra:
      return outside(Pc(instruction.target)) ? "branches out of the function" : "";
    case Opcode::call:
      return instruction.target < program.functions.size() ? "" : "calls no function";
    case Opcode::brx:
      if (instruction.target >= program.branchTables.size()) return "has no branch table";
      for (const Pc target : program.branchTables[instruction.target]) {
        if (outside(target)) return "branches out of the function";
      }
      return "";
    default:
      return "";
  }
}

std::string explain(const Instruction& instruction, u32 addressBits, const std::string& problem) {
  return problem.empty() ? "" : fmt::format("{}: {}", disassemble(instruction, addressBits), problem);
}

}  // namespace

std::string verify(const Instruction& instruction, u32 addressBits) {
  return explain(instruction, addressBits, problemOf(instruction, addressBits));
}

std::string verifyAllocated(const Program& program, Pc pc) {
  const Instruction& instruction = program.code.at(pc);
  std::string problem = problemOf(instruction, program.addressBits);
  if (problem.empty()) problem = registerProblems(instruction, program.addressBits);
  if (problem.empty()) problem = targetProblem(program, pc);
  return explain(instruction, program.addressBits, problem);
}

}  // namespace warpwright::isa
