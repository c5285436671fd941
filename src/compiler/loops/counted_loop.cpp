#include "compiler/loops/counted_loop.hpp"

#include <algorithm>

#include "compiler/analysis/loops.hpp"
#include "isa/evaluate.hpp"

namespace warpwright::compiler {
namespace {

using isa::Compare;
using isa::DataType;
using isa::Opcode;
using isa::Operand;

bool isCounterType(DataType type) {
  return type == DataType::u32 || type == DataType::s32 || type == DataType::u64 || type == DataType::s64;
}

// a … b ⇔ b … a
Compare mirrored(Compare compare) {
  switch (compare) {
    case Compare::lt:
      return Compare::gt;
    case Compare::le:
      return Compare::ge;
    case Compare::gt:
      return Compare::lt;
    case Compare::ge:
      return Compare::le;
    default:
      return compare;
  }
}

Compare opposite(Compare compare) {
  switch (compare) {
    case Compare::eq:
      return Compare::ne;
    case Compare::ne:
      return Compare::eq;
    case Compare::lt:
      return Compare::ge;
    case Compare::le:
      return Compare::gt;
    case Compare::gt:
      return Compare::le;
    case Compare::ge:
      return Compare::lt;
    default:
      return compare;
  }
}

// With that step and comparison the variable nears its bound until the loop ends.
bool counts(Compare continuesWhile, s64 step) {
  switch (continuesWhile) {
    case Compare::ne:
      return true;
    case Compare::lt:
    case Compare::le:
      return step > 0;
    case Compare::gt:
    case Compare::ge:
      return step < 0;
    default:
      return false;
  }
}

class Finder {
 public:
  explicit Finder(const MachineFunction& function)
      : function_(function),
        flow_(buildControlFlow(function)),
        tree_(flow_.successors, 0),
        loops_(findLoops(flow_)),
        writers_(function.units()) {
    for (u32 i = 0; i < function.code.size(); ++i)
      forEachDestinationUnit(function, function.code[i], [&](u32 unit) { writers_[unit].push_back(i); });
  }

  std::vector<CountedLoop> run() {
    std::vector<CountedLoop> found;
    for (const Loop& loop : loops_.loops)
      if (const std::optional<CountedLoop> counted = recognise(loop)) found.push_back(*counted);
    std::sort(found.begin(), found.end(), [](const CountedLoop& a, const CountedLoop& b) { return a.begin < b.begin; });
    return found;
  }

 private:
  const MachineInstruction& at(u32 position) const { return function_.code[position]; }

  std::optional<CountedLoop> recognise(const Loop& loop) const {
    const auto [first, last] = std::minmax_element(loop.blocks.begin(), loop.blocks.end());
    const bool onePiece = *last - *first + 1 == loop.blocks.size() && *first == loop.header;
    if (!onePiece || !isInnermost(loop) || !leavesOnlyAtItsEnd(*first, *last)) return std::nullopt;
    CountedLoop result;
    result.begin = flow_.blocks[*first].begin;
    result.end = flow_.blocks[*last].end;
    if (!findComparison(result) || !counts(result.continuesWhile, result.step)) return std::nullopt;
    result.iterations = countIterations(result, loop);
    return result;
  }

  bool isInnermost(const Loop& loop) const {
    return std::none_of(loops_.loops.begin(), loops_.loops.end(), [&](const Loop& other) {
      return &other != &loop && std::find(loop.blocks.begin(), loop.blocks.end(), other.header) != loop.blocks.end();
    });
  }
  u32 indexOf(const Loop& loop) const { return static_cast<u32>(&loop - loops_.loops.data()); }

  bool leavesOnlyAtItsEnd(u32 first, u32 last) const {
    for (u32 block = first; block <= last; ++block) {
      const MachineInstruction& final = at(flow_.blocks[block].end - 1);
      if (flow_.leaves[block] || final.opcode == Opcode::brx || final.opcode == Opcode::exit || final.endsThread) return false;
      for (const u32 successor : flow_.successors[block]) {
        const bool inside = successor > first && successor <= last;
        if (block < last && !inside) return false;
      }
    }
    const MachineInstruction& back = at(flow_.blocks[last].end - 1);
    const bool branchesBack =
        back.opcode == Opcode::bra && !isAlwaysExecuted(back) && function_.labels[back.target] == flow_.blocks[first].begin;
    return branchesBack && last + 1 < flow_.blocks.size();
  }

  // Position of the only instruction of the loop that writes the unit, if it is executed in every iteration by every lane; else kNone.
  u32 onlyWriterIn(const CountedLoop& loop, u32 unit) const {
    u32 result = kNone;
    for (const u32 writer : writers_[unit]) {
      if (writer < loop.begin || writer >= loop.end) continue;
      if (result != kNone) return kNone;
      result = writer;
    }
    if (result == kNone || !isAlwaysExecuted(at(result))) return kNone;
    return tree_.dominates(flow_.blockAt(result), flow_.blockAt(loop.end - 1)) ? result : kNone;
  }

