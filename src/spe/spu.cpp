#include "spe/spu.hpp"

#include <fmt/format.h>

#include <numeric>

#include "base/error.hpp"

namespace warpwright::spe {
namespace {

constexpr u32 kInstructionBytes = 4;

}  // namespace

Spu::Spu(const Machine& machine) : machine_(machine), pipeline_(machine_, values_), schedules_(machine_) {}
Spu::~Spu() { release(); }

void Spu::release() {
  for (const Instruction& instruction : block_.instructions) forEachValue(instruction, [&](ValueId value) { values_.dropUse(value); });
  block_.instructions.clear();
  block_.parts.clear();
}

// ---- recording

Instruction& Spu::add(Opcode opcode, std::initializer_list<const Quad*> sources, s32 immediate) {
  Instruction instruction{.opcode = opcode, .immediate = immediate};
  std::size_t index = 0;
  for (const Quad* const source : sources) {
    instruction.sources[index++] = source->id();
    values_.addUse(source->id());
  }
  return block_.instructions.emplace_back(instruction);
}

Quad Spu::record(Opcode opcode, const Words& result, std::initializer_list<const Quad*> sources, s32 immediate) {
  Instruction& instruction = add(opcode, sources, immediate);
  instruction.target = values_.add(result);
  values_.addUse(instruction.target);
  return {values_, instruction.target};
}

// A constant has a register before the program begins.
Quad Spu::constant(const Words& words) {
  const ValueId id = values_.add(words);
  Quad quad(values_, id);
  values_.giveRegister(id);
  return quad;
}

// ---- control

NameId Spu::idOf(std::string_view name) {
  if (name.empty()) return kNoName;
  const auto [found, isNew] = ids_.try_emplace(std::string(name), static_cast<NameId>(names_.size()));
  if (isNew) names_.emplace_back(name);
  return found->second;
}

bool Spu::branch(Opcode opcode, const Quad* condition, bool taken, std::string_view name) {
  Instruction& instruction = condition ? add(opcode, {condition}, 0) : add(opcode, {}, 0);
  instruction.taken = taken;
  instruction.name = idOf(name);
  finish();
  return taken;
}

void Spu::br(std::string_view name) { branch(Opcode::br, nullptr, true, name); }
bool Spu::brz(const Quad& condition, std::string_view name) { return branch(Opcode::brz, &condition, condition.word(0) == 0, name); }
bool Spu::brnz(const Quad& condition, std::string_view name) { return branch(Opcode::brnz, &condition, condition.word(0) != 0, name); }

void Spu::hbrr(std::string_view branch, std::string_view target) {
  if (branch.empty() || target.empty())
    throw Error("a hint without a branch or its target", {}, "name the branch, and the label it goes to");
  Instruction& hint = add(Opcode::hbrr, {}, 0);
  hint.name = idOf(branch);
  hint.hintedTo = idOf(target);
}

void Spu::label(std::string_view name) {
  finish();
  label_ = name;
}

// ---- the end of a block

// A value has its register until the last instruction that uses it, or as long as the program holds on to it.
void Spu::giveRegisters(const std::vector<u32>& order) {
  for (const Instruction& instruction : block_.instructions)
    forEachValue(instruction, [&](ValueId value) { values_.at(value).left = values_.at(value).uses; });
  const auto use = [&](ValueId id) {
    Value& value = values_.at(id);
    if (--value.left == 0 && value.handles == 0) values_.takeRegister(id);
  };
  for (const u32 index : order) {
    const Instruction& instruction = block_.instructions[index];
    for (const ValueId source : instruction.sources)
      if (source != kNoValue) use(source);
    if (instruction.target == kNoValue) continue;
    values_.giveRegister(instruction.target);
    mostRegisters_ = std::max(mostRegisters_, values_.registersTaken());
    use(instruction.target);
  }
}

std::string Spu::textOf(const Instruction& instruction) const {
  std::string text(nameOf(instruction.opcode));
  const char* separator = " ";
  const auto append = [&](const std::string& operand) {
    text += separator + operand;
    separator = ", ";
  };
  if (instruction.target != kNoValue) append(fmt::format("${}", values_.at(instruction.target).reg));
  for (const ValueId source : instruction.sources)
    if (source != kNoValue) append(fmt::format("${}", values_.at(source).reg));
  if (instruction.immediate != 0) append(fmt::format("{}", instruction.immediate));
  if (instruction.name != kNoName) text += " <" + names_[instruction.name] + ">";
  if (instruction.hintedTo != kNoName) text += ", " + names_[instruction.hintedTo];
  return text;
}

// Code is the same where the label, the instructions and their constants are.
u32 Spu::addressOf(const std::vector<u32>& order) {
  std::string key = label_;
  for (const u32 index : order) {
    const Instruction& instruction = block_.instructions[index];
    key += static_cast<char>(instruction.opcode);
    for (const u32 part : {static_cast<u32>(instruction.immediate), instruction.name, instruction.hintedTo})
      key.append(reinterpret_cast<const char*>(&part), sizeof part);
  }
  // Blocks begin at fetch groups.
  const u32 begin = (codeEnd_ + 7) / 8 * 8;
  const auto [found, isNew] = addresses_.try_emplace(std::move(key), begin);
  if (!isNew) return found->second;
  codeEnd_ = begin;
  for (const u32 index : order) {
    code_.push_back({codeEnd_ == begin ? label_ : std::string(), codeEnd_, textOf(block_.instructions[index])});
    codeEnd_ += kInstructionBytes;
  }
  return begin;
}

void Spu::finish() {
  if (block_.instructions.empty()) return;
  std::vector<u32> order(block_.instructions.size());
  std::iota(order.begin(), order.end(), 0u);
  if (machine_.order == Order::scheduled) order = schedules_.of(block_);
  giveRegisters(order);
  u32 address = addressOf(order);
  pipeline_.enter(idOf(label_));
  for (const u32 index : order) {
    const Instruction& instruction = block_.instructions[index];
    pipeline_.issue(instruction, address, block_.partsOf(instruction));
    address += kInstructionBytes;
  }
  release();
}

Statistics Spu::statistics() const {
  Statistics statistics = pipeline_.statistics();
  statistics.mismatches = store_.mismatches();
  statistics.unawaited = unawaited_;
  statistics.mostRegisters = mostRegisters_;
  return statistics;
}

}  // namespace warpwright::spe
