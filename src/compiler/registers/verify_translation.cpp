#include "compiler/registers/verify_translation.hpp"

#include <fmt/format.h>

#include "compiler/argument_registers.hpp"
#include "compiler/control_flow.hpp"
#include "compiler/registers/held_units.hpp"
#include "compiler/registers/repeatable.hpp"

namespace warpwright::compiler {
namespace {

using isa::Opcode;
using isa::Operand;

// Places: registers, then predicates, then words of local memory.
constexpr u32 kPredicatePlace = 256, kSlotPlace = 512;
// More say nothing new.
constexpr size_t kMostProblems = 20;

struct Word {
  u32 unit = 0, place = 0;
};

class Translation {
 public:
  Translation(const MachineFunction& before, const MachineFunction& after, const RegisterLimits& limits)
      : before_(before), after_(after), limits_(limits), flow_(buildControlFlow(after)), repeatable_(before) {}

  std::vector<std::string> run() {
    checkOrder();
    for (u32 i = 0; i < after_.code.size(); ++i) checkForm(i);
    if (problems_.empty()) followCode();
    return std::move(problems_);
  }

 private:
  template <class... T>
  void report(u32 position, fmt::format_string<T...> text, T&&... values) {
    if (problems_.size() < kMostProblems)
      problems_.push_back(fmt::format("instruction {}: ", position) + fmt::format(text, std::forward<T>(values)...));
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
      if (!seen[n]) report(n, "of the function is missing");
  }

  void checkTargets(u32 position, const MachineInstruction& a, const MachineInstruction& b) {
    const bool ends = b.opcode == Opcode::bra || b.opcode == Opcode::brx || b.opcode == Opcode::ret || b.opcode == Opcode::exit ||
                      b.opcode == Opcode::trap || b.endsThread;
    if ((!ends || !isAlwaysExecuted(b)) && nextOwn(position + 1) != a.number + 1) report(position, "is followed by another instruction");
    const auto sameTarget = [&](u32 labelA, u32 labelB) { return nextOwn(after_.labels[labelA]) == before_.labels[labelB]; };
    if (b.opcode == Opcode::bra && !sameTarget(a.target, b.target)) report(position, "branches to another place");
    if (b.opcode != Opcode::brx) return;
    const std::vector<u32>&tableA = after_.branchTables[a.target], &tableB = before_.branchTables[b.target];
    for (u32 i = 0; i < tableB.size(); ++i)
      if (!sameTarget(tableA[i], tableB[i])) report(position, "branches to another place in entry {}", i);
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
  std::vector<Word> wordsOf(const Operand& place, const Operand& unit, u32 words) const {
    if (unit.kind == Operand::Kind::predicate && unit.index >= kFirstVirtualPredicate)
      return {{before_.unitOfPredicate(unit.index), kPredicatePlace + place.index}};
    std::vector<Word> result;
    if (unit.kind != Operand::Kind::reg) return result;
    for (u32 w = 0; w < words; ++w) result.push_back({unit.index + w, place.index + w});
    return result;
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
    std::vector<State> entry(flow_.blocks.size(), State{HeldUnits(before_.units()), repeatable_.atEntry()});
    std::vector<bool> reached(flow_.blocks.size());
    const std::vector<u32> order = flow_.blocks.empty() ? std::vector<u32>{} : reversePostorder(flow_.successors, 0);
    // The entry block may be a loop's head: at the start nothing is defined.
    if (!order.empty()) reached[0] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 b : order) {
        State state = entry[b];
        followBlock(b, state, false);
        for (const u32 successor : flow_.successors[b]) {
          if (reached[successor]) {
            changed |= entry[successor].meet(state);
            continue;
          }
          entry[successor] = state;
          reached[successor] = changed = true;
        }
      }
    }
    for (const u32 b : order) {
      State state = entry[b];
      followBlock(b, state, true);
    }
  }

  void followBlock(u32 block, State& state, bool checks) {
    for (u32 i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) follow(i, state, checks);
  }

