// Integer (and mixed) arithmetic whose machine operation depends on modifiers: carries, products, dot products, funnel shifts.
#include "compiler/select/machine_terms.hpp"
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

// The CC.CF flag of PTX is a predicate of the function.
void Selector::carryArithmetic(isa::Opcode opcode, bool carryIn) {
  lane(opcode);
  if (!carryIn && !in_->modifiers.carryOut) return;
  if (!carry_) carry_ = code_.newPredicate();
  MachineInstruction& result = code_.code.back();
  const u32 carrySource = static_cast<u32>(isa::info(opcode).sources.size()) - 1;
  result.modifiers.carryIn = carryIn;
  result.modifiers.carryOut = in_->modifiers.carryOut;
  if (carryIn) result.sources[carrySource] = Operand::makePredicate(*carry_);
  if (in_->modifiers.carryOut) result.destinations[1] = Operand::makePredicate(*carry_);
}

void Selector::selectAdd() {
  if (!selectedAsSingles(isa::Opcode::add)) carryArithmetic(isa::Opcode::add, false);
}
void Selector::selectAddc() { carryArithmetic(isa::Opcode::add, true); }
void Selector::selectSub() {
  if (!selectedAsSingles(isa::Opcode::sub)) carryArithmetic(isa::Opcode::sub, false);
}
void Selector::selectSubc() { carryArithmetic(isa::Opcode::sub, true); }

void Selector::selectMul() {
  if (selectedAsSingles(isa::Opcode::mul_lo)) return;
  switch (in_->modifiers.mul) {
    case ptx::MulMode::hi:
      return lane(isa::Opcode::mul_hi);
    case ptx::MulMode::wide:
      return lane(isa::Opcode::mul_wide);
    default:
      return lane(isa::Opcode::mul_lo);
  }
}

void Selector::selectMad() {
  // mad of floating-point type is a fused multiply-add on every machine from sm_20 on (PTX ISA, "Floating Point Instructions: mad").
  if (ptx::isFloat(in_->modifiers.type)) return lane(isa::Opcode::fma);
  switch (in_->modifiers.mul) {
    case ptx::MulMode::hi:
      return carryArithmetic(isa::Opcode::mad_hi, false);
    case ptx::MulMode::wide:
      return lane(isa::Opcode::mad_wide);
    default:
      return carryArithmetic(isa::Opcode::mad_lo, false);
  }
}

void Selector::selectMadc() { carryArithmetic(in_->modifiers.mul == ptx::MulMode::hi ? isa::Opcode::mad_hi : isa::Opcode::mad_lo, true); }

void Selector::selectMul24() { lane(in_->modifiers.mul == ptx::MulMode::hi ? isa::Opcode::mul24_hi : isa::Opcode::mul24_lo); }
void Selector::selectMad24() { lane(in_->modifiers.mul == ptx::MulMode::hi ? isa::Opcode::mad24_hi : isa::Opcode::mad24_lo); }

// dp4a.atype.btype d, a, b, c: c and d are unsigned only when both types are.
void Selector::selectDotProduct() {
  const DataType a = dataType(in_->modifiers.type), b = dataType(in_->modifiers.source);
  const DataType result = isa::isSigned(a) || isa::isSigned(b) ? DataType::s32 : DataType::u32;
  const Operand sources[] = {use(operand(1), a), use(operand(2), b), use(operand(3), result)};
  const Operand destination = define(operand(0), result);
  MachineInstruction& dot = emit(in_->opcode == ptx::Opcode::dp2a ? isa::Opcode::dp2a : isa::Opcode::dp4a, result, {destination},
                                 {sources[0], sources[1], sources[2]});
  dot.sourceType = a;
  dot.modifiers = arithmeticModifiers();
  dot.modifiers.secondType = b;
}

void Selector::selectFunnel() { lane(in_->modifiers.left ? isa::Opcode::shf_l : isa::Opcode::shf_r); }

void Selector::selectLop3() {
  const Operand sources[] = {use(operand(1), DataType::u32), use(operand(2), DataType::u32), use(operand(3), DataType::u32)};
  const ptx::Operand& table = operand(4);
  if (table.kind != ptx::Operand::Kind::integer) unsupported("the truth table must be a constant");
  emit(isa::Opcode::lop3, DataType::u32, {define(operand(0), DataType::u32)}, {sources[0], sources[1], sources[2]}).modifiers.lut =
      static_cast<u8>(table.bits);
}

void Selector::selectPermute() {
  lane(isa::Opcode::prmt);
  code_.code.back().modifiers.permute = machineTerm(in_->modifiers.prmt);
}

void Selector::selectSet() {
  switch (in_->modifiers.source) {
    case ptx::Type::f16:
    case ptx::Type::bf16:
    case ptx::Type::f16x2:
    case ptx::Type::bf16x2:
      return selectHalfSet();
    default:
      return lane(isa::Opcode::set);
  }
}

// slct.dtype.ctype: c of type s32 or f32 decides.
void Selector::selectSlct() { lane(isa::Opcode::slct); }

}  // namespace warpwright::compiler
