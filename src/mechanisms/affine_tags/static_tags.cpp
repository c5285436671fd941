#include "mechanisms/affine_tags/static_tags.hpp"

#include <algorithm>

namespace warpwright::mechanisms::affine_tags {
namespace {

using isa::Opcode;
using Kind = OperandPlace::Kind;

bool endsPath(Opcode opcode) { return opcode == Opcode::exit || opcode == Opcode::ret || opcode == Opcode::trap; }
bool isGuarded(const isa::Instruction& instruction) { return instruction.guard.index != isa::kTruePredicate; }
bool isCall(Opcode opcode) { return opcode == Opcode::call || opcode == Opcode::calli || opcode == Opcode::syscall; }

}  // namespace

StaticTags::StaticTags(const exec::LaunchRequest& request, TagRules rules)
    : program_(request.program->program),
      block_(request.block),
      warpSize_(request.limits.warpSize),
      rules_(rules),
      states_(program_.code.size()),
      lost_(program_.code.size()) {
  operations_.reserve(program_.code.size());
  for (const isa::Instruction& instruction : program_.code) operations_.push_back(describe(instruction, program_.addressBits));
  // Every function that has code: which of them are called is not known for indirect calls. Nothing is known of their arguments.
  std::vector<u32> entries;
  TagFile nothing(rules_);
  nothing.forget(isa::kMaxRegisters);
  for (const isa::Function& function : program_.functions) {
    if (function.begin == function.end) continue;
    enter(function.begin, nothing);
    entries.push_back(function.begin);
  }
  while (!entries.empty()) {
    settle(std::move(entries));
    entries = diverge();
  }
}

void StaticTags::settle(std::vector<u32> pending) {
  while (!pending.empty()) {
    const u32 pc = pending.back();
    pending.pop_back();
    transfer(pc);
    for (const u32 next : successors(pc)) {
      if (enter(next, states_[pc].after)) pending.push_back(next);
    }
  }
}

// True when less is known there than before.
bool StaticTags::enter(u32 pc, const TagFile& state) {
  State& to = states_[pc];
  if (!to.reached) {
    to.reached = true;
    to.before = state;
    applyLost(pc);
    return true;
  }
  TagFile joined = to.before;
  if (!joined.join(state)) return false;
  to.before = std::move(joined);
  applyLost(pc);
  return true;
}

void StaticTags::applyLost(u32 pc) {
  const Lost& lost = lost_[pc];
  for (u32 number = 0; number < lost.registers.size(); ++number) {
    if (lost.registers[number]) states_[pc].before.lose(number, Loss::partialWrite);
  }
  states_[pc].before.losePredicates(lost.predicates);
}

void StaticTags::transfer(u32 pc) {
  const isa::Instruction& instruction = program_.code[pc];
  State& state = states_[pc];
  state.after = state.before;
  if (isCall(instruction.opcode)) {
    state.after.forget(isa::kMaxRegisters);
    return;
  }
  const bool mixes = isGuarded(instruction) && state.before.predicate(instruction.guard.index) == Tag::generic;
  const LaneMask all = firstLanes(warpSize_);
  state.after.apply(operations_[pc], {{}, pc, &instruction, mixes ? 0 : all, {nullptr, warpSize_, nullptr, all}});
  if (operations_[pc].across == isa::Across::special && !mixes) {
    const Tag tag = threadNumber(instruction.modifiers.special);
    if (tag == Tag::affine) state.after.set(operations_[pc].destinations[0], {Tag::affine, Tag::affine, Tag::uniform});
    if (tag == Tag::uniform) state.after.set(operations_[pc].destinations[0], RegisterTag::uniform());
  }
  // A uniform guard lets all lanes write, or none.
  if (isGuarded(instruction)) state.after.join(state.before);
}

// Of what differs between lanes: numbers of threads in a block whose rows are whole warps, or that is one row.
Tag StaticTags::threadNumber(isa::SpecialRegister which) const {
  using isa::SpecialRegister;
  if (which == SpecialRegister::laneid) return Tag::affine;
  if (which >= SpecialRegister::lanemask_eq && which <= SpecialRegister::lanemask_gt) return Tag::generic;
  if (which > SpecialRegister::tid_z) return Tag::uniform;
  const bool isRow = block_.x % warpSize_ == 0 || (block_.y == 1 && block_.z == 1);
  if (!isRow) return Tag::generic;
  return which == SpecialRegister::tid_x ? Tag::affine : Tag::uniform;
}

std::vector<u32> StaticTags::successors(u32 pc) const {
  const isa::Instruction& instruction = program_.code[pc];
  std::vector<u32> result;
  if (instruction.opcode == Opcode::bra) result.push_back(instruction.target);
  if (instruction.opcode == Opcode::brx) {
    const auto& table = program_.branchTables[instruction.target];
    result.insert(result.end(), table.begin(), table.end());
  }
  const bool leaves = instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx || endsPath(instruction.opcode);
  if ((!leaves || isGuarded(instruction)) && pc + 1 < program_.code.size()) result.push_back(pc + 1);
  return result;
}

bool StaticTags::isDivergent(u32 pc) const {
  const isa::Instruction& instruction = program_.code[pc];
  if (!states_[pc].reached) return false;
  if (instruction.opcode == Opcode::brx) return states_[pc].before.of(operations_[pc].sources[0]) != Tag::uniform;
  return instruction.opcode == Opcode::bra && isGuarded(instruction) &&
         states_[pc].before.predicate(instruction.guard.index) != Tag::uniform;
}

// Where paths of divergent branches meet, of which less is known now.
std::vector<u32> StaticTags::diverge() {
  std::vector<u32> changed;
  for (u32 pc = 0; pc < program_.code.size(); ++pc) {
    const u32 meeting = program_.code[pc].reconvergence;
    if (meeting >= program_.code.size() || !isDivergent(pc) || !loseBetween(pc, meeting)) continue;
    if (!states_[meeting].reached) continue;
    applyLost(meeting);
    changed.push_back(meeting);
  }
  return changed;
}

bool StaticTags::loseBetween(u32 branch, u32 meeting) {
  Lost& lost = lost_[meeting];
  lost.registers.resize(isa::kMaxRegisters + 1);
  bool changed = false;
  std::vector<bool> seen(program_.code.size());
  std::vector<u32> pending = successors(branch);
  while (!pending.empty()) {
    const u32 pc = pending.back();
    pending.pop_back();
    if (pc == meeting || seen[pc]) continue;
    seen[pc] = true;
    const Operation& operation = operations_[pc];
    for (u32 i = 0; i < operation.writeCount; ++i) {
      changed |= !lost.registers[operation.writes[i]];
      lost.registers[operation.writes[i]] = true;
    }
    for (const OperandPlace& destination : operation.destinations) {
      if (destination.kind != Kind::predicate) continue;
      changed |= (lost.predicates >> destination.first & 1) == 0;
      lost.predicates |= u64{1} << destination.first;
    }
    for (const u32 next : successors(pc)) pending.push_back(next);
  }
  return changed;
}

}  // namespace warpwright::mechanisms::affine_tags
