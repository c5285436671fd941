#include "compiler/registers/verify_translation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/argument_registers.hpp"
#include "compiler/control_flow.hpp"
#include "compiler/registers/held_units.hpp"
#include "compiler/registers/repeatable.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;

// Locations: registers, then predicates, then words of local memory.
constexpr u32 kPredicateLocation = 256, kSlotLocation = 512;
// More say nothing new.
constexpr size_t kMostProblems = 20;

struct Word {
  u32 unit = 0, location = 0;
};

// A guarded write leaves the old value in some lanes: it is complete where that lies in the same location.
struct WrittenWord : Word {
  bool complete = true;
};

class Translation {
 public:
  Translation(const MachineFunction& before, const MachineFunction& after, const RegisterLimits& limits)
      : before_(before), after_(after), limits_(limits), flow_(buildControlFlow(after)) {}

  std::vector<Problem> run() {
    checkOrder();
    for (u32 i = 0; i < after_.code.size(); ++i) checkForm(i);
    if (problems_.empty()) followCode();
    return std::move(problems_);
  }

 private:
  template <class... T>
  void report(u32 position, fmt::format_string<T...> text, T&&... values) {
    if (problems_.size() < kMostProblems) problems_.push_back({&after_.code[position], fmt::format(text, std::forward<T>(values)...)});
  }

  // --- the shape of the code
  // The first of the function's own instructions that runs from a position; the size of `before` at the end.
  u32 nextOwn(u32 position) const {
    for (u32 steps = 0; position < after_.code.size() && steps <= after_.code.size(); ++steps) {
      const MachineInstruction& instruction = after_.code[position];
      if (instruction.role == Role::own) return instruction.number;
      position = instruction.role == Role::jump ? after_.labels[instruction.target] : position + 1;
    }
    return static_cast<u32>(before_.code.size());
  }

  void checkOrder() {
    std::vector<bool> seen(before_.code.size());
    for (u32 i = 0; i < after_.code.size(); ++i) {
      const MachineInstruction& instruction = after_.code[i];
      if (instruction.role != Role::own) continue;
      if (instruction.number >= seen.size() || seen[instruction.number]) {
        report(i, "is not one of the function's own");
        continue;
      }
      seen[instruction.number] = true;
      checkTargets(i, instruction, before_.code[instruction.number]);
    }
    for (u32 n = 0; n < seen.size(); ++n)
      if (!seen[n] && problems_.size() < kMostProblems) problems_.push_back({&before_.code[n], "is missing"});
  }

  void checkTargets(u32 position, const MachineInstruction& a, const MachineInstruction& b) {
    if ((!endsBlock(b) || !isAlwaysExecuted(b)) && nextOwn(position + 1) != a.number + 1)
      report(position, "is followed by another instruction");
    const auto sameTarget = [&](u32 labelA, u32 labelB) { return nextOwn(after_.labels[labelA]) == before_.labels[labelB]; };
    if (b.opcode == Opcode::bra && !sameTarget(a.target, b.target)) report(position, "branches to another instruction");
    if (b.opcode != Opcode::brx) return;
    const std::vector<u32>&tableA = after_.branchTables[a.target], &tableB = before_.branchTables[b.target];
    for (u32 i = 0; i < tableB.size(); ++i)
      if (!sameTarget(tableA[i], tableB[i])) report(position, "branches to another instruction in entry {}", i);
  }

  // Own instructions and rematerialised ones differ from the function's only in their registers.
  void checkForm(u32 position) {
    const MachineInstruction& a = after_.code[position];
    if (a.role != Role::own && a.role != Role::rematerialised) return;
    if (a.number >= before_.code.size()) return report(position, "stands for no instruction");
    const MachineInstruction& b = before_.code[a.number];
    if (a.opcode != b.opcode || a.type != b.type || a.vector != b.vector || a.offset != b.offset) report(position, "is another operation");
    const auto check = [&](const Operand& x, const Operand& y, u32 words) {
      const bool same = x.kind == y.kind && x.negated == y.negated && x.value == y.value;
      if (!same) report(position, "has another operand");
      if (same && x.kind == Operand::Kind::reg) checkRegister(position, x.index, y.index, words);
      if (same && x.kind == Operand::Kind::predicate) checkPredicate(position, x.index, y.index);
    };
    check(a.guard, b.guard, 1);
    for (u32 i = 0; i < b.sources.size(); ++i) check(a.sources[i], b.sources[i], sourceWords(before_, b, i));
    for (u32 i = 0; i < b.destinations.size(); ++i) check(a.destinations[i], b.destinations[i], destinationWords(before_, b, i));
    if (!namesArguments(a.opcode)) return;
    for (const Operand& arguments : {a.sources[kArgumentsOperand], a.destinations[0]})
      if (arguments.kind == Operand::Kind::reg && arguments.index != kFirstArgumentRegister)
        report(position, "passes arguments in register {}", arguments.index);
  }

