#include "compiler/analysis/affine.hpp"

#include <algorithm>

#include "compiler/liveness.hpp"

namespace warpwright::compiler {
namespace {

using isa::Across;
using isa::Opcode;
using isa::Operand;
using isa::SpecialRegister;

LanePattern join(LanePattern a, LanePattern b) { return std::max(a, b); }

LanePattern patternOf(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::tid_x:
    case SpecialRegister::laneid:
      return LanePattern::affine;
    case SpecialRegister::lanemask_eq:
    case SpecialRegister::lanemask_le:
    case SpecialRegister::lanemask_lt:
    case SpecialRegister::lanemask_ge:
    case SpecialRegister::lanemask_gt:
      return LanePattern::generic;
    default:
      return LanePattern::uniform;
  }
}

class LanePatternAnalysis {
 public:
  explicit LanePatternAnalysis(const MachineFunction& function)
      : function_(function),
        flow_(buildControlFlow(function)),
        liveness_(function, flow_),
        postDominators_(immediatePostDominators(flow_)),
        patterns_(function.units(), LanePattern::uniform) {}

  // From "all are uniform" upwards until nothing changes.
  std::vector<LanePattern> run() {
    patterns_[kStackWord] = LanePattern::uniform;
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (u32 i = 0; i < function_.code.size(); ++i) transfer(i);
      for (u32 b = 0; b < flow_.blocks.size(); ++b) diverge(b);
    }
    return std::move(patterns_);
  }

 private:
  void raise(u32 unit, LanePattern pattern) {
    if (pattern <= patterns_[unit]) return;
    patterns_[unit] = pattern;
    changed_ = true;
  }

  LanePattern predicate(const Operand& operand) const {
    if (operand.index < kFirstVirtualPredicate) return LanePattern::uniform;
    return patterns_[function_.unitOfPredicate(operand.index)];
  }
  LanePattern source(const MachineInstruction& instruction, u32 index) const {
    const Operand& operand = instruction.sources[index];
    if (operand.kind == Operand::Kind::predicate) return predicate(operand);
    LanePattern result = LanePattern::uniform;
    if (isRegister(operand))
      for (u32 w = 0; w < sourceWords(function_, instruction, index); ++w) result = join(result, patterns_[operand.index + w]);
    return result;
  }
  LanePattern all(const MachineInstruction& instruction) const {
    LanePattern result = LanePattern::uniform;
    for (u32 i = 0; i < instruction.sources.size(); ++i) result = join(result, source(instruction, i));
    return result;
  }

