#include "compiler/select/selector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;

Selector::Selector(const ptx::Module& module, const ModuleLayout& layout, const CallGraph& calls, u32 function)
    : module_(module), layout_(layout), calls_(calls), own_(layout.functions[function]), source_(module.functions[function]) {
  code_.module = &module;
  code_.index = function;
  code_.addressBits = module.addressBits;
  code_.frameBytes = own_.frameBytes;
  code_.usesStack = !source_.isKernel;
  code_.newGroup(1, 1);  // kStackWord
}

MachineFunction Selector::run() {
  declareRegisters();
  for (u32 i = 0; i < source_.labels.size(); ++i) code_.newLabel();
  std::vector<std::vector<u32>> labelsAt(source_.body.size() + 1);
  for (u32 i = 0; i < source_.labels.size(); ++i) labelsAt[source_.labels[i].position].push_back(i);
  for (const ptx::NamedList& list : source_.branchTargets) code_.branchTables.push_back(list.entries);

  keepLoops(labelsAt);
  prologue();
  for (u32 i = 0; i <= source_.body.size(); ++i) {
    for (const u32 label : labelsAt[i]) code_.labels[label] = static_cast<u32>(code_.code.size());
    if (i < source_.body.size()) selectInstruction(i);
  }
  in_ = nullptr;
  guard_ = Operand::makePredicate(isa::kTruePredicate);
  selectRet(*this);
  return std::move(code_);
}

// .pragma "nounroll" of a module, of a function, or of the loop that begins where it stands.
void Selector::keepLoops(std::vector<std::vector<u32>>& labelsAt) {
  const auto visit = [&](const ptx::Pragma& pragma) {
    if (pragma.text != "nounroll") return;
    if (pragma.position == ptx::kNoIndex) {
      code_.keepsLoops = true;
      return;
    }
    code_.rolledLoops.push_back(code_.newLabel());
    labelsAt[pragma.position].push_back(code_.rolledLoops.back());
  };
  for (const ptx::Pragma& pragma : module_.pragmas) visit(pragma);
  for (const ptx::Pragma& pragma : source_.pragmas) visit(pragma);
}

void Selector::declareRegisters() {
  wordOf_.assign(source_.registers.size(), kNone);
  placeAccumulators();
  for (u32 r = 0; r < source_.registers.size(); ++r) {
    const ptx::Register& reg = source_.registers[r];
    byName_[reg.name] = r;
    if (wordOf_[r] != kNone) continue;
    if (reg.type == ptx::Type::pred) {
      wordOf_[r] = code_.newPredicate();
      continue;
    }
    const u32 words = (ptx::sizeOf(reg.type) + 3) / 4;
    wordOf_[r] = code_.newGroup(words, words);
  }
}

// Products of warp groups update their accumulators in place: the registers of one lie side by side from the beginning, unless others share
// some of them in another order.
void Selector::placeAccumulators() {
  for (const ptx::Instruction& instruction : source_.body) {
    if (instruction.opcode != ptx::Opcode::wgmma || instruction.modifiers.async != ptx::AsyncOp::multiply) continue;
    const std::vector<ptx::Operand>& sums = instruction.operands[0].elements;
    std::set<u32> distinct;
    for (const ptx::Operand& each : sums)
      if (wordOf_[each.reg] == kNone) distinct.insert(each.reg);
    if (distinct.size() != sums.size()) continue;
    const u32 count = static_cast<u32>(sums.size()), first = code_.newGroup(count, alignmentOfGroup(count));
    for (u32 i = 0; i < count; ++i) wordOf_[sums[i].reg] = first + i;
  }
}

// Device functions: the parameters that are registers.
void Selector::prologue() {
  if (source_.isKernel) return;
  for (u32 i = 0; i < source_.parameters.size(); ++i) {
    const std::optional<u32> word = registerOf(source_.parameters[i]);
    if (!word) continue;
    const Address address{frameBase(), static_cast<s64>(own_.signature.parameters[i]), isa::Space::local, false, {}};
    emitLoad(*this, address, dataType(source_.parameters[i].type), 1, Operand::makeRegister(*word));
  }
}

// Device functions leave the return values that are registers in the parameter area.
void Selector::storeReturns() {
  for (u32 i = 0; i < source_.returns.size(); ++i) {
    const std::optional<u32> word = registerOf(source_.returns[i]);
    if (!word) continue;
    const Address address{frameBase(), static_cast<s64>(own_.signature.returns[i]), isa::Space::local, false, {}};
    emitStore(*this, address, unsignedOf(dataType(source_.returns[i].type)), 1, Operand::makeRegister(*word));
  }
}

