// Helpers of warps: see stepper.hpp. A helper is a Warp outside its block's, so that nothing that goes over the warps of a block meets it.
#include "exec/helpers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/demangle.hpp"
#include "exec/location.hpp"
#include "exec/step.hpp"
#include "exec/step_recorder.hpp"

namespace warpwright::exec {
namespace {

using isa::Opcode;

// What an instruction is that helpers cannot execute; null: they can.
const char* forbiddenKind(Opcode opcode) {
  constexpr std::pair<Handler, const char*> kForbidden[] = {
      {Handler::barrierSync, "a barrier"},
      {Handler::barrierArrive, "a barrier"},
      {Handler::barrierReduce, "a barrier"},
      {Handler::clusterArrive, "a barrier"},
      {Handler::clusterWait, "a barrier"},
      {Handler::mbarrier, "a barrier"},
      {Handler::systemCall, "a system call"},
      {Handler::atomic, "an atomic operation"},
      {Handler::copyAsync, "an asynchronous copy"},
      {Handler::commitCopies, "an asynchronous copy"},
      {Handler::waitForCopies, "an asynchronous copy"},
      {Handler::bulkCopy, "an asynchronous copy"},
      {Handler::commitBulk, "an asynchronous copy"},
      {Handler::waitForBulk, "an asynchronous copy"},
      {Handler::groupMultiply, "an operation of a warp group"},
      {Handler::groupCommit, "an operation of a warp group"},
      {Handler::groupWait, "an operation of a warp group"},
      {Handler::callIndirect, "an indirect call"},
  };
  const isa::OpcodeInfo& row = isa::info(opcode);
  if (row.handler == Handler::surface && row.effect == isa::Effect::writes) return "a write to a surface";
  const auto found =
      std::find_if(std::begin(kForbidden), std::end(kForbidden), [&](const auto& each) { return each.first == row.handler; });
  return found == std::end(kForbidden) ? nullptr : found->second;
}

class RoutineCheck {
 public:
  RoutineCheck(const isa::Program& program, const isa::Function& routine) : program_(program), routine_(routine) {}

  void run() {
    if (routine_.isDeclaration || routine_.begin >= routine_.end) refuse("has no code", "load the module that defines it", Pc{0});
    if (routine_.recursive) refuse("is recursive", "write it as a loop", routine_.begin);
    if (routine_.localBytes > signatureBytes(routine_))
      refuse(fmt::format("has {} bytes of local memory of its own", routine_.localBytes - signatureBytes(routine_)),
             "give it more registers, or no arrays", routine_.begin);
    visit(routine_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const char* remedy, Pc pc) const {
    throw Error(fmt::format("helpers cannot execute '{}': it {}", demangled(routine_.name), what), positionOf(program_, pc), remedy);
  }

  void visit(const isa::Function& function) {
    if (!seen_.insert(&function).second) return;
    for (Pc pc = function.begin; pc < function.end; ++pc) {
      const isa::Instruction& instruction = program_.code.at(pc);
      if (const char* kind = forbiddenKind(instruction.opcode))
        refuse(fmt::format("has {}", kind), "routines of helpers compute, and load and store; leave it out", pc);
      if (accessesLocal(instruction)) refuse("accesses local memory", "give it arguments of twelve words at most, and no arrays", pc);
      if (instruction.opcode == Opcode::call) visit(program_.functions.at(instruction.target));
    }
  }

  // The parts of frames along the deepest chain of calls that are for arguments and results: these lie in registers.
  u64 signatureBytes(const isa::Function& function) const {
    constexpr u64 kAlignment = 16;  // of frames
    u64 deepest = 0;
    for (Pc pc = function.begin; pc < function.end; ++pc) {
      const isa::Instruction& instruction = program_.code.at(pc);
      if (instruction.opcode == Opcode::call) deepest = std::max(deepest, signatureBytes(program_.functions.at(instruction.target)));
    }
    return (function.parameterBytes + kAlignment - 1) / kAlignment * kAlignment + deepest;
  }

  static bool accessesLocal(const isa::Instruction& instruction) {
    return (instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st) && instruction.modifiers.space == isa::Space::local;
  }

  const isa::Program& program_;
  const isa::Function& routine_;
  std::set<const isa::Function*> seen_;
};

}  // namespace

void checkRoutine(const isa::Program& program, const isa::Function& routine) { RoutineCheck(program, routine).run(); }

// While it lasts, the grid executes a helper's code and counts apart.
class HelperScope {
 public:
  HelperScope(Grid& grid, Helper& helper) : grid_(grid), helper_(helper), instructions_(grid.progress.instructions) {
    grid.helpers.counts.resize(grid.result.counts.size());
    exchange();
  }
  ~HelperScope() {
    exchange();
    grid_.progress.instructions = instructions_;
  }
  HelperScope(const HelperScope&) = delete;
  HelperScope& operator=(const HelperScope&) = delete;

 private:
  void exchange() {
    std::swap(grid_.kernel, *helper_.code);
    std::swap(grid_.result.counts, grid_.helpers.counts);
  }

