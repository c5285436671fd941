// Lane operations whose operands follow from the letters of the instruction table.
#include <cctype>

#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

// One machine instruction: the PTX operands in order, each read with the type its letter gives. Absent optional operands stay absent.
void lane(Selector& s, isa::Opcode opcode) {
  const isa::OpcodeInfo& row = isa::info(opcode);
  isa::Instruction shape;
  shape.type = s.typeFor(opcode, s.in().modifiers.type);
  shape.sourceType = dataType(s.in().modifiers.source);
  const bool halves = shape.sourceType == DataType::f16 || shape.sourceType == DataType::bf16;
  if (row.sources.find('S') != std::string_view::npos && (halves || shape.sourceType == DataType::none))
    s.unsupported("the machine has no arithmetic on the second type");
  const auto typeOf = [&](char letter) { return isa::operandType(shape, letter, s.code().addressBits); };

  Operand destinations[4], sources[4];
  u32 next = 1;
  for (u32 i = 0; i < row.sources.size(); ++i) {
    const char letter = row.sources[i];
    if (std::islower(static_cast<unsigned char>(letter)) && !s.hasOperand(next)) continue;
    sources[i] = s.use(s.operand(next++), typeOf(letter));
  }
  for (u32 i = 0; i < row.destinations.size(); ++i) {
    const ptx::Operand& destination = i == 0 ? s.operand(0) : s.in().secondDestination;
    if (i > 0 && destination.kind == ptx::Operand::Kind::none) continue;
    destinations[i] = s.define(destination, typeOf(row.destinations[i]));
  }
  if (s.hasOperand(next)) s.unsupported("it has more operands than the machine's instruction");
  MachineInstruction& result = s.emit(opcode, shape.type);
  result.sourceType = shape.sourceType;
  result.modifiers = s.arithmeticModifiers();
  std::copy(std::begin(destinations), std::end(destinations), result.destinations.begin());
  std::copy(std::begin(sources), std::end(sources), result.sources.begin());
}

void laneByTable(Selector& s) {
  using P = ptx::Opcode;
  struct Row {
    P from;
    isa::Opcode to;
  };
  static constexpr Row kRows[] = {
      {P::abs, isa::Opcode::abs},     {P::and_, isa::Opcode::and_},         {P::bfe, isa::Opcode::bfe},   {P::bfi, isa::Opcode::bfi},
      {P::bfind, isa::Opcode::bfind}, {P::bmsk, isa::Opcode::bmsk},         {P::brev, isa::Opcode::brev}, {P::clz, isa::Opcode::clz},
      {P::cnot, isa::Opcode::cnot},   {P::copysign, isa::Opcode::copysign}, {P::div, isa::Opcode::div},   {P::fma, isa::Opcode::fma},
      {P::fns, isa::Opcode::fns},     {P::max, isa::Opcode::max},           {P::min, isa::Opcode::min},   {P::neg, isa::Opcode::neg},
      {P::not_, isa::Opcode::not_},   {P::or_, isa::Opcode::or_},           {P::popc, isa::Opcode::popc}, {P::rcp, isa::Opcode::rcp},
      {P::rem, isa::Opcode::rem},     {P::rsqrt, isa::Opcode::rsqrt},       {P::sad, isa::Opcode::sad},   {P::selp, isa::Opcode::selp},
      {P::setp, isa::Opcode::setp},   {P::shl, isa::Opcode::shl},           {P::shr, isa::Opcode::shr},   {P::sqrt, isa::Opcode::sqrt},
      {P::szext, isa::Opcode::szext}, {P::testp, isa::Opcode::testp},       {P::xor_, isa::Opcode::xor_},
  };
  for (const Row& row : kRows)
    if (row.from == s.in().opcode) return lane(s, row.to);
  s.unsupported();
}

}  // namespace warpwright::compiler