  void transfer(u32 position) {
    const MachineInstruction& instruction = function_.code[position];
    LanePattern pattern = result(instruction);
    const bool merges = !isAlwaysExecuted(instruction) && !liveness_.overwrites(position);
    if (merges && predicate(instruction.guard) != LanePattern::uniform) pattern = LanePattern::generic;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) {
      if (unit == kStackWord) return;
      const bool flag = unit >= function_.words();
      raise(unit, flag && pattern == LanePattern::affine ? LanePattern::generic : pattern);
    });
  }

  LanePattern result(const MachineInstruction& instruction) const {
    switch (isa::info(instruction.opcode).family) {
      case isa::Family::lane:
        return computed(instruction);
      case isa::Family::memory:
        return loaded(instruction);
      case isa::Family::texture:
        return instruction.opcode == Opcode::txq ? all(instruction) : uniformOrGeneric(all(instruction));
      case isa::Family::warp:
        return ofWarp(instruction);
      case isa::Family::control:
        return isa::info(instruction.opcode).across == Across::group ? LanePattern::uniform : LanePattern::generic;
    }
    return LanePattern::generic;
  }

  static LanePattern uniformOrGeneric(LanePattern pattern) {
    return pattern == LanePattern::uniform ? LanePattern::uniform : LanePattern::generic;
  }

  LanePattern computed(const MachineInstruction& instruction) const {
    const LanePattern a = source(instruction, 0), b = source(instruction, 1), c = source(instruction, 2);
    if (isa::isFloat(instruction.type) && instruction.opcode != Opcode::mov) return uniformOrGeneric(all(instruction));
    switch (isa::info(instruction.opcode).across) {
      case Across::copy:
      case Across::address:
        return a;
      case Across::convert:
        return isa::isFloat(instruction.sourceType) ? uniformOrGeneric(a) : a;
      case Across::sum:
      case Across::difference:
        return join(a, b);
      case Across::shift_left:
        return b == LanePattern::uniform ? a : LanePattern::generic;
      case Across::product:
        return product(a, b);
      case Across::product_sum:
        return join(product(a, b), c);
      case Across::select:
        return c == LanePattern::uniform ? join(a, b) : LanePattern::generic;
      case Across::lanewise:
        return lanewise(instruction);
      case Across::none:
      case Across::pack:
      case Across::unpack:
      case Across::special:
      case Across::load:
      case Across::group:
      case Across::scattered:
        break;
    }
    return uniformOrGeneric(all(instruction));
  }

  // Some operations keep more across lanes than the rules of the tagged register file use.
  LanePattern lanewise(const MachineInstruction& instruction) const {
    const LanePattern a = source(instruction, 0), b = source(instruction, 1);
    if (instruction.opcode == Opcode::neg) return a;
    if (instruction.opcode == Opcode::mul24_lo) return product(a, b);
    if (instruction.opcode == Opcode::mad24_lo) return join(product(a, b), source(instruction, 2));
    return uniformOrGeneric(all(instruction));
  }

  static LanePattern product(LanePattern a, LanePattern b) {
    if (a == LanePattern::uniform) return b;
    return b == LanePattern::uniform ? a : LanePattern::generic;
  }

  // All lanes that read one address read one value, but for local memory, of which each has its own.
  LanePattern loaded(const MachineInstruction& instruction) const {
    const isa::Space space = instruction.modifiers.space;
    const bool own = space == isa::Space::local || space == isa::Space::generic;
    if (instruction.opcode != Opcode::ld || own) return LanePattern::generic;
    return uniformOrGeneric(all(instruction));
  }

  LanePattern ofWarp(const MachineInstruction& instruction) const {
    if (instruction.opcode == Opcode::s2r) return patternOf(instruction.modifiers.special);
    const bool same = instruction.opcode == Opcode::vote || instruction.opcode == Opcode::redux || instruction.opcode == Opcode::activemask;
    return same ? LanePattern::uniform : LanePattern::generic;
  }

  // Where a branch may divide the lanes: what they write before they meet again differs between them there.
  void diverge(u32 block) {
    const MachineInstruction& last = function_.code[flow_.blocks[block].end - 1];
    const bool divides = (last.opcode == Opcode::bra && predicate(last.guard) != LanePattern::uniform) ||
                         (last.opcode == Opcode::brx && all(last) != LanePattern::uniform);
    if (!divides) return;
    const u32 meeting = postDominators_[block];
    std::vector<u32> reachedFrom(flow_.blocks.size());
    std::vector<bool> between(flow_.blocks.size());
    for (const u32 successor : flow_.successors[block]) follow(successor, meeting, reachedFrom, between);
    NumberSet written(function_.units());
    for (u32 b = 0; b < flow_.blocks.size(); ++b)
      if (between[b])
        for (u32 i = flow_.blocks[b].begin; i < flow_.blocks[b].end; ++i)
          forEachDestinationUnit(function_, function_.code[i], [&](u32 unit) { written.set(unit); });
    for (u32 b = 0; b < flow_.blocks.size(); ++b) {
      if (b != meeting && reachedFrom[b] < 2) continue;
      NumberSet differs = liveness_.liveIn(b);
      differs.intersect(written);
      differs.forEach([&](u32 unit) {
        if (unit != kStackWord) raise(unit, LanePattern::generic);
      });
    }
  }

  // Blocks from one side of the branch up to the meeting point.
  void follow(u32 start, u32 meeting, std::vector<u32>& reachedFrom, std::vector<bool>& between) const {
    std::vector<bool> seen(flow_.blocks.size());
    std::vector<u32> work{start};
    while (!work.empty()) {
      const u32 block = work.back();
      work.pop_back();
      if (block == meeting || seen[block]) continue;
      seen[block] = true;
      ++reachedFrom[block];
      between[block] = true;
      for (const u32 successor : flow_.successors[block]) work.push_back(successor);
    }
  }

  const MachineFunction& function_;
  ControlFlow flow_;
  Liveness liveness_;
  std::vector<u32> postDominators_;
  std::vector<LanePattern> patterns_;
  bool changed_ = false;
};

}  // namespace

std::vector<LanePattern> findLanePatterns(const MachineFunction& function) { return LanePatternAnalysis(function).run(); }

}  // namespace warpwright::compiler
