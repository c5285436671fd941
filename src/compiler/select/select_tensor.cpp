// Matrix instructions. A fragment becomes one group of registers. ldmatrix is a load of whole rows and an exchange among the lanes,
// stmatrix the reverse; wmma.load and wmma.store are ordinary loads and stores in the layout of isa::LinearFragment. The accumulators of a
// warp group's product are read and written in their places, so that products that follow each other need no copies between them.
#include <algorithm>
#include <bit>

#include "compiler/select/handlers.hpp"
#include "compiler/select/machine_terms.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::MatrixElement;
using isa::MatrixOperand;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

struct FragmentAccess {
  Address base;
  isa::Operand stride;  // elements from line to line
  isa::LinearFragment shape;
  u32 elementBits = 0;
  bool stores = false;
  u32 group = 0;  // first register of the fragment
};

constexpr u32 kRowWords = 4;  // of an 8x8 matrix of 16-bit elements

// Registers of 64 bits hold f64 elements alone.
u32 wordsEach(MatrixElement element) { return isa::bitsOf(element) == 64 ? 2 : 1; }

u32 log2(u32 power) { return static_cast<u32>(std::countr_zero(power)); }

isa::Matrix matrixOf(const ptx::MatrixForm& form) {
  isa::Matrix matrix;
  matrix.m = form.m, matrix.n = form.n, matrix.k = form.k;
  matrix.a = machineTerm(form.a), matrix.b = machineTerm(form.b), matrix.c = machineTerm(form.c), matrix.d = machineTerm(form.d);
  matrix.columnA = form.columnA, matrix.columnB = form.columnB;
  // wmma.mma names no types for f16 factors.
  if (matrix.a == MatrixElement::none) matrix.a = matrix.b = MatrixElement::f16;
  return matrix;
}

Operand useFragment(Selector& s, const ptx::Operand& fragment, u32 words) {
  const u32 count = static_cast<u32>(fragment.elements.size()) * words;
  const u32 group = s.code().newGroup(count, alignmentOfGroup(count));
  const DataType type = words == 2 ? DataType::u64 : DataType::u32;
  for (u32 i = 0; i < fragment.elements.size(); ++i)
    s.compute(isa::Opcode::mov, type, {Operand::makeRegister(group + i * words)},
              {s.use(fragment.elements[i], words == 2 ? DataType::f64 : DataType::u32)});
  return Operand::makeRegister(group);
}

void defineFragment(Selector& s, const ptx::Operand& fragment, u32 words, Operand group) {
  for (u32 i = 0; i < fragment.elements.size(); ++i) {
    if (fragment.elements[i].kind == Kind::discard) continue;
    const Operand to = s.define(fragment.elements[i], words == 2 ? DataType::u64 : DataType::u32);
    for (u32 w = 0; w < words; ++w) s.copyWord(to.index + w, Operand::makeRegister(group.index + i * words + w));
  }
}

// Accumulators that have places of their own, side by side (Selector::placeAccumulators).
bool lieTogether(const Selector& s, const ptx::Operand& fragment) {
  for (u32 i = 0; i < fragment.elements.size(); ++i)
    if (s.firstWord(fragment.elements[i].reg) != s.firstWord(fragment.elements[0].reg) + i) return false;
  return true;
}

// d, a or its descriptor, descriptor of b, scale-d{, scale-a, scale-b{, trans-a}, trans-b}
isa::Matrix groupMatrixOf(const ptx::Instruction& in) {
  isa::Matrix matrix = matrixOf(in.modifiers.matrix);
  matrix.m /= isa::kWarpsOfGroup;
  matrix.c = matrix.d;
  matrix.sharedA = in.operands[1].kind != Kind::vector;
  const auto isConstant = [&](std::size_t operand, s64 value) {
    return operand < in.operands.size() && static_cast<s64>(in.operands[operand].bits) == value;
  };
  matrix.negated = isConstant(4, -1) != isConstant(5, -1);
  matrix.columnA = matrix.sharedA && isConstant(6, 1);
  matrix.columnB = !isConstant(matrix.sharedA ? 7 : 6, 1);
  const u8 factor = static_cast<u8>(matrix.sharedA ? isa::kDescriptorWords : in.operands[1].elements.size());
  matrix.words = {static_cast<u8>(in.operands[0].elements.size()), factor, isa::kDescriptorWords, 0};
  return matrix;
}