  void follow(u32 position, State& state, bool checks) {
    const MachineInstruction& a = after_.code[position];
    switch (a.role) {
      case Role::own:
        repeatable_.execute(a.number, state.held, state.repeatable);
        return followOwn(position, state.held, checks);
      case Role::rematerialised:
        return followRematerialised(position, state, checks);
      case Role::reload:
        return move(state.held, kSlotPlace + static_cast<u32>(a.offset / 4), a.destinations[0].index, wordsMoved(a));
      case Role::store:
        return move(state.held, a.sources[1].index, kSlotPlace + static_cast<u32>(a.offset / 4), wordsMoved(a));
      case Role::hold:
        return move(state.held, kPredicatePlace + a.sources[2].index, a.destinations[0].index, 1);
      case Role::restore:
        return move(state.held, a.sources[0].index, kPredicatePlace + a.destinations[0].index, 1);
      case Role::jump:
        return;
    }
  }

  static u32 wordsMoved(const MachineInstruction& access) { return isa::registerWords(access.type) * access.vector; }

  static void move(HeldUnits& state, u32 from, u32 to, u32 words) {
    for (u32 w = 0; w < words; ++w) {
      const std::vector<u32> units = state.unitsIn(from + w);
      state.clear(to + w);
      for (const u32 unit : units) state.add(to + w, unit);
    }
  }

  void checkSources(u32 position, const MachineInstruction& a, const MachineInstruction& b, const HeldUnits& state) {
    const auto check = [&](const Operand& place, const Operand& unit, u32 words) {
      for (const Word& word : wordsOf(place, unit, words))
        if (word.unit != kStackWord && !state.holds(word.place, word.unit))
          report(position, "reads unit {} from place {}, which does not hold it", word.unit, word.place);
    };
    check(a.guard, b.guard, 1);
    for (u32 i = 0; i < b.sources.size(); ++i) check(a.sources[i], b.sources[i], sourceWords(before_, b, i));
  }

  void followOwn(u32 position, HeldUnits& state, bool checks) {
    const MachineInstruction &a = after_.code[position], &b = before_.code[a.number];
    if (checks) checkSources(position, a, b, state);
    if (isCall(b)) state.keepOnly([](u32 place) { return place >= kSlotPlace || isPreservedByCalls(place); });
    const bool always = isAlwaysExecuted(b);
    const bool copies = b.opcode == Opcode::mov && always && !b.sources[0].negated;
    const std::vector<Word> copied = copies ? wordsOf(a.sources[0], b.sources[0], sourceWords(before_, b, 0)) : std::vector<Word>{};
    std::vector<std::vector<u32>> contents;
    for (const Word& word : copied) contents.push_back(state.unitsIn(word.place));

    std::vector<Word> written;
    for (u32 i = 0; i < b.destinations.size(); ++i)
      for (const Word& word : wordsOf(a.destinations[i], b.destinations[i], destinationWords(before_, b, i))) written.push_back(word);
    // A guarded write leaves the old value in some lanes, so it has to lie in the same place.
    std::vector<bool> complete;
    for (const Word& word : written) complete.push_back(always || state.holds(word.place, word.unit));
    for (const Word& word : written) {
      state.forget(word.unit);
      state.clear(word.place);
      state.define(word.unit);
    }
    for (u32 w = 0; w < written.size(); ++w) {
      if (complete[w]) state.add(written[w].place, written[w].unit);
      if (w >= copied.size()) continue;
      for (const u32 unit : contents[w]) state.add(written[w].place, unit);
      state.addWhere(copied[w].unit, written[w].unit);
    }
  }

  void followRematerialised(u32 position, State& state, bool checks) {
    const MachineInstruction &a = after_.code[position], &b = before_.code[a.number];
    if (checks) checkSources(position, a, b, state.held);
    const bool same = state.repeatable.test(a.number);
    if (checks && !same) report(position, "repeats instruction {}, which may give another result now", a.number);
    for (u32 i = 0; i < b.destinations.size(); ++i)
      for (const Word& word : wordsOf(a.destinations[i], b.destinations[i], destinationWords(before_, b, i))) {
        state.held.clear(word.place);
        if (same) state.held.add(word.place, word.unit);
      }
  }

  const MachineFunction &before_, &after_;
  RegisterLimits limits_;
  ControlFlow flow_;
  Repeatable repeatable_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verifyTranslation(const MachineFunction& before, const MachineFunction& after, const RegisterLimits& limits) {
  return Translation(before, after, limits).run();
}

void numberInstructions(MachineFunction& function) {
  for (u32 i = 0; i < function.code.size(); ++i) function.code[i].number = i;
}

}  // namespace warpwright::compiler
