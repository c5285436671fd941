#include "compiler/regions/effects.hpp"

#include <algorithm>
#include <array>

#include "ptx/special_register.hpp"

namespace warpwright::compiler {
namespace {

using POpcode = ptx::Opcode;

template <std::size_t n>
bool isOneOf(POpcode opcode, const std::array<POpcode, n>& all) {
  return std::ranges::find(all, opcode) != all.end();
}

// The carry is in no register: who reads or writes it is none of these.
constexpr std::array kComputing{
    POpcode::abs,  POpcode::add,   POpcode::and_, POpcode::bfe,   POpcode::bfi,   POpcode::bfind,    POpcode::bmsk, POpcode::brev,
    POpcode::clz,  POpcode::cnot,  POpcode::cos,  POpcode::cvt,   POpcode::cvta,  POpcode::copysign, POpcode::div,  POpcode::dp2a,
    POpcode::dp4a, POpcode::ex2,   POpcode::fma,  POpcode::fns,   POpcode::lg2,   POpcode::lop3,     POpcode::mad,  POpcode::mad24,
    POpcode::max,  POpcode::min,   POpcode::mov,  POpcode::mul,   POpcode::neg,   POpcode::not_,     POpcode::or_,  POpcode::popc,
    POpcode::prmt, POpcode::rcp,   POpcode::rem,  POpcode::rsqrt, POpcode::mul24, POpcode::sad,      POpcode::selp, POpcode::set,
    POpcode::setp, POpcode::shf,   POpcode::shl,  POpcode::shr,   POpcode::sin,   POpcode::slct,     POpcode::sqrt, POpcode::sub,
    POpcode::xor_, POpcode::szext, POpcode::tanh, POpcode::testp,
};
constexpr std::array kLong{POpcode::cos, POpcode::div, POpcode::ex2,  POpcode::lg2,   POpcode::rcp,
                           POpcode::rem, POpcode::sin, POpcode::sqrt, POpcode::rsqrt, POpcode::tanh};
// Their operands are sources.
constexpr std::array kOnlyReading{POpcode::st,   POpcode::bra,      POpcode::bar,    POpcode::barrier, POpcode::ret,
                                  POpcode::exit, POpcode::trap,     POpcode::membar, POpcode::fence,   POpcode::red,
                                  POpcode::brx,  POpcode::prefetch, POpcode::cp};
constexpr std::array kJumps{POpcode::bra, POpcode::brx, POpcode::ret, POpcode::exit, POpcode::trap};
constexpr std::array kOfThread{ptx::SpecialRegister::tid_x, ptx::SpecialRegister::tid_y, ptx::SpecialRegister::tid_z,
                               ptx::SpecialRegister::laneid};
constexpr std::array kOfBlock{ptx::SpecialRegister::ntid_x,   ptx::SpecialRegister::ntid_y,   ptx::SpecialRegister::ntid_z,
                              ptx::SpecialRegister::ctaid_x,  ptx::SpecialRegister::ctaid_y,  ptx::SpecialRegister::ctaid_z,
                              ptx::SpecialRegister::nctaid_x, ptx::SpecialRegister::nctaid_y, ptx::SpecialRegister::nctaid_z};

void forEachRegister(const ptx::Operand& operand, const VisitRegister& visit) {
  if (operand.reg != ptx::kNoIndex) visit(operand.reg);
  for (const ptx::Operand& each : operand.elements) forEachRegister(each, visit);
}

bool readsOnlyConstants(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::special) return std::ranges::find(kOfBlock, operand.special) != kOfBlock.end();
  return std::ranges::all_of(operand.elements, readsOnlyConstants);
}

bool hasPlainOrder(const ptx::Instruction& instruction) {
  return instruction.modifiers.ordering == ptx::Ordering::weak && instruction.modifiers.scope == ptx::Scope::none;
}

// A parameter of a kernel; that of a call lies between instructions that must stay where they are.
bool loadsParameter(const ptx::Instruction& instruction) {
  return instruction.modifiers.space == ptx::Space::param && instruction.operands.at(1).symbol.kind == ptx::SymbolKind::parameter;
}

bool hasKnownDestination(const ptx::Instruction& instruction) {
  return isOneOf(instruction.opcode, kComputing) || instruction.opcode == POpcode::ld;
}

}  // namespace

bool isPure(const ptx::Instruction& instruction) {
  if (isOneOf(instruction.opcode, kComputing))
    return !instruction.modifiers.carryOut && std::ranges::all_of(instruction.operands, readsOnlyConstants);
  if (instruction.opcode != POpcode::ld || !hasPlainOrder(instruction)) return false;
  return instruction.modifiers.space == ptx::Space::constant || instruction.modifiers.cache == ptx::CacheOp::nc ||
         loadsParameter(instruction);
}

bool isPlainLoad(const ptx::Instruction& instruction) {
  return instruction.opcode == POpcode::ld && hasPlainOrder(instruction) && instruction.modifiers.space != ptx::Space::param &&
         !isPure(instruction);
}

bool isPlainStore(const ptx::Instruction& instruction) {
  return instruction.opcode == POpcode::st && hasPlainOrder(instruction) && instruction.modifiers.space != ptx::Space::param;
}

bool isOfThread(const ptx::Instruction& instruction) {
  if (instruction.opcode != POpcode::mov) return false;
  const ptx::Operand& source = instruction.operands.at(1);
  return source.kind == ptx::Operand::Kind::special && std::ranges::find(kOfThread, source.special) != kOfThread.end();
}

bool isJump(const ptx::Instruction& instruction) { return isOneOf(instruction.opcode, kJumps); }

bool isLong(const ptx::Instruction& instruction) {
  if (isOneOf(instruction.opcode, kLong)) return true;
  return isOneOf(instruction.opcode, kComputing) && instruction.opcode != POpcode::mov && instruction.modifiers.type == ptx::Type::f64;
}

void forEachRead(const ptx::Instruction& instruction, const VisitRegister& visit) {
  if (instruction.guard.reg != ptx::kNoIndex) visit(instruction.guard.reg);
  const bool readsDestination = !hasKnownDestination(instruction) || instruction.guard.reg != ptx::kNoIndex;
  for (std::size_t i = readsDestination ? 0 : 1; i < instruction.operands.size(); ++i) forEachRegister(instruction.operands[i], visit);
  if (readsDestination) forEachRegister(instruction.secondDestination, visit);
}

void forEachWritten(const ptx::Instruction& instruction, const VisitRegister& visit) {
  if (isOneOf(instruction.opcode, kOnlyReading)) return;
  forEachRegister(instruction.secondDestination, visit);
  const std::size_t count =
      hasKnownDestination(instruction) ? std::min<std::size_t>(1, instruction.operands.size()) : instruction.operands.size();
  for (std::size_t i = 0; i < count; ++i) forEachRegister(instruction.operands[i], visit);
}

}  // namespace warpwright::compiler