  Grid& grid_;
  Helper& helper_;
  u64 instructions_;
};

namespace {

DecodedKernel& routineCode(Grid& grid, const isa::Function& routine) {
  std::unique_ptr<DecodedKernel>& code = grid.helpers.routines[&routine];
  if (code) return *code;
  checkRoutine(grid.request.launch->program->program, routine);
  Launch launch = *grid.request.launch;
  launch.kernel = &routine;
  LaunchRequest request = grid.request;
  request.launch = std::make_shared<const Launch>(std::move(launch));
  code = std::make_unique<DecodedKernel>(request, grid.lanes, bestHostLevel());
  code->forgetDirectAccess();
  return *code;
}

// A helper of the warp that has one of these registers; null: they are free.
const Helper* holderOf(const Grid& grid, const Warp& parent, u32 first, u32 count) {
  const auto holds = [&](const auto& other) {
    return other->block && other->parent == &parent && first < other->firstRegister + other->registers &&
           other->firstRegister < first + count;
  };
  const auto found = std::find_if(grid.helpers.warps.begin(), grid.helpers.warps.end(), holds);
  return found == grid.helpers.warps.end() ? nullptr : found->get();
}

// The first of so many registers behind the kernel's that no other helper of the warp has: at a place that is given, or anywhere.
std::optional<u32> freeRegisters(const Grid& grid, const Warp& parent, u32 count, std::optional<u32> place) {
  u32 first = grid.kernel.registers() + place.value_or(0);
  while (const Helper* holder = holderOf(grid, parent, first, count)) {
    if (place) return std::nullopt;
    first = holder->firstRegister + holder->registers;
  }
  if (first + count > grid.shape.registers) return std::nullopt;
  return first;
}

}  // namespace

std::optional<u32> beginHelper(Grid& grid, BlockSlotId slot, u32 index, const isa::Function& routine, LaneMask lanes, bool speculative,
                               std::optional<u32> place) {
  Block& block = *grid.blocks.slots[slot];
  const Warp& parent = block.warps[index];
  DecodedKernel& code = routineCode(grid, routine);
  const std::optional<u32> first = freeRegisters(grid, parent, code.registers(), place);
  if (!first) return std::nullopt;
  auto free = std::find_if(grid.helpers.warps.begin(), grid.helpers.warps.end(), [](const auto& each) { return !each->block; });
  if (free == grid.helpers.warps.end()) free = grid.helpers.warps.insert(free, std::make_unique<Helper>());
  Helper& helper = **free;
  helper.block = &block;
  helper.parent = &parent;
  helper.routine = &routine;
  helper.code = &code;
  helper.firstRegister = *first;
  helper.registers = code.registers();
  helper.lanes = lanes & LaneMask::first(grid.shape.warpSize);
  helper.isAbandoned = helper.lanes.empty();
  helper.circle.forget();
  helper.wasSeen = helper.hasMoved = false;
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
  warp.state = {parent.state.registers + std::size_t{*first} * grid.lanes, code.pool(), warp.predicates.data(), banks[2], banks[3]};
  std::fill_n(warp.state.registers, std::size_t{helper.registers} * grid.lanes, 0);
  warp.tree.reset(routine.begin, helper.lanes);
  return static_cast<u32>(free - grid.helpers.warps.begin());
}

void copyRegister(Grid& grid, u32 number, u32 parentRegister, u32 helperRegister, bool in) {
  Helper& helper = *grid.helpers.warps[number];
  u32* parent = helper.parent->state.registers + std::size_t{parentRegister} * grid.lanes;
  u32* own = helper.warp.state.registers + std::size_t{helperRegister} * grid.lanes;
  for (const LaneId lane : helper.lanes) {
    (in ? own : parent)[lane] = (in ? parent : own)[lane];
  }
}

std::span<u32> helperRegister(Grid& grid, u32 number, u32 helperRegister) {
  return {grid.helpers.warps[number]->warp.state.registers + std::size_t{helperRegister} * grid.lanes, grid.lanes};
}

HelperMemory helperMemory(Grid& grid, u32 number) {
  const Helper& helper = *grid.helpers.warps[number];
  Block& block = *helper.block;
  const u64 offset = block.helperOffset(helper.warp.index);
  return {.offset = static_cast<u32>(offset),
          .bytes = std::as_writable_bytes(std::span(block.shared)).subspan(offset, block.helperBytes()),
          .tableOffset = static_cast<u32>(block.helperTableOffset())};
}

BlockHelperMemory helperMemoryOf(const Grid& grid, BlockSlotId slot) {
  const Block& block = *grid.blocks.slots[slot];
  if (grid.shape.helperBytes == 0 && grid.shape.helperTableBytes == 0) return {};
  const std::span<const std::byte> all = std::as_bytes(std::span(block.shared));
  return {.table = all.subspan(block.helperTableOffset(), block.helperOffset(0) - block.helperTableOffset()),
          .buffers = all.subspan(block.helperOffset(0), block.warps.size() * block.helperBytes()),
          .bufferBytes = block.helperBytes()};
}

NextInstruction nextHelperInstruction(Grid& grid, u32 number) {
  Helper& helper = *grid.helpers.warps[number];
  if (helper.isAbandoned) return {};
  const HelperScope scope(grid, helper);
  return nextApart(grid, helper);
}

void stepHelper(Grid& grid, u32 number, u64 now, StepRecorder& recorder) {
  Helper& helper = *grid.helpers.warps[number];
  const HelperScope scope(grid, helper);
  Observer* const before = recorder.passTo(nullptr);
  try {
    stepApart(grid, helper, now, recorder);
  } catch (...) {
    recorder.passTo(before);
    throw;
  }
  recorder.passTo(before);
}

void endHelper(Grid& grid, u32 number) { grid.helpers.warps[number]->block = nullptr; }

}  // namespace warpwright::exec