  bool isInvariant(const CountedLoop& loop, const MachineInstruction& instruction, u32 source) const {
    const Operand& operand = instruction.sources[source];
    if (operand.kind == Operand::Kind::immediate) return !instruction.symbol && !instruction.addsFrame;
    if (operand.kind == Operand::Kind::param) return true;
    if (!isRegister(operand) || operand.index == kStackWord) return false;
    const u32 words = sourceWords(function_, instruction, source);
    for (u32 w = 0; w < words; ++w)
      for (const u32 writer : writers_[operand.index + w])
        if (writer >= loop.begin && writer < loop.end) return false;
    return true;
  }

  bool findComparison(CountedLoop& loop) const {
    const MachineInstruction& back = at(loop.end - 1);
    const u32 position = onlyWriterIn(loop, function_.unitOfPredicate(back.guard.index));
    if (position == kNone) return false;
    const MachineInstruction& comparison = at(position);
    const bool plain = comparison.opcode == Opcode::setp && comparison.modifiers.combine == isa::BoolOp::none;
    if (!plain || !isCounterType(comparison.type) || comparison.destinations[0].index != back.guard.index) return false;
    loop.type = comparison.type;
    for (u32 side = 0; side < 2; ++side) {
      if (!isRegister(comparison.sources[side]) || !isInvariant(loop, comparison, 1 - side)) continue;
      loop.variable = comparison.sources[side];
      loop.bound = comparison.sources[1 - side];
      loop.continuesWhile = side == 0 ? comparison.modifiers.compare : mirrored(comparison.modifiers.compare);
      if (back.guard.negated) loop.continuesWhile = opposite(loop.continuesWhile);
      if (findStep(loop, position)) return true;
    }
    return false;
  }

  bool findStep(CountedLoop& loop, u32 comparison) const {
    const u32 position = onlyWriterIn(loop, loop.variable.index);
    if (position == kNone) return false;
    const MachineInstruction& addition = at(position);
    const bool plain = addition.opcode == Opcode::add && !addition.modifiers.saturate && !addition.modifiers.carryIn &&
                       !addition.modifiers.carryOut && !addition.symbol && !addition.addsFrame;
    if (!plain || isa::sizeOf(addition.type) != isa::sizeOf(loop.type) || !isCounterType(addition.type)) return false;
    if (addition.destinations[0] != loop.variable || addition.sources[0] != loop.variable) return false;
    if (isa::sizeOf(loop.type) == 8 && onlyWriterIn(loop, loop.variable.index + 1) != position) return false;
    if (addition.sources[1].kind != Operand::Kind::immediate) return false;
    const u64 value = addition.sources[1].value;
    loop.step = isa::sizeOf(loop.type) == 4 ? static_cast<s32>(value) : static_cast<s64>(value);
    loop.comparesNext = position < comparison;
    return loop.step != 0;
  }

  // The variable's value when the loop begins, if it is a constant: a move that every way from one execution of the loop to the next
  // passes, and that nothing else competes with.
  std::optional<u64> findStart(const CountedLoop& loop, const Loop& natural) const {
    const std::vector<u32>& writers = writers_[loop.variable.index];
    if (writers.size() != 2) return std::nullopt;
    const u32 position = writers[0] >= loop.begin && writers[0] < loop.end ? writers[1] : writers[0];
    const MachineInstruction& move = at(position);
    const bool constant = move.opcode == Opcode::mov && move.sources[0].kind == Operand::Kind::immediate && !move.symbol && !move.addsFrame;
    if (!constant || !isAlwaysExecuted(move) || move.destinations[0] != loop.variable) return std::nullopt;
    if (destinationWords(function_, move, 0) * 4 != isa::sizeOf(loop.type)) return std::nullopt;
    const u32 block = flow_.blockAt(position);
    if (!tree_.dominates(block, natural.header)) return std::nullopt;
    for (const u32 outer : loops_.around[natural.header]) {
      const std::vector<u32>& blocks = loops_.loops[outer].blocks;
      if (outer != indexOf(natural) && std::find(blocks.begin(), blocks.end(), block) == blocks.end()) return std::nullopt;
    }
    return move.sources[0].value;
  }

  // Runs the loop's arithmetic.
  std::optional<u64> countIterations(const CountedLoop& loop, const Loop& natural) const {
    if (loop.bound.kind != Operand::Kind::immediate) return std::nullopt;
    const std::optional<u64> start = findStart(loop, natural);
    if (!start) return std::nullopt;
    isa::Instruction addition, comparison;
    addition.opcode = Opcode::add;
    addition.type = comparison.type = loop.type;
    comparison.opcode = Opcode::setp;
    comparison.modifiers.compare = loop.continuesWhile;
    u64 value = *start;
    for (u64 iterations = 1; iterations <= kMostCountedIterations; ++iterations) {
      const u64 next = isa::evaluate(addition, {value, static_cast<u64>(loop.step)})[0];
      if (isa::evaluate(comparison, {loop.comparesNext ? next : value, loop.bound.value})[0] == 0) return iterations;
      value = next;
    }
    return std::nullopt;
  }

  const MachineFunction& function_;
  ControlFlow flow_;
  DominatorTree tree_;
  Loops loops_;
  std::vector<std::vector<u32>> writers_;  // positions by unit
};

}  // namespace

std::vector<CountedLoop> findCountedLoops(const MachineFunction& function) {
  if (function.code.empty()) return {};
  return Finder(function).run();
}

}  // namespace warpwright::compiler