  void checkRegister(u32 position, u32 reg, u32 unit, u32 words) {
    if (reg + words > limits_.registers && unit != kStackWord) report(position, "uses register {}, above the limit", reg + words - 1);
    if (words > 1 && reg % (words > 2 ? 4 : 2) != 0) report(position, "has an unaligned group at register {}", reg);
    const bool coversStack = reg <= isa::kStackRegister && isa::kStackRegister < reg + words;
    if (before_.usesStack && coversStack != (unit == kStackWord)) report(position, "confuses the stack pointer");
  }

  void checkPredicate(u32 position, u32 predicate, u32 unit) {
    if ((predicate == isa::kTruePredicate) != (unit == isa::kTruePredicate)) return report(position, "has another predicate");
    if (predicate != isa::kTruePredicate && predicate >= limits_.predicates) report(position, "uses predicate {}", predicate);
  }

  // --- values
  // Calls visit(Word) for the words of an operand and of the location that it was given.
  template <class Visitor>
  void forEachWord(const Operand& location, const Operand& unit, u32 words, Visitor&& visit) const {
    if (unit.kind == Operand::Kind::predicate && unit.index >= kFirstVirtualPredicate)
      visit(Word{before_.unitOfPredicate(unit.index), kPredicateLocation + location.index});
    if (unit.kind != Operand::Kind::reg) return;
    for (u32 w = 0; w < words; ++w) visit(Word{unit.index + w, location.index + w});
  }

  template <class Visitor>
  void forEachSource(const MachineInstruction& a, const MachineInstruction& b, Visitor&& visit) const {
    forEachWord(a.guard, b.guard, 1, visit);
    for (u32 i = 0; i < b.sources.size(); ++i) forEachWord(a.sources[i], b.sources[i], sourceWords(before_, b, i), visit);
  }

  template <class Visitor>
  void forEachDestination(const MachineInstruction& a, const MachineInstruction& b, Visitor&& visit) const {
    for (u32 i = 0; i < b.destinations.size(); ++i)
      forEachWord(a.destinations[i], b.destinations[i], destinationWords(before_, b, i), visit);
  }

  static bool isComputation(const MachineInstruction& instruction) {
    return instruction.role == Role::own || instruction.role == Role::rematerialised;
  }

  ExposedUnits findExposedUnits() const {
    ExposedUnits exposed(before_.units());
    std::vector<u32> writtenIn(before_.units(), kNone);  // the last block that wrote the unit in all lanes
    const auto expose = [&](u32 unit, u32 block) {
      if (writtenIn[unit] != block) exposed.add(unit);
    };
    for (u32 block = 0; block < flow_.blocks.size(); ++block) {
      for (u32 i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
        const MachineInstruction& a = after_.code[i];
        if (!isComputation(a)) continue;
        const MachineInstruction& b = before_.code[a.number];
        forEachSourceUnit(before_, b, [&](u32 unit) { expose(unit, block); });
        if (a.role == Role::rematerialised) continue;
        forEachDestinationUnit(before_, b, [&](u32 unit) {
          if (!replacesDestinations(b)) return expose(unit, block);
          writtenIn[unit] = block;
        });
      }
    }
    return exposed;
  }

  std::vector<u32> rematerialisedNumbers() const {
    std::vector<u32> numbers;
    for (const MachineInstruction& instruction : after_.code)
      if (instruction.role == Role::rematerialised) numbers.push_back(instruction.number);
    return numbers;
  }

  struct State {
    HeldUnits held;
    Repeatable::Set repeatable;

    bool meet(const State& other) {
      const bool changed = repeatable.intersect(other.repeatable);
      return held.meet(other.held) || changed;
    }
  };

