// Integer (and mixed) arithmetic whose machine operation depends on modifiers: carries, products, dot products, funnel shifts.
#include "compiler/select/handlers.hpp"
#include "compiler/select/machine_terms.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

namespace {

// The CC.CF flag of PTX is a predicate of the function.
void carryArithmetic(Selector& s, isa::Opcode opcode, bool carryIn) {
  lane(s, opcode);
  if (!carryIn && !s.in().modifiers.carryOut) return;
  if (!s.carry()) s.carry() = s.code().newPredicate();
  MachineInstruction& result = s.code().code.back();
  const u32 carrySource = static_cast<u32>(isa::info(opcode).sources.size()) - 1;
  result.modifiers.carryIn = carryIn;
  result.modifiers.carryOut = s.in().modifiers.carryOut;
  if (carryIn) result.sources[carrySource] = Operand::makePredicate(*s.carry());
  if (s.in().modifiers.carryOut) result.destinations[1] = Operand::makePredicate(*s.carry());
}

}  // namespace

void selectAdd(Selector& s) {
  if (!selectedAsSingles(s, isa::Opcode::add)) carryArithmetic(s, isa::Opcode::add, false);
}

void selectAddc(Selector& s) { carryArithmetic(s, isa::Opcode::add, true); }

void selectSub(Selector& s) {
  if (!selectedAsSingles(s, isa::Opcode::sub)) carryArithmetic(s, isa::Opcode::sub, false);
}

void selectSubc(Selector& s) { carryArithmetic(s, isa::Opcode::sub, true); }

void selectMul(Selector& s) {
  if (selectedAsSingles(s, isa::Opcode::mul_lo)) return;
  switch (s.in().modifiers.mul) {
    case ptx::MulMode::hi:
      return lane(s, isa::Opcode::mul_hi);
    case ptx::MulMode::wide:
      return lane(s, isa::Opcode::mul_wide);
    default:
      return lane(s, isa::Opcode::mul_lo);
  }
}

void selectMad(Selector& s) {
  // mad of floating-point type is a fused multiply-add on every machine from sm_20 on (PTX ISA, "Floating Point Instructions: mad").
  if (ptx::isFloat(s.in().modifiers.type)) return lane(s, isa::Opcode::fma);
  switch (s.in().modifiers.mul) {
    case ptx::MulMode::hi:
      return carryArithmetic(s, isa::Opcode::mad_hi, false);
    case ptx::MulMode::wide:
      return lane(s, isa::Opcode::mad_wide);
    default:
      return carryArithmetic(s, isa::Opcode::mad_lo, false);
  }
}

void selectMadc(Selector& s) {
  carryArithmetic(s, s.in().modifiers.mul == ptx::MulMode::hi ? isa::Opcode::mad_hi : isa::Opcode::mad_lo, true);
}

void selectMul24(Selector& s) { lane(s, s.in().modifiers.mul == ptx::MulMode::hi ? isa::Opcode::mul24_hi : isa::Opcode::mul24_lo); }

void selectMad24(Selector& s) { lane(s, s.in().modifiers.mul == ptx::MulMode::hi ? isa::Opcode::mad24_hi : isa::Opcode::mad24_lo); }

// dp4a.atype.btype d, a, b, c: c and d are unsigned only when both types are.
void selectDotProduct(Selector& s) {
  const DataType a = dataType(s.in().modifiers.type), b = dataType(s.in().modifiers.source);
  const DataType result = isa::isSigned(a) || isa::isSigned(b) ? DataType::s32 : DataType::u32;
  const Operand sources[] = {s.use(s.operand(1), a), s.use(s.operand(2), b), s.use(s.operand(3), result)};
  const Operand destination = s.define(s.operand(0), result);
  MachineInstruction& dot = s.emit(s.in().opcode == ptx::Opcode::dp2a ? isa::Opcode::dp2a : isa::Opcode::dp4a, result, {destination},
                                   {sources[0], sources[1], sources[2]});
  dot.sourceType = a;
  dot.modifiers = s.arithmeticModifiers();
  dot.modifiers.secondType = b;
}

void selectFunnel(Selector& s) { lane(s, s.in().modifiers.left ? isa::Opcode::shf_l : isa::Opcode::shf_r); }

void selectLop3(Selector& s) {
  const Operand sources[] = {s.use(s.operand(1), DataType::u32), s.use(s.operand(2), DataType::u32), s.use(s.operand(3), DataType::u32)};
  const ptx::Operand& table = s.operand(4);
  if (table.kind != ptx::Operand::Kind::integer) s.unsupported("the truth table must be a constant");
  s.emit(isa::Opcode::lop3, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {sources[0], sources[1], sources[2]}).modifiers.lut =
      static_cast<u8>(table.bits);
}

void selectPermute(Selector& s) {
  lane(s, isa::Opcode::prmt);
  s.code().code.back().modifiers.permute = machineTerm(s.in().modifiers.prmt);
}

void selectSet(Selector& s) {
  switch (s.in().modifiers.source) {
    case ptx::Type::f16:
    case ptx::Type::bf16:
    case ptx::Type::f16x2:
    case ptx::Type::bf16x2:
      return selectHalfSet(s);
    default:
      return lane(s, isa::Opcode::set);
  }
}

// slct.dtype.ctype: c of type s32 or f32 decides.
void selectSlct(Selector& s) { lane(s, isa::Opcode::slct); }

}  // namespace warpwright::compiler
