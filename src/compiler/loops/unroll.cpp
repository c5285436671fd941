#include "compiler/loops/unroll.hpp"

#include <algorithm>
#include <map>

#include "compiler/loops/counted_loop.hpp"

namespace warpwright::compiler {
namespace {

using isa::Compare;
using isa::DataType;
using isa::Opcode;
using isa::Operand;

// How much is unrolled: what ptxas of CUDA 13 does for sm_75 with a loop of a load and a chain of multiply-adds, by their number.
constexpr u32 kRunTimeCopies = 4;         // when the number of iterations is not a constant, …
constexpr u32 kLargestWithoutLoads = 18;  // … in bodies of up to this cost, …
constexpr u32 kCostOfASharedLoad = 4;     // … and this for each load from shared memory, …
constexpr u32 kLargestWithSharedLoads = 80;
constexpr u32 kLargestWithLoads = 46;      // … or up to this cost when they load from farther away
constexpr u32 kLargestWhole = 512;         // instructions of a loop that is written out wholly
constexpr u32 kLargestConstantMain = 350;  // instructions of a loop body when only a part of a constant number is

// Copies beyond this distance would not fit in a comparison's immediate.
constexpr s64 kLargestStep = 1 << 20;

// In instructions of a 32-bit machine: two for 64-bit arithmetic, and for an access to memory by a 64-bit address.
u32 costOf(const MachineFunction& function, const MachineInstruction& instruction) {
  if (isa::info(instruction.opcode).family == isa::Family::memory) return 1 + (sourceWords(function, instruction, 0) == 2);
  return isa::info(instruction.opcode).family == isa::Family::lane && isa::sizeOf(instruction.type) == 8 ? 2 : 1;
}

struct Plan {
  CountedLoop loop;
  u32 copies = 1;
  bool whole = false;  // no loop is left
  bool rest = false;   // the loop itself stays behind the main loop
};

bool isKeptRolled(const MachineFunction& function, const CountedLoop& loop) {
  return std::any_of(function.rolledLoops.begin(), function.rolledLoops.end(),
                     [&](u32 label) { return function.labels[label] == loop.begin; });
}

u32 largestDivisor(u64 number, u32 most) {
  for (u32 divisor = most; divisor > 1; --divisor)
    if (number % divisor == 0) return divisor;
  return 1;
}

// The copies hide one another's latencies; the more there are, the larger the loop may be.
bool isWorthCopying(const MachineFunction& function, const CountedLoop& loop) {
  u32 cost = 0, sharedLoads = 0;
  bool fartherLoads = false;
  for (u32 i = loop.begin; i < loop.end; ++i) {
    const MachineInstruction& instruction = function.code[i];
    // Lanes that leave a loop after different numbers of iterations meet those that stay in the same instruction of every iteration. They
    // would not, were some of them in the main loop and some in the rest.
    if (isa::lanesMeet(instruction.opcode)) return false;
    cost += costOf(function, instruction);
    if (instruction.opcode != Opcode::ld) continue;
    const isa::Space space = instruction.modifiers.space;
    sharedLoads += space == isa::Space::shared;
    fartherLoads |= space == isa::Space::global || space == isa::Space::generic || space == isa::Space::local;
  }
  const u32 most = std::min(kLargestWithoutLoads + kCostOfASharedLoad * sharedLoads, kLargestWithSharedLoads);
  return cost <= std::max(most, fartherLoads ? kLargestWithLoads : 0);
}

Plan planFor(const MachineFunction& function, const CountedLoop& loop) {
  Plan plan{loop};
  if (loop.iterations) {
    plan.whole = *loop.iterations * loop.size() <= kLargestWhole;
    plan.copies = plan.whole ? static_cast<u32>(*loop.iterations) : largestDivisor(*loop.iterations, kLargestConstantMain / loop.size());
    return plan;
  }
  // A comparison that says when to stop is how clang ends the loops that it has unrolled already; ptxas leaves them alone too.
  const bool asksWhenToStop = function.code[loop.end - 1].guard.negated;
  if (asksWhenToStop || !isWorthCopying(function, loop) || std::abs(loop.step) > kLargestStep) return plan;
  plan.copies = kRunTimeCopies;
  plan.rest = true;
  return plan;
}

class Unroller {
 public:
  Unroller(MachineFunction& function, const Plan& plan)
      : function_(function), plan_(plan), loop_(plan.loop), newPosition_(function.code.size() + 1) {}

  void run() {
    for (u32 i = 0; i < loop_.begin; ++i) keep(i);
    newPosition_[loop_.begin] = position();
    if (plan_.rest) {
      runTimeLoop();
    } else {
      constantLoop();
    }
    for (u32 i = loop_.end; i < function_.code.size(); ++i) keep(i);
    newPosition_[function_.code.size()] = position();
    const std::vector<std::pair<u32, u32>> bound = std::move(bound_);
    replaceCode(function_, std::move(code_), newPosition_);
    for (const auto& [label, where] : bound) function_.labels[label] = where;
  }

 private:
  u32 position() const { return static_cast<u32>(code_.size()); }
  void keep(u32 old) {
    newPosition_[old] = position();
    code_.push_back(function_.code[old]);
  }
  // A label of the new code.
  u32 newLabel() { return function_.newLabel(0); }
  void bind(u32 label) { bound_.emplace_back(label, position()); }