void selectGroupProduct(Selector& s) {
  const isa::Matrix matrix = groupMatrixOf(s.in());
  const ptx::Operand& sums = s.operand(0);
  const bool inPlace = lieTogether(s, sums);
  const Operand group = inPlace ? Operand::makeRegister(s.firstWord(sums.elements[0].reg)) : useFragment(s, sums, 1);
  const Operand a = matrix.sharedA ? s.useInRegister(s.operand(1), DataType::u64) : useFragment(s, s.operand(1), 1);
  const Operand b = s.useInRegister(s.operand(2), DataType::u64);
  MachineInstruction& product = s.emit(isa::Opcode::wgmma, DataType::u32, {group}, {a, b, s.usePredicate(s.operand(3))});
  product.modifiers.matrix = matrix;
  product.modifiers.saturate = s.in().modifiers.satFinite;
  if (!inPlace) defineFragment(s, sums, 1, group);
}

// The lane's first line, and the position in it.
std::pair<Operand, Operand> firstElement(Selector& s, const isa::LinearFragment& shape) {
  const auto word = [&] { return s.temporary(DataType::u32); };
  const auto constant = [](u32 value) { return Operand::makeImmediate(value); };
  const Operand lane = word(), scaled = word(), index = word(), line = word(), position = word();
  s.compute(isa::Opcode::s2r, DataType::u32, {lane}, {}).modifiers.special = isa::SpecialRegister::laneid;
  s.compute(isa::Opcode::shl, DataType::u32, {scaled}, {lane, constant(log2(shape.perLane))});
  s.compute(isa::Opcode::and_, DataType::u32, {index}, {scaled, constant(shape.lines * shape.length - 1)});
  s.compute(isa::Opcode::shr, DataType::u32, {line}, {index, constant(log2(shape.length))});
  s.compute(isa::Opcode::and_, DataType::u32, {position}, {index, constant(shape.length - 1)});
  return {line, position};
}

// base + (line * stride + position) * bits / 8
Address elementAddress(Selector& s, const FragmentAccess& access, Operand line, Operand position) {
  Operand index = s.temporary(DataType::u32);
  const Operand bytes = Operand::makeImmediate(std::max(access.elementBits / 8, 1u));
  s.compute(isa::Opcode::mad_lo, DataType::u32, {index}, {line, access.stride, position});
  if (access.elementBits < 8) {
    const Operand elements = index;
    index = s.temporary(DataType::u32);
    s.compute(isa::Opcode::shr, DataType::u32, {index}, {elements, Operand::makeImmediate(log2(8 / access.elementBits))});
  }
  Address address = access.base;
  address.base = s.temporary(s.code().addressType());
  const Operand& base = access.base.base;
  const bool absolute = base.kind == Operand::Kind::none;
  if (s.code().addressBits == 64 && absolute)
    s.compute(isa::Opcode::mul_wide, DataType::u32, {address.base}, {index, bytes});
  else if (s.code().addressBits == 64)
    s.compute(isa::Opcode::mad_wide, DataType::u32, {address.base}, {index, bytes, base});
  else
    s.compute(isa::Opcode::mad_lo, DataType::u32, {address.base}, {index, bytes, absolute ? Operand::makeImmediate(0) : base});
  return address;
}

// Elements that are neighbours in memory are neighbours in the fragment: accesses of up to 16 bytes.
void accessLines(Selector& s, const FragmentAccess& access) {
  const auto [line, position] = firstElement(s, access.shape);
  const u32 inLine = std::min(access.shape.perLane, access.shape.length);
  const u32 wordsInLine = inLine * access.elementBits / 32, vector = std::min(wordsInLine, kRowWords);
  for (u32 l = 0; l < access.shape.perLane / inLine; ++l) {
    const Operand next = l == 0 ? line : s.temporary(DataType::u32);
    if (l > 0) s.compute(isa::Opcode::add, DataType::u32, {next}, {line, Operand::makeImmediate(l)});
    Address address = elementAddress(s, access, next, position);
    for (u32 w = 0; w < wordsInLine; w += vector) {
      const Operand registers = Operand::makeRegister(access.group + l * wordsInLine + w);
      access.stores ? emitStore(s, address, DataType::u32, vector, registers) : emitLoad(s, address, DataType::u32, vector, registers);
      address.offset += 4 * vector;
      if (address.symbol) address.symbol->addend += 4 * vector;
    }
  }
}

