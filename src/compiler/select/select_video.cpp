// Video instructions (PTX ISA, "Video Instructions").
#include "compiler/select/handlers.hpp"
#include "compiler/select/machine_terms.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using P = ptx::Opcode;

namespace {

struct VideoRow {
  P opcode;
  isa::VideoOp operation;
  u8 lanes;
};
constexpr VideoRow kRows[] = {
    {P::vadd, isa::VideoOp::add, 1},         {P::vadd2, isa::VideoOp::add, 2},         {P::vadd4, isa::VideoOp::add, 4},
    {P::vsub, isa::VideoOp::sub, 1},         {P::vsub2, isa::VideoOp::sub, 2},         {P::vsub4, isa::VideoOp::sub, 4},
    {P::vabsdiff, isa::VideoOp::absdiff, 1}, {P::vabsdiff2, isa::VideoOp::absdiff, 2}, {P::vabsdiff4, isa::VideoOp::absdiff, 4},
    {P::vmin, isa::VideoOp::min, 1},         {P::vmin2, isa::VideoOp::min, 2},         {P::vmin4, isa::VideoOp::min, 4},
    {P::vmax, isa::VideoOp::max, 1},         {P::vmax2, isa::VideoOp::max, 2},         {P::vmax4, isa::VideoOp::max, 4},
    {P::vset, isa::VideoOp::set, 1},         {P::vset2, isa::VideoOp::set, 2},         {P::vset4, isa::VideoOp::set, 4},
    {P::vavrg2, isa::VideoOp::average, 2},   {P::vavrg4, isa::VideoOp::average, 4},    {P::vshl, isa::VideoOp::shl, 1},
    {P::vshr, isa::VideoOp::shr, 1},         {P::vmad, isa::VideoOp::mad, 1},
};

struct Part {
  u8 width, index;
};

bool isPart(const std::string& selector, char kind, char last) {
  return selector.size() == 2 && selector[0] == kind && selector[1] <= last;
}

void scalarParts(const Selector& s, isa::Video& form) {
  const auto part = [&](const ptx::Operand& source) -> Part {
    if (source.selector.empty()) return {4, 0};
    const u8 index = static_cast<u8>(source.selector[1] - '0');
    if (isPart(source.selector, 'b', '3')) return {1, index};
    if (isPart(source.selector, 'h', '1')) return {2, index};
    s.unsupported("the parts of a register are .b0 to .b3, .h0 and .h1");
  };
  const Part a = part(s.operand(1)), b = part(s.operand(2)), to = part(s.operand(0));
  form.widthA = a.width, form.selectA[0] = a.index;
  form.widthB = b.width, form.selectB[0] = b.index;
  form.widthTo = to.width, form.to = to.index;
  const bool accumulates = form.second != isa::VideoSecond::none;
  if (to.width < 4 && accumulates) s.unsupported("a part of the destination excludes a second operation");
  if (to.width < 4 && !s.hasOperand(3)) s.unsupported("a part of the destination needs a third source to merge with");
  if (to.width == 4 && !accumulates && s.hasOperand(3) && form.operation != isa::VideoOp::mad)
    s.unsupported("a third source needs a part of the destination or a second operation");
}

// Selectors name the parts from the highest lane to the lowest; without one, a gives its own parts and b its own.
void packedParts(const Selector& s, isa::Video& form) {
  const char kind = form.lanes == 2 ? 'h' : 'b';
  const auto parts = [&](const ptx::Operand& source, std::array<u8, 4>& to, u8 first) {
    for (u8 lane = 0; lane < form.lanes; ++lane) to[lane] = static_cast<u8>(first + lane);
    if (source.selector.empty()) return;
    if (source.selector[0] != kind || source.selector.size() != 1u + form.lanes) s.unsupported("the selector names one part for each lane");
    for (u8 lane = 0; lane < form.lanes; ++lane) {
      to[lane] = static_cast<u8>(source.selector[form.lanes - lane] - '0');
      if (to[lane] >= 2 * form.lanes) s.unsupported("the selector names a part that the operands do not have");
    }
  };
  parts(s.operand(1), form.selectA, 0);
  parts(s.operand(2), form.selectB, form.lanes);
  form.to = static_cast<u8>((1u << form.lanes) - 1);
  const std::string& mask = s.operand(0).selector;
  if (mask.empty()) return;
  form.to = 0;
  if (mask[0] != kind) s.unsupported("the mask names lanes of the destination");
  for (std::size_t i = 1; i < mask.size(); ++i) {
    if (mask[i] - '0' >= form.lanes) s.unsupported("the mask names lanes of the destination");
    form.to = static_cast<u8>(form.to | 1u << (mask[i] - '0'));
  }
}

}  // namespace

void selectVideo(Selector& s) {
  isa::Video form;
  for (const VideoRow& row : kRows) {
    if (row.opcode != s.in().opcode) continue;
    form.operation = row.operation;
    form.lanes = row.lanes;
  }
  const ptx::Modifiers& from = s.in().modifiers;
  const DataType type = from.type == ptx::Type::s32 ? DataType::s32 : DataType::u32;
  form.signedTo = type == DataType::s32;
  form.signedA = from.source == ptx::Type::s32;
  form.signedB = from.second == ptx::Type::s32;
  form.second = machineTerm(from.accumulate);
  form.compare = s.arithmeticModifiers().compare;
  form.plusOne = from.plusOne;
  form.scale = from.scale;
  form.wrapShift = !from.clampShift;
  form.lanes == 1 ? scalarParts(s, form) : packedParts(s, form);

  const Operand a = s.use(s.operand(1), DataType::u32), b = s.use(s.operand(2), DataType::u32);
  const Operand c = s.hasOperand(3) ? s.use(s.operand(3), DataType::u32) : Operand::makeImmediate(0);
  MachineInstruction& video = s.emit(isa::Opcode::video, type, {s.define(s.operand(0), type)}, {a, b, c});
  video.modifiers.saturate = from.sat;
  video.modifiers.video = form;
}

}  // namespace warpwright::compiler