  void followCode() {
    if (flow_.blocks.empty()) return;
    const ExposedUnits exposed = findExposedUnits();
    const Repeatable repeatable(before_, rematerialisedNumbers());
    const std::vector<u32> order = reversePostorder(flow_.successors, 0);
    std::vector<State> entry(flow_.blocks.size(), State{HeldUnits(exposed), repeatable.atEntry()});
    std::vector<bool> reached(flow_.blocks.size()), isDue(flow_.blocks.size());
    // The entry block may be a loop's head: at the start nothing is defined.
    reached[0] = isDue[0] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 b : order) {
        if (!isDue[b]) continue;
        isDue[b] = false;
        State state = entry[b];
        followBlock(b, repeatable, state, false);
        state.held.settle();
        for (const u32 successor : flow_.successors[b]) {
          if (reached[successor] && !entry[successor].meet(state)) continue;
          if (!reached[successor]) entry[successor] = state;
          reached[successor] = isDue[successor] = changed = true;
        }
      }
    }
    for (const u32 b : order) followBlock(b, repeatable, entry[b], true);
  }

  void followBlock(u32 block, const Repeatable& repeatable, State& state, bool checks) {
    for (u32 i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) follow(i, repeatable, state, checks);
  }

  void follow(u32 position, const Repeatable& repeatable, State& state, bool checks) {
    const MachineInstruction& a = after_.code[position];
    switch (a.role) {
      case Role::own:
        repeatable.execute(a.number, state.held, state.repeatable);
        return followOwn(position, state.held, checks);
      case Role::rematerialised:
        return followRematerialised(position, repeatable.test(state.repeatable, a.number), state.held, checks);
      case Role::reload:
        return move(state.held, kSlotLocation + static_cast<u32>(a.offset / 4), a.destinations[0].index, wordsMoved(a));
      case Role::store:
        return move(state.held, a.sources[1].index, kSlotLocation + static_cast<u32>(a.offset / 4), wordsMoved(a));
      case Role::hold:
        return move(state.held, kPredicateLocation + a.sources[2].index, a.destinations[0].index, 1);
      case Role::restore:
        return move(state.held, a.sources[0].index, kPredicateLocation + a.destinations[0].index, 1);
      case Role::jump:
        return;
    }
  }

  static u32 wordsMoved(const MachineInstruction& access) { return isa::registerWords(access.type) * access.vector; }

  void move(HeldUnits& state, u32 from, u32 to, u32 words) {
    for (u32 w = 0; w < words; ++w) {
      std::vector<u32> units;
      state.forEachUnitIn(from + w, [&](u32 unit) { units.push_back(unit); });
      state.clear(to + w);
      for (const u32 unit : units) state.add(to + w, unit);
    }
  }

  void checkSources(u32 position, const MachineInstruction& a, const MachineInstruction& b, const HeldUnits& state) {
    forEachSource(a, b, [&](const Word& word) {
      if (word.unit != kStackWord && !state.holds(word.location, word.unit))
        report(position, "reads unit {} from location {}, which does not hold it", word.unit, word.location);
    });
  }

  bool isWritten(u32 unit) const {
    return std::any_of(written_.begin(), written_.end(), [unit](const WrittenWord& word) { return word.unit == unit; });
  }

  void followOwn(u32 position, HeldUnits& state, bool checks) {
    const MachineInstruction &a = after_.code[position], &b = before_.code[a.number];
    if (checks) checkSources(position, a, b, state);
    if (isCall(b)) state.keepOnly([](u32 location) { return location >= kSlotLocation || isPreservedByCalls(location); });
    const bool always = replacesDestinations(b);
    written_.clear();
    copied_.clear();
    carried_.clear();
    forEachDestination(a, b, [&](const Word& word) { written_.push_back({word, always || state.holds(word.location, word.unit)}); });
    if (b.opcode == Opcode::mov && always && !b.sources[0].negated)
      forEachWord(a.sources[0], b.sources[0], sourceWords(before_, b, 0), [&](const Word& word) { copied_.push_back(word); });
    for (u32 w = 0; w < copied_.size(); ++w)
      state.forEachUnitIn(copied_[w].location, [&](u32 unit) {
        if (!isWritten(unit)) carried_.push_back({unit, written_[w].location});
      });
    for (const WrittenWord& word : written_) state.overwrite(word.location, word.unit);
    for (const WrittenWord& word : written_)
      if (word.complete) state.add(word.location, word.unit);
    for (const Word& word : carried_) state.add(word.location, word.unit);
    for (u32 w = 0; w < copied_.size(); ++w)
      if (!isWritten(copied_[w].unit)) state.addWhere(copied_[w].unit, written_[w].unit);
  }

  void followRematerialised(u32 position, bool isSame, HeldUnits& state, bool checks) {
    const MachineInstruction &a = after_.code[position], &b = before_.code[a.number];
    if (checks) checkSources(position, a, b, state);
    if (checks && !isSame) report(position, "repeats instruction {}, which may give another result now", a.number);
    forEachDestination(a, b, [&](const Word& word) {
      state.clear(word.location);
      if (isSame) state.add(word.location, word.unit);
    });
  }

  const MachineFunction &before_, &after_;
  RegisterLimits limits_;
  ControlFlow flow_;
  std::vector<Problem> problems_;
  // Of the instruction at hand.
  std::vector<WrittenWord> written_;
  std::vector<Word> copied_, carried_;  // the words that a copy reads; the units that come with them, and where they go
};

}  // namespace

std::vector<Problem> verifyTranslation(const MachineFunction& before, const MachineFunction& after, const RegisterLimits& limits) {
  return Translation(before, after, limits).run();
}

void numberInstructions(MachineFunction& function) {
  for (u32 i = 0; i < function.code.size(); ++i) function.code[i].number = i;
}

}  // namespace warpwright::compiler