// An accumulator held by rows, in memory by columns: one access an element.
void accessElements(Selector& s, const FragmentAccess& access) {
  const auto [row, firstColumn] = firstElement(s, access.shape);
  const bool narrow = access.elementBits == 16;
  const u32 words = access.elementBits == 64 ? 2 : 1;
  Operand halves[2];
  for (u32 e = 0; e < access.shape.perLane; ++e) {
    const Operand column = e == 0 ? firstColumn : s.temporary(DataType::u32);
    if (e > 0) s.compute(isa::Opcode::add, DataType::u32, {column}, {firstColumn, Operand::makeImmediate(e)});
    const Address address = elementAddress(s, access, column, row);
    if (!narrow) {
      const Operand registers = Operand::makeRegister(access.group + e * words);
      access.stores ? emitStore(s, address, DataType::u32, words, registers) : emitLoad(s, address, DataType::u32, words, registers);
      continue;
    }
    const Operand packed = Operand::makeRegister(access.group + e / 2);
    if (e % 2 == 0) halves[0] = s.temporary(DataType::u32), halves[1] = s.temporary(DataType::u32);
    if (access.stores && e % 2 == 0) s.compute(isa::Opcode::unpack16, DataType::u32, {halves[0], halves[1]}, {packed});
    access.stores ? emitStore(s, address, DataType::u16, 1, halves[e % 2]) : emitLoad(s, address, DataType::u16, 1, halves[e % 2]);
    if (!access.stores && e % 2 == 1) s.compute(isa::Opcode::pack16, DataType::u32, {packed}, {halves[0], halves[1]});
  }
}

// Only the lanes whose rows an ldmatrix or stmatrix of `count` matrices names: lanes 0 … 8 * count - 1.
Operand guardOfRows(Selector& s, u32 count) {
  if (count == kRowWords) return s.guard();
  const Operand lane = s.temporary(DataType::u32), takesPart = Operand::makePredicate(s.code().newPredicate());
  s.compute(isa::Opcode::s2r, DataType::u32, {lane}, {}).modifiers.special = isa::SpecialRegister::laneid;
  const bool guarded = s.guard() != Operand::makePredicate(isa::kTruePredicate);
  MachineInstruction& compare =
      s.compute(isa::Opcode::setp, DataType::u32, {takesPart}, {lane, Operand::makeImmediate(8 * count), guarded ? s.guard() : Operand{}});
  compare.modifiers.compare = isa::Compare::lt;
  if (guarded) compare.modifiers.combine = isa::BoolOp::and_;
  return takesPart;
}

}  // namespace

// mma and wmma.mma: d, a, b, c
void selectMma(Selector& s) {
  isa::Matrix matrix = matrixOf(s.in().modifiers.matrix);
  matrix.linear = s.in().opcode == ptx::Opcode::wmma;
  Operand fragments[4];
  for (u32 i = 0; i < 4; ++i) {
    const u32 words = wordsEach(isa::elementOf(matrix, static_cast<MatrixOperand>(i)));
    matrix.words[i] = static_cast<u8>(s.operand(i).elements.size() * words);
    if (i > 0) fragments[i] = useFragment(s, s.operand(i), words);
  }
  fragments[0] = Operand::makeRegister(s.code().newGroup(matrix.words[0], alignmentOfGroup(matrix.words[0])));
  MachineInstruction& multiply = s.emit(isa::Opcode::mma, DataType::u32, {fragments[0]}, {fragments[1], fragments[2], fragments[3]});
  multiply.modifiers.matrix = matrix;
  multiply.modifiers.matrix.exclusive = matrix.a == MatrixElement::b1 && s.in().modifiers.combine == ptx::BoolOp::xor_;
  multiply.modifiers.saturate = s.in().modifiers.satFinite;
  multiply.modifiers.rounding = s.arithmeticModifiers().rounding;
  defineFragment(s, s.operand(0), wordsEach(matrix.d), fragments[0]);
}

