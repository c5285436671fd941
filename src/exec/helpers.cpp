// Helpers of warps: see stepper.hpp. A helper is a Warp outside its block's, so that nothing that goes over the warps of a block meets it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/demangle.hpp"
#include "exec/location.hpp"
#include "exec/machine.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

using isa::Opcode;

// What an instruction is that helpers cannot execute; null: they can.
const char* forbiddenKind(Opcode opcode) {
  switch (opcode) {
    case Opcode::bar_sync:
    case Opcode::bar_arrive:
    case Opcode::bar_red:
    case Opcode::mbarrier:
      return "a barrier";
    case Opcode::syscall:
      return "a system call";
    case Opcode::atom:
      return "an atomic operation";
    case Opcode::cp_async:
    case Opcode::cp_commit:
    case Opcode::cp_wait:
      return "an asynchronous copy";
    case Opcode::sust:
    case Opcode::sured:
      return "a write to a surface";
    case Opcode::calli:
      return "an indirect call";
    default:
      return nullptr;
  }
}

class RoutineCheck {
 public:
  RoutineCheck(const isa::Program& program, const isa::Function& routine) : program_(program), routine_(routine) {}

  void run() {
    if (routine_.isDeclaration || routine_.begin >= routine_.end) refuse("has no code", "load the module that defines it", 0);
    if (routine_.recursive) refuse("is recursive", "write it as a loop", routine_.begin);
    if (routine_.localBytes != 0)
      refuse(fmt::format("has {} bytes of local memory of its own", routine_.localBytes), "give it more registers, or no arrays",
             routine_.begin);
    visit(routine_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const char* remedy, u32 pc) const {
    throw Error(fmt::format("helpers cannot execute '{}': it {}", demangled(routine_.name), what), positionOf(program_, pc), remedy);
  }

  void visit(const isa::Function& function) {
    if (!seen_.insert(&function).second) return;
    for (u32 pc = function.begin; pc < function.end; ++pc) {
      const isa::Instruction& instruction = program_.code.at(pc);
      if (const char* kind = forbiddenKind(instruction.opcode))
        refuse(fmt::format("has {}", kind), "routines of helpers compute, and load and store; leave it out", pc);
      if (instruction.opcode == Opcode::call) visit(program_.functions.at(instruction.target));
    }
  }

  const isa::Program& program_;
  const isa::Function& routine_;
  std::set<const isa::Function*> seen_;
};

}  // namespace

void checkRoutine(const isa::Program& program, const isa::Function& routine) { RoutineCheck(program, routine).run(); }

// While it lasts, the machine executes a helper's code and counts apart.
class Machine::HelperScope {
 public:
  HelperScope(Machine& machine, Helper& helper) : machine_(machine), helper_(helper), instructions_(machine.instructions_) {
    machine.helperCounts_.resize(machine.result_.counts.size());
    exchange();
  }
  ~HelperScope() {
    exchange();
    machine_.instructions_ = instructions_;
  }
  HelperScope(const HelperScope&) = delete;
  HelperScope& operator=(const HelperScope&) = delete;

 private:
  void exchange() {
    std::swap(machine_.kernel_, *helper_.code);
    std::swap(machine_.result_.counts, machine_.helperCounts_);
  }

  Machine& machine_;
  Helper& helper_;
  u64 instructions_;
};

DecodedKernel& Machine::routineCode(const isa::Function& routine) {
  std::unique_ptr<DecodedKernel>& code = routines_[&routine];
  if (code) return *code;
  checkRoutine(request_.launch->program->program, routine);
  Launch launch = *request_.launch;
  launch.kernel = &routine;
  LaunchRequest request = request_;
  request.launch = std::make_shared<const Launch>(std::move(launch));
  code = std::make_unique<DecodedKernel>(request, lanes_, bestHostLevel());
  code->forgetDirectAccess();
  return *code;
}

// The first of so many registers behind the kernel's that no other helper of the warp has.
std::optional<u32> Machine::freeRegisters(const Warp& parent, u32 count) const {
  u32 first = kernel_.registers();
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& other : helpers_) {
      if (!other->block || other->parent != &parent) continue;
      if (first + count <= other->firstRegister || other->firstRegister + other->registers <= first) continue;
      first = other->firstRegister + other->registers;
      moved = true;
    }
  }
  if (first + count > shape_.registers) return std::nullopt;
  return first;
}

std::optional<u32> Machine::beginHelper(u32 place, u32 index, const isa::Function& routine, LaneMask lanes, bool speculative) {
  Block& block = *blocks_[place];
  const Warp& parent = block.warps[index];
  DecodedKernel& code = routineCode(routine);
  const std::optional<u32> first = freeRegisters(parent, code.registers());
  if (!first) return std::nullopt;
  auto free = std::find_if(helpers_.begin(), helpers_.end(), [](const auto& each) { return !each->block; });
  if (free == helpers_.end()) free = helpers_.insert(free, std::make_unique<Helper>());
  Helper& helper = **free;
  helper.block = &block;
  helper.parent = &parent;
  helper.code = &code;
  helper.firstRegister = *first;
  helper.registers = code.registers();
  helper.lanes = lanes & LaneMask::first(shape_.warpSize);
  helper.isAbandoned = helper.lanes.empty();
  Warp& warp = helper.warp;
  warp.index = parent.index;
  warp.existing = helper.lanes;
  warp.isHelper = true;
  warp.isSpeculative = speculative;
  warp.local = parent.local;
  warp.polled.assign(code.polls(), 0);
  warp.hearNews();
  warp.turn = 0;
  warp.predicates.fill({});
  warp.predicates[isa::kTruePredicate] = ~LaneMask{};
  const auto& banks = parent.state.banks;
  warp.state = {parent.state.registers + std::size_t{*first} * lanes_, code.pool(), warp.predicates.data(), banks[2], banks[3]};
  std::fill_n(warp.state.registers, std::size_t{helper.registers} * lanes_, 0);
  warp.tree.reset(routine.begin, helper.lanes);
  return static_cast<u32>(free - helpers_.begin());
}

void Machine::copyRegister(u32 number, u32 parentRegister, u32 helperRegister, bool in) {
  Helper& helper = *helpers_[number];
  u32* parent = helper.parent->state.registers + std::size_t{parentRegister} * lanes_;
  u32* own = helper.warp.state.registers + std::size_t{helperRegister} * lanes_;
  for (const u32 lane : helper.lanes) {
    (in ? own : parent)[lane] = (in ? parent : own)[lane];
  }
}

NextInstruction Machine::nextHelperInstruction(u32 number) {
  Helper& helper = *helpers_[number];
  if (helper.isAbandoned) return {};
  const HelperScope scope(*this, helper);
  return nextApart(helper);
}

void Machine::stepHelper(u32 number, u64 now, StepRecorder& recorder) {
  Helper& helper = *helpers_[number];
  const HelperScope scope(*this, helper);
  Observer* const before = recorder.passTo(nullptr);
  try {
    stepApart(helper, now, recorder);
  } catch (...) {
    recorder.passTo(before);
    throw;
  }
  recorder.passTo(before);
}

void Machine::endHelper(u32 number) { helpers_[number]->block = nullptr; }

}  // namespace warpwright::exec