  // The last copy is the original: its labels stay its own.
  void constantLoop() {
    const u32 start = newLabel();
    bind(start);
    for (u32 copy = 1; copy < plan_.copies; ++copy) copyBody();
    original();
    if (plan_.whole) return code_.pop_back();
    code_.back().target = start;
    function_.rolledLoops.push_back(start);
  }

  void runTimeLoop() {
    const u32 main = newLabel(), rest = newLabel(), end = newLabel();
    enterMain(rest);
    bind(main);
    for (u32 copy = 0; copy < plan_.copies; ++copy) copyBody();
    branch(main, isFarEnough());
    branch(end, inverted(back().guard));
    bind(rest);
    original();
    code_.back().target = rest;
    bind(end);
    for (const u32 label : {main, rest}) function_.rolledLoops.push_back(label);
  }

  // The way to the bound is exact where the variable has not passed it yet. What is compared for inequality may have any way to it: until
  // it gets there, all comparisons say "continue".
  void enterMain(u32 rest) {
    Operand enters = isFarEnough();
    if (loop_.continuesWhile != Compare::ne) {
      const Operand far = enters;
      enters = Operand::makePredicate(function_.newPredicate());
      MachineInstruction& comparison = emit(Opcode::setp, loop_.type);
      comparison.modifiers.compare = loop_.continuesWhile;
      comparison.modifiers.combine = isa::BoolOp::and_;
      comparison.destinations[0] = enters;
      comparison.sources = {loop_.variable, loop_.bound, far, Operand{}};
    }
    branch(rest, inverted(enters));
  }

  // All comparisons of a main loop's iteration but the last will say "continue"; so did the last of the one before.
  Operand isFarEnough() {
    const bool wide = isa::sizeOf(loop_.type) == 8;
    const Operand distance = Operand::makeRegister(wide ? function_.newGroup(2, 2) : function_.newGroup(1, 1));
    MachineInstruction& subtraction = emit(Opcode::sub, wide ? DataType::s64 : DataType::s32);
    subtraction.destinations[0] = distance;
    subtraction.sources[0] = loop_.step > 0 ? loop_.bound : loop_.variable;
    subtraction.sources[1] = loop_.step > 0 ? loop_.variable : loop_.bound;

    const bool mayMeet = loop_.continuesWhile == Compare::le || loop_.continuesWhile == Compare::ge;
    const u64 steps = plan_.copies - 2 + (loop_.comparesNext ? 1 : 0);
    MachineInstruction& comparison = emit(Opcode::setp, wide ? DataType::s64 : DataType::s32);
    comparison.modifiers.compare = mayMeet ? Compare::ge : Compare::gt;
    comparison.destinations[0] = Operand::makePredicate(function_.newPredicate());
    comparison.sources[0] = distance;
    comparison.sources[1] = Operand::makeImmediate(steps * static_cast<u64>(std::abs(loop_.step)));
    return comparison.destinations[0];
  }

  // All but the branch back.
  void copyBody() {
    std::map<u32, u32> labelOf;  // of the original → of the copy
    for (u32 i = loop_.begin; i + 1 < loop_.end; ++i)
      if (const MachineInstruction& instruction = function_.code[i]; instruction.opcode == Opcode::bra)
        labelOf.try_emplace(instruction.target, kNone);
    for (auto& [old, copy] : labelOf) copy = newLabel();
    for (u32 i = loop_.begin; i < loop_.end; ++i) {
      for (const auto& [old, copy] : labelOf)
        if (function_.labels[old] == i) bind(copy);
      if (i + 1 == loop_.end) break;
      MachineInstruction& instruction = code_.emplace_back(function_.code[i]);
      if (instruction.opcode == Opcode::bra) instruction.target = labelOf[instruction.target];
    }
  }

  void original() {
    for (u32 i = loop_.begin; i < loop_.end; ++i) {
      if (i > loop_.begin) newPosition_[i] = position();
      code_.push_back(function_.code[i]);
    }
  }

  const MachineInstruction& back() const { return function_.code[loop_.end - 1]; }

  // An instruction instead of the loop's branch.
  MachineInstruction& emit(Opcode opcode, DataType type) {
    MachineInstruction& result = code_.emplace_back();
    result.opcode = opcode;
    result.type = type;
    result.origin = back().origin;
    result.sourceFile = back().sourceFile;
    result.sourceLine = back().sourceLine;
    result.ptxLine = back().ptxLine;
    return result;
  }
  void branch(u32 label, const Operand& guard) {
    MachineInstruction& result = emit(Opcode::bra, DataType::u32);
    result.target = label;
    result.guard = guard;
  }
  static Operand inverted(Operand predicate) {
    predicate.negated = !predicate.negated;
    return predicate;
  }

  MachineFunction& function_;
  const Plan& plan_;
  const CountedLoop& loop_;
  std::vector<MachineInstruction> code_;
  std::vector<u32> newPosition_;
  std::vector<std::pair<u32, u32>> bound_;  // new labels and their positions
};

}  // namespace

bool unrollLoops(MachineFunction& function) {
  if (function.keepsLoops) return false;
  const std::vector<CountedLoop> loops = findCountedLoops(function);
  bool changed = false;
  // From the last to the first: positions before a loop stay what they are.
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    if (isKeptRolled(function, *loop)) continue;
    const Plan plan = planFor(function, *loop);
    if (plan.copies == 1 && !plan.whole) continue;
    Unroller(function, plan).run();
    changed = true;
  }
  return changed;
}

}  // namespace warpwright::compiler