void selectWgmma(Selector& s) {
  constexpr u64 kMostLeft = 7;  // groups: what the hardware's instruction can say
  switch (s.in().modifiers.async) {
    case ptx::AsyncOp::fence:
      s.emit(isa::Opcode::wgmma_fence, DataType::u32);
      return;
    case ptx::AsyncOp::commit:
      s.emit(isa::Opcode::wgmma_commit, DataType::u32);
      return;
    case ptx::AsyncOp::waitGroup:
      if (s.operand(0).bits > kMostLeft) s.unsupported("at most 7 groups may be pending", "give a number from 0 to 7");
      s.emit(isa::Opcode::wgmma_wait, DataType::u32, {}, {Operand::makeImmediate(s.operand(0).bits)});
      return;
    default:
      return selectGroupProduct(s);
  }
}

void selectWmma(Selector& s) {
  if (s.in().modifiers.matrix.part == ptx::MatrixPart::multiply) return selectMma(s);
  isa::Matrix matrix = matrixOf(s.in().modifiers.matrix);
  const ptx::MatrixPart part = s.in().modifiers.matrix.part;
  matrix.b = matrix.c = matrix.d = matrix.a;
  matrix.columnB = matrix.columnA;
  const bool stores = part == ptx::MatrixPart::d;
  const MatrixOperand role = part == ptx::MatrixPart::a   ? MatrixOperand::a
                             : part == ptx::MatrixPart::b ? MatrixOperand::b
                                                          : MatrixOperand::c;
  const ptx::Operand& registers = s.operand(stores ? 1 : 0);
  const u32 words = wordsEach(matrix.a);
  matrix.words.fill(static_cast<u8>(registers.elements.size() * words));
  const isa::LinearFragment shape = isa::linearFragment(matrix, role);
  // An accumulator is held by rows whatever the layout in memory.
  const bool strided = role == MatrixOperand::c && matrix.columnA;
  const Address base = s.wideAddressOperand(s.operand(stores ? 0 : 1), s.spaceOf(s.in().modifiers.space));
  const Operand stride =
      s.hasOperand(2) ? s.useInRegister(s.operand(2), DataType::u32) : Operand::makeImmediate(strided ? shape.lines : shape.length);
  const Operand group = stores ? useFragment(s, registers, words)
                               : Operand::makeRegister(s.code().newGroup(matrix.words[0], alignmentOfGroup(matrix.words[0])));
  const FragmentAccess access{base, stride, shape, isa::bitsOf(matrix.a), stores, group.index};
  strided ? accessElements(s, access) : accessLines(s, access);
  if (!stores) defineFragment(s, registers, words, group);
}

void selectLdmatrix(Selector& s) {
  const ptx::MatrixForm& form = s.in().modifiers.matrix;
  const Address address = s.addressOperand(s.operand(1), s.spaceOf(s.in().modifiers.space));
  const Operand rows = Operand::makeRegister(s.code().newGroup(kRowWords, kRowWords));
  const Operand guard = s.guard();
  s.guard() = guardOfRows(s, form.count);
  emitLoad(s, address, DataType::u32, kRowWords, rows);
  s.guard() = guard;
  const Operand fragment = Operand::makeRegister(s.code().newGroup(form.count, alignmentOfGroup(form.count)));
  isa::Matrix& matrix = s.emit(isa::Opcode::mat_deal, DataType::u32, {fragment}, {rows}).modifiers.matrix;
  matrix.words = {form.count, kRowWords, 0, 0};
  matrix.transposed = form.transposed;
  defineFragment(s, s.operand(0), 1, fragment);
}

void selectStmatrix(Selector& s) {
  const ptx::MatrixForm& form = s.in().modifiers.matrix;
  const Address address = s.addressOperand(s.operand(0), s.spaceOf(s.in().modifiers.space));
  const Operand fragment = useFragment(s, s.operand(1), 1);
  const Operand rows = Operand::makeRegister(s.code().newGroup(kRowWords, kRowWords));
  isa::Matrix& matrix = s.emit(isa::Opcode::mat_gather, DataType::u32, {rows}, {fragment}).modifiers.matrix;
  matrix.words = {kRowWords, form.count, 0, 0};
  matrix.transposed = form.transposed;
  const Operand guard = s.guard();
  s.guard() = guardOfRows(s, form.count);
  emitStore(s, address, DataType::u32, kRowWords, rows);
  s.guard() = guard;
}

void selectMovmatrix(Selector& s) {
  const Operand from = s.useInRegister(s.operand(1), DataType::u32);
  s.emit(isa::Opcode::mat_transpose, DataType::u32, {s.define(s.operand(0), DataType::u32)}, {from}).modifiers.matrix.words = {1, 1, 0, 0};
}

}  // namespace warpwright::compiler
