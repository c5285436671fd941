#include "isa/disassembler.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "isa/launch_constants.hpp"
#include "isa/modifier_text.hpp"
#include "isa/source_text.hpp"

namespace warpwright::isa {
namespace {

std::string immediateText(u64 bits, DataType type) {
  if (type == DataType::f32 || type == DataType::f64) {
    const double value = type == DataType::f32 ? __builtin_bit_cast(float, static_cast<u32>(bits)) : __builtin_bit_cast(double, bits);
    if (!std::isfinite(value)) return fmt::format("{:#x}", bits);
    return type == DataType::f32 ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  }
  if (sizeOf(type) == 8) return isSigned(type) ? fmt::format("{}", static_cast<s64>(bits)) : fmt::format("{:#x}", bits);
  const u32 word = static_cast<u32>(bits);
  return isSigned(type) ? fmt::format("{}", static_cast<s32>(word)) : fmt::format("{:#x}", word);
}

std::string operandText(const Operand& operand, DataType type) {
  switch (operand.kind) {
    case Operand::Kind::reg:
      return fmt::format("R{}", operand.index);
    case Operand::Kind::predicate:
      return (operand.negated ? "!P" : "P") + (operand.index == kTruePredicate ? "T" : std::to_string(operand.index));
    case Operand::Kind::immediate:
      return immediateText(operand.value, type);
    case Operand::Kind::param:
      if (const auto special = launchConstantAt(operand.value)) return fmt::format("c[0x0][{}]", name(*special));
      if (const auto place = moduleConstantAt(operand.value)) return fmt::format("c[0x3][{:#x}]", *place);
      return fmt::format("c[0x0][{:#x}]", operand.value);
    case Operand::Kind::none:
      break;
  }
  return "";
}

// "[R2+c[0x0][0x8]+16]": base, parameter (either may be absent; both: absolute) and displacement.
std::string addressText(const Instruction& instruction, u32 addressBits) {
  const Operand& base = instruction.sources[0];
  const std::size_t index = info(instruction.opcode).sources.find('b');
  const Operand parameter = index == std::string_view::npos ? Operand{} : instruction.sources[index];
  std::string text = operandText(base, addressBits == 32 ? DataType::u32 : DataType::u64);
  if (parameter.kind != Operand::Kind::none) text += (text.empty() ? "" : "+") + operandText(parameter, DataType::u64);
  if (text.empty()) return fmt::format("[{:#x}]", static_cast<u64>(instruction.offset));
  return instruction.offset == 0 ? fmt::format("[{}]", text) : fmt::format("[{}{:+}]", text, instruction.offset);
}

std::string addressOf(Pc pc) { return fmt::format("{:#06x}", u64{pc} * kInstructionBytes); }

std::string targetText(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bra:
      return addressOf(Pc(instruction.target));
    case Opcode::brx:
      return fmt::format("table {}", instruction.target);
    case Opcode::call:
      return fmt::format("function {}", instruction.target);
    case Opcode::syscall:
      return std::string(name(static_cast<SystemCall>(instruction.target)));
    default:
      return "";
  }
}

class Line {
 public:
  void add(const std::string& operand) {
    if (operand.empty()) return;
    text_ += (text_.empty() ? " " : ", ") + operand;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string operandsText(const Instruction& instruction, u32 addressBits, u8 reuse) {
  const OpcodeInfo& row = info(instruction.opcode);
  Line line;
  for (u32 i = 0; i < row.destinations.size(); ++i) {
    line.add(operandText(instruction.destinations[i], operandType(instruction, row.destinations[i], addressBits)));
  }
  line.add(targetText(instruction));
  for (u32 i = 0; i < row.sources.size(); ++i) {
    if (row.sources[i] == 'b') continue;
    const bool address = row.family == Family::memory && i == 0;
    const std::string text = address ? addressText(instruction, addressBits)
                                     : operandText(instruction.sources[i], operandType(instruction, row.sources[i], addressBits));
    line.add((reuse >> i & 1) != 0 ? text + ".reuse" : text);
  }
  return line.text();
}

std::string guardText(const Operand& guard) {
  if (guard.index == kTruePredicate && !guard.negated) return "";
  return "@" + operandText(guard, DataType::pred) + " ";
}

}  // namespace

std::string disassemble(const Instruction& instruction, u32 addressBits, u8 reuse) {
  return guardText(instruction.guard) + std::string(info(instruction.opcode).mnemonic) + modifierText(instruction) +
         (instruction.spill ? ".SPILL" : "") + operandsText(instruction, addressBits, reuse);
}

std::string disassemble(const Program& program, const Function& function, const ListingOptions& options) {
  const u32 ptxColumn = options.control ? 86 : 64;
  SourceText sources(program);
  std::string listing = fmt::format("{} {}  registers {}  predicates {}\n", function.isKernel ? ".kernel" : ".function", function.name,
                                    function.registers, function.predicates);
  u32 lastPtx = ~u32{0}, lastFile = 0, lastLine = 0;
  for (Pc pc = function.begin; pc < function.end; ++pc) {
    const Instruction& instruction = program.code.at(pc);
    const bool moved = instruction.sourceLine != 0 && (instruction.sourceFile != lastFile || instruction.sourceLine != lastLine);
    if (options.source && moved) {
      lastFile = instruction.sourceFile;
      lastLine = instruction.sourceLine;
      listing += fmt::format("  // {}\n", sources.describe(lastFile, lastLine));
    }
    const bool hasControl = options.control && !program.control.empty();
    const ControlBits bits = hasControl ? program.control.at(pc) : ControlBits{};
    std::string line = fmt::format("  {}  {}{}", addressOf(pc), hasControl ? toText(bits) + "  " : "",
                                   disassemble(instruction, program.addressBits, bits.reuse));
    const u32 ptx = pc < program.ptxOf.size() ? program.ptxOf[pc] : ~u32{0};
    if (options.ptx && ptx != lastPtx && ptx < program.ptxText.size())
      line = fmt::format("{:<{}}// {}", line, ptxColumn, program.ptxText[ptx]);
    lastPtx = ptx;
    listing += line + "\n";
  }
  return listing;
}

}  // namespace warpwright::isa
