#include "compiler/verify_allocation.hpp"

#include <fmt/format.h>

#include "compiler/bit_set.hpp"
#include "compiler/control_flow.hpp"

namespace warpwright::compiler {
namespace {

class Verifier {
 public:
  Verifier(const MachineFunction& function, const Allocation& allocation, u32 maxRegisters)
      : function_(function), allocation_(allocation), maxRegisters_(maxRegisters), flow_(buildControlFlow(function)) {}

  std::vector<std::string> run() {
    checkPlaces();
    if (!problems_.empty()) return std::move(problems_);
    findSharers();
    followCode();
    return std::move(problems_);
  }

 private:
  // Which units hold a value on some path, and which of these may have lost it to another unit in the same register.
  struct State {
    BitSet written, lost;
  };

  u32 homeCount() const { return maxRegisters_ + isa::kPredicates; }
  // Registers first, then predicates.
  u32 homeOf(u32 unit) const { return unit < function_.words() ? allocation_.home[unit] : maxRegisters_ + allocation_.home[unit]; }

  void checkPlaces() {
    for (const MachineInstruction& instruction : function_.code) {
      const auto check = [&](u32 unit) { checkUnit(unit); };
      forEachSourceUnit(function_, instruction, check);
      forEachDestinationUnit(function_, instruction, check);
      for (u32 i = 0; i < instruction.destinations.size(); ++i)
        checkGroup(instruction.destinations[i], destinationWords(function_, instruction, i));
      for (u32 i = 0; i < instruction.sources.size(); ++i) checkGroup(instruction.sources[i], sourceWords(function_, instruction, i));
    }
  }

  void checkUnit(u32 unit) {
    const bool predicate = unit >= function_.words();
    const u32 limit = predicate ? isa::kPredicates : maxRegisters_;
    const u32 home = allocation_.home[unit];
    if (home >= limit) problems_.push_back(fmt::format("unit {} has no register below {}", unit, limit));
    if (!predicate && unit != kStackWord && function_.usesStack && home == isa::kStackRegister)
      problems_.push_back(fmt::format("unit {} lies on the stack pointer", unit));
  }

  void checkGroup(const isa::Operand& operand, u32 words) {
    if (words < 2) return;
    const u32 first = allocation_.home[operand.index], alignment = words > 2 ? 4 : 2;
    if (first % alignment != 0) problems_.push_back(fmt::format("group at unit {} begins in unaligned register {}", operand.index, first));
    for (u32 w = 1; w < words; ++w)
      if (allocation_.home[operand.index + w] != first + w)
        problems_.push_back(fmt::format("group at unit {} is torn apart at word {}", operand.index, w));
  }

  void findSharers() {
    sharers_.resize(homeCount());
    for (u32 unit = 0; unit < function_.units(); ++unit)
      if (allocation_.home[unit] != kNone) sharers_[homeOf(unit)].push_back(unit);
  }

  void followCode() {
    const State nothing{BitSet(function_.units()), BitSet(function_.units())};
    std::vector<State> entry(flow_.blocks.size(), nothing);
    const std::vector<u32> order = flow_.blocks.empty() ? std::vector<u32>{} : reversePostorder(flow_.successors, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 b : order) {
        State state = entry[b];
        followBlock(b, state, false);
        for (const u32 successor : flow_.successors[b]) {
          changed |= entry[successor].written.unite(state.written);
          changed |= entry[successor].lost.unite(state.lost);
        }
      }
    }
    for (const u32 b : order) {
      State state = entry[b];
      followBlock(b, state, true);
    }
  }

  void followBlock(u32 block, State& state, bool report) {
    for (u32 i = flow_.blocks[block].begin; i < flow_.blocks[block].end; ++i) {
      const MachineInstruction& instruction = function_.code[i];
      if (report)
        forEachSourceUnit(function_, instruction, [&](u32 unit) {
          if (state.lost.test(unit)) problems_.push_back(fmt::format("instruction {} reads unit {}, whose register was reused", i, unit));
        });
      write(instruction, state);
    }
  }

  void write(const MachineInstruction& instruction, State& state) {
    std::vector<u32> written;
    forEachDestinationUnit(function_, instruction, [&](u32 unit) { written.push_back(unit); });
    for (const u32 unit : written) {
      for (const u32 other : sharers_[homeOf(unit)])
        if (other != unit && state.written.test(other) && !isCopy(instruction, other, unit)) state.lost.set(other);
    }
    for (const u32 unit : written) {
      // A guarded write leaves the old value in some lanes: what was lost there stays lost.
      if (isAlwaysExecuted(instruction) || !state.written.test(unit)) state.lost.reset(unit);
      state.written.set(unit);
    }
  }

  bool isCopy(const MachineInstruction& instruction, u32 from, u32 to) const {
    if (instruction.opcode != isa::Opcode::mov || instruction.sources[0].negated) return false;
    const u32 toPosition = positionIn(instruction, to, true), fromPosition = positionIn(instruction, from, false);
    return toPosition != kNone && toPosition == fromPosition;
  }

  u32 positionIn(const MachineInstruction& instruction, u32 wanted, bool destination) const {
    const isa::Operand& operand = destination ? instruction.destinations[0] : instruction.sources[0];
    if (operand.kind == isa::Operand::Kind::predicate) return function_.unitOfPredicate(operand.index) == wanted ? 0 : kNone;
    if (operand.kind != isa::Operand::Kind::reg) return kNone;
    const u32 words = destination ? destinationWords(function_, instruction, 0) : sourceWords(function_, instruction, 0);
    return wanted >= operand.index && wanted < operand.index + words ? wanted - operand.index : kNone;
  }

  const MachineFunction& function_;
  const Allocation& allocation_;
  u32 maxRegisters_;
  ControlFlow flow_;
  std::vector<std::vector<u32>> sharers_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verifyAllocation(const MachineFunction& function, const Allocation& allocation, u32 maxRegisters) {
  return Verifier(function, allocation, maxRegisters).run();
}

}  // namespace warpwright::compiler