std::optional<u32> Selector::registerOf(const ptx::Variable& value) const {
  const auto found = byName_.find(value.name);
  if (value.space != ptx::Space::reg || found == byName_.end()) return std::nullopt;
  if (isa::registerWords(dataType(value.type)) != 0) return firstWord(found->second);
  throw Error(fmt::format("'{}' of function '{}' cannot be passed in a register", value.name, source_.name),
              {module_.sourceName, value.line, value.column}, "pass predicates as .u32");
}

// Memory of the program is as its text has it there, too: nothing moves across a point. Where it may change a register, it has destinations
// for all: what is only read is found there, as a source may lie where a destination does.
void Selector::selectObservation(const ptx::Observation& observation) {
  guard_ = Operand::makePredicate(isa::kTruePredicate);
  MachineInstruction& point = emit(isa::Opcode::point, DataType::u32);
  point.offset = observation.function;
  const bool changesAny = std::ranges::any_of(observation.registers, &ptx::Observation::Observed::mayChange);
  u32 operand = 0;
  for (const ptx::Observation::Observed& each : observation.registers) {
    for (u32 word = 0; word < registerWordsOf(each.reg); ++word, ++operand) {
      const u32 own = firstWord(each.reg) + word;
      point.sources.at(operand) = Operand::makeRegister(own);
      if (changesAny) point.destinations.at(operand) = Operand::makeRegister(each.mayChange ? own : code_.newGroup(1, 1));
    }
  }
}

void Selector::selectInstruction(u32 position) {
  in_ = &source_.body[position];
  position_ = position;
  for (const ptx::Observation& each : in_->observed) selectObservation(each);
  guard_ = in_->guard.reg == ptx::kNoIndex ? Operand::makePredicate(isa::kTruePredicate)
                                           : Operand::makePredicate(firstWord(in_->guard.reg), in_->guard.negated);
  const SelectionHandler handler = handlerOf(in_->opcode);
  handler ? handler(*this) : laneByTable(*this);
}

MachineInstruction& Selector::emit(isa::Opcode opcode, DataType type) {
  MachineInstruction& result = code_.code.emplace_back();
  result.opcode = opcode;
  result.type = type;
  result.guard = guard_;
  if (in_ == nullptr) return result;
  result.origin = position_;
  result.sourceFile = in_->sourceFile;
  result.sourceLine = in_->sourceLine;
  result.ptxLine = in_->line;
  return result;
}

MachineInstruction& Selector::emit(isa::Opcode opcode, DataType type, std::initializer_list<Operand> destinations,
                                   std::initializer_list<Operand> sources) {
  MachineInstruction& result = emit(opcode, type);
  std::copy(destinations.begin(), destinations.end(), result.destinations.begin());
  std::copy(sources.begin(), sources.end(), result.sources.begin());
  return result;
}

MachineInstruction& Selector::compute(isa::Opcode opcode, DataType type, std::initializer_list<Operand> destinations,
                                      std::initializer_list<Operand> sources) {
  MachineInstruction& result = emit(opcode, type, destinations, sources);
  result.guard = Operand::makePredicate(isa::kTruePredicate);
  return result;
}

void Selector::copyWord(u32 to, Operand from) { emit(isa::Opcode::mov, DataType::u32, {Operand::makeRegister(to)}, {from}); }

void Selector::extend(const ptx::Operand& destination, DataType type) {
  if (destination.kind != ptx::Operand::Kind::reg || isPredicate(destination.reg)) return;
  const u32 words = registerWordsOf(destination.reg);
  if (words <= isa::registerWords(type)) return;
  const u32 low = firstWord(destination.reg);
  if (isa::isSigned(type) && !isa::isFloat(type)) {
    emit(isa::Opcode::shr, DataType::s32, {Operand::makeRegister(low + 1)}, {Operand::makeRegister(low), Operand::makeImmediate(31)});
    return;
  }
  copyWord(low + 1, Operand::makeImmediate(0));
}

void Selector::unsupported(const std::string& why, const std::string& remedy) const {
  const std::string reason = why.empty() ? "there is no machine instruction for it" : why;
  throw Error(fmt::format("cannot compile '{}' in {} '{}': {}", in_->text, source_.isKernel ? "kernel" : "function", source_.name, reason),
              {module_.sourceName, in_->line, in_->column},
              remedy.empty() ? "replace it with a form that docs/ptx-forms.md lists" : remedy);
}

bool Selector::hasOperand(u32 index) const { return index < in_->operands.size() && in_->operands[index].kind != ptx::Operand::Kind::none; }

const ptx::Operand& Selector::operand(u32 index) const {
  if (!hasOperand(index)) unsupported("an operand is missing", "see the PTX manual for the operands of this instruction");
  return in_->operands[index];
}

}  // namespace warpwright::compiler
