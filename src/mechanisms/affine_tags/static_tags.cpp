#include "mechanisms/affine_tags/static_tags.hpp"

#include <algorithm>

namespace warpwright::mechanisms::affine_tags {

using Kind = OperandLocation::Kind;

namespace {

using isa::Opcode;

bool isJump(Opcode opcode) { return isa::info(opcode).flow == isa::Flow::jump; }
bool endsPath(Opcode opcode) { return isa::info(opcode).flow == isa::Flow::leave || isa::info(opcode).flow == isa::Flow::stop; }
bool isGuarded(const isa::Instruction& instruction) { return instruction.guard.index != isa::kTruePredicate; }
bool isCall(Opcode opcode) { return isa::info(opcode).flow == isa::Flow::call; }

}  // namespace

StaticTags::StaticTags(const exec::LaunchRequest& request, TagRules rules)
    : program_(request.launch->program->program),
      block_(request.launch->block),
      warpSize_(request.limits.warpSize),
      rules_(rules),
      states_(program_.code.size()),
      lost_(program_.code.size()) {
  operations_.reserve(program_.code.size());
  for (const isa::Instruction& instruction : program_.code) operations_.push_back(describe(instruction, program_.addressBits));
  // Every function that has code: which of them are called is not known for indirect calls. Nothing is known of their arguments.
  std::vector<Pc> entries;
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

void StaticTags::settle(std::vector<Pc> pending) {
  while (!pending.empty()) {
    const Pc pc = pending.back();
    pending.pop_back();
    transfer(pc);
    for (const Pc next : successors(pc)) {
      if (enter(next, states_[pc].after)) pending.push_back(next);
    }
  }
}

// True when less is known there than before.
bool StaticTags::enter(Pc pc, const TagFile& state) {
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

void StaticTags::applyLost(Pc pc) {
  const Written& lost = lost_[pc];
  if (lost.registers.none() && lost.predicates == 0) return;
  for (u32 number = 0; number < lost.registers.size(); ++number) {
    if (lost.registers[number]) states_[pc].before.lose(number, Loss::partialWrite);
  }
  states_[pc].before.losePredicates(lost.predicates);
}

void StaticTags::transfer(Pc pc) {
  const isa::Instruction& instruction = program_.code[pc];
  State& state = states_[pc];
  state.after = state.before;
  if (isCall(instruction.opcode)) {
    state.after.forget(isa::kMaxRegisters);
    return;
  }
  const bool mixes = isGuarded(instruction) && state.before.predicate(instruction.guard.index) == Tag::generic;
  const LaneMask all = LaneMask::first(warpSize_);
  state.after.apply(operations_[pc], {{}, pc, &instruction, mixes ? LaneMask{} : all, {nullptr, warpSize_, nullptr, all}});
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

std::vector<Pc> StaticTags::successors(Pc pc) const {
  const isa::Instruction& instruction = program_.code[pc];
  std::vector<Pc> result;
  if (instruction.opcode == Opcode::bra) result.push_back(Pc(instruction.target));
  if (instruction.opcode == Opcode::brx) {
    const auto& table = program_.branchTables[instruction.target];
    result.insert(result.end(), table.begin(), table.end());
  }
  const bool leaves = isJump(instruction.opcode) || endsPath(instruction.opcode);
  if ((!leaves || isGuarded(instruction)) && next(pc) < program_.code.size()) result.push_back(next(pc));
  return result;
}

// Lanes part at branches, and where some of them skip what makes the others wait.
bool StaticTags::isDivergent(Pc pc) const {
  const isa::Instruction& instruction = program_.code[pc];
  if (!states_[pc].reached) return false;
  if (instruction.opcode == Opcode::brx && states_[pc].before.of(operations_[pc].sources[0]) != Tag::uniform) return true;
  const bool mayPart = isJump(instruction.opcode) || waits(pc);
  return mayPart && isGuarded(instruction) && states_[pc].before.predicate(instruction.guard.index) != Tag::uniform;
}

// Where the machine may keep a path until others of the warp have come or done something; calls count, as nothing is known of them.
bool StaticTags::waits(Pc pc) const {
  const isa::Instruction& instruction = program_.code[pc];
  const isa::OpcodeInfo& row = isa::info(instruction.opcode);
  const isa::Modifiers& modifiers = instruction.modifiers;
  if (isCall(instruction.opcode) || row.work == isa::Work::barrier || row.work == isa::Work::shuffle) return true;
  if (instruction.opcode == Opcode::atom || instruction.opcode == Opcode::mbarrier) return true;
  return instruction.opcode == Opcode::ld && (modifiers.ordering != isa::Ordering::weak || modifiers.cache == isa::CacheOp::cv);
}

// Where the lanes that part at an instruction go.
std::vector<Pc> StaticTags::sidesOf(Pc pc) const {
  if (waits(pc)) return {next(pc), next(pc)};
  std::vector<Pc> sides = successors(pc);
  std::sort(sides.begin(), sides.end());
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  return sides;
}

// Instructions on the way from one to another, the first included.
std::vector<Pc> StaticTags::reachable(Pc start, Pc end) const {
  std::vector<Pc> found, pending{start};
  std::vector<bool> seen(program_.code.size());
  while (!pending.empty()) {
    const Pc pc = pending.back();
    pending.pop_back();
    if (pc == end || pc >= seen.size() || seen[pc]) continue;
    seen[pc] = true;
    found.push_back(pc);
    for (const Pc next : successors(pc)) pending.push_back(next);
  }
  return found;
}

StaticTags::Region StaticTags::regionOf(Pc pc) const {
  const bool meets = !loose_.contains(program_.functionAt(pc)) && !waits(pc);
  const Pc meeting = meets ? Pc(program_.code[pc].reconvergence) : kNoPc;
  Region region;
  if (meeting < program_.code.size()) region.shared.push_back(meeting);
  std::vector<u32> sides(program_.code.size());  // from which an instruction is reached
  for (const Pc side : sidesOf(pc)) {
    for (const Pc point : reachable(side, meeting)) {
      if (++sides[point] == 2) region.shared.push_back(point);
      region.waits |= waits(point);
      const Operation& operation = operations_[point];
      for (u32 i = 0; i < operation.writeCount; ++i) region.written.registers.set(operation.writes[i]);
      for (const OperandLocation& destination : operation.destinations) {
        if (destination.kind == Kind::predicate) region.written.predicates |= u64{1} << destination.first;
      }
    }
  }
  return region;
}

// Instructions where paths of diverged warps join, of which less is known now.
std::vector<Pc> StaticTags::diverge() {
  std::vector<Pc> divergent;
  for (Pc pc{0}; pc < program_.code.size(); ++pc) {
    if (isDivergent(pc)) divergent.push_back(pc);
  }
  for (const Pc pc : divergent) {
    if (waits(pc) || regionOf(pc).waits) loose_.insert(program_.functionAt(pc));
  }
  std::vector<Pc> changed;
  for (const Pc pc : divergent) {
    const Region region = regionOf(pc);
    for (const Pc point : region.shared) {
      if (!lose(point, region.written) || !states_[point].reached) continue;
      applyLost(point);
      changed.push_back(point);
    }
  }
  return changed;
}

// False when all of it is lost there already.
bool StaticTags::lose(Pc pc, const Written& written) {
  Written& lost = lost_[pc];
  const Written before = lost;
  lost.registers |= written.registers;
  lost.predicates |= written.predicates;
  return lost.registers != before.registers || lost.predicates != before.predicates;
}

}  // namespace warpwright::mechanisms::affine_tags
