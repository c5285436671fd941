#include "compiler/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/access_joining.hpp"
#include "compiler/address_folding.hpp"
#include "compiler/analysis/shared_accesses.hpp"
#include "compiler/argument_registers.hpp"
#include "compiler/call_saves.hpp"
#include "compiler/common_subexpressions.hpp"
#include "compiler/comparison_folding.hpp"
#include "compiler/constant_folding.hpp"
#include "compiler/control_bits/control_bits.hpp"
#include "compiler/control_flow.hpp"
#include "compiler/copy_propagation.hpp"
#include "compiler/dead_code.hpp"
#include "compiler/internal_error.hpp"
#include "compiler/linking.hpp"
#include "compiler/load_sharing.hpp"
#include "compiler/logic_joining.hpp"
#include "compiler/loops/invariant_motion.hpp"
#include "compiler/loops/unroll.hpp"
#include "compiler/narrowing.hpp"
#include "compiler/operand_check.hpp"
#include "compiler/predication.hpp"
#include "compiler/prepare.hpp"
#include "compiler/register_allocation.hpp"
#include "compiler/register_bounds.hpp"
#include "compiler/registers/budget.hpp"
#include "compiler/registers/split_ranges.hpp"
#include "compiler/select/selector.hpp"
#include "isa/disassembler.hpp"

namespace warpwright::compiler {
namespace {

// Each pass opens work for the next; chains longer than this are not worth their time.
constexpr u32 kCleanUpRounds = 8;

void cleanUp(MachineFunction& function) {
  bool changed = true;
  for (u32 round = 0; changed && round < kCleanUpRounds; ++round) {
    changed = propagateCopies(function);
    changed |= foldConstants(function);
    changed |= foldAddresses(function);
    changed |= foldComparisons(function);
    changed |= shareCommonSubexpressions(function);
    changed |= narrowWords(function);
  }
  removeDeadCode(function);
  removeEmptyBranches(function);
}

// A loop whose inner loops are gone may be unrolled in its turn.
constexpr u32 kUnrollRounds = 3;

void unroll(MachineFunction& function) {
  for (u32 round = 0; round < kUnrollRounds && unrollLoops(function); ++round) {
    splitRanges(function);
    cleanUp(function);
  }
}

void verifyOperands(const MachineFunction& function) {
  const MachineInstruction* wrong = findForeignOperand(function);
  if (wrong == nullptr) return;
  throw InternalError(fmt::format("in '{}', the compiler's '{}' names a register of another value", function.source().name,
                                  isa::disassemble(*wrong, function.addressBits)),
                      function.positionOf(*wrong));
}

void verify(const AllocatedFunction& allocated, const RegisterLimits& limits) {
  verifyOperands(allocated.scheduled);
  const std::vector<Problem> problems = verifyTranslation(allocated.scheduled, allocated.code, limits);
  if (problems.empty()) return;
  const MachineInstruction& wrong = *problems.front().instruction;
  throw InternalError(fmt::format("in '{}', the compiler's '{}' {}", allocated.code.source().name,
                                  isa::disassemble(wrong, allocated.code.addressBits), problems.front().text),
                      allocated.code.positionOf(wrong));
}

[[noreturn]] void doesNotFit(const PreparedFunction& prepared, u32 limit, const Options& options) {
  const MachineFunction& function = prepared.back();
  u32 enough = limit;
  while (enough < isa::kMaxRegisters && !allocateWithin(function, budgetWithin(enough, options))) ++enough;
  throw Error(fmt::format("{} '{}' cannot be compiled with {} registers: it needs at least {}",
                          function.source().isKernel ? "kernel" : "function", function.source().name, limit, enough),
              {function.module->sourceName, function.source().line, function.source().column},
              fmt::format("raise the limit (--max-registers, -maxrregcount, .maxnreg, launch bounds) to {}", enough));
}

CompiledFunction finish(AllocatedFunction allocated, const Options& options) {
  keepPreservedRegisters(allocated.code);
  dropArgumentOperands(allocated.code);
  removeSelfCopies(allocated.code);
  removeEmptyBranches(allocated.code);
  resolveFrame(allocated.code);
  assignReconvergence(allocated.code);
  const u32 registers = allocated.registers + options.programCounterRegisters;
  return {std::move(allocated.code), registers, allocated.predicates, allocated.spillSlots, {}, {}};
}

CompiledFunction compileFunction(const PreparedFunction& function, u32 maxRegisters, const Options& options, Marking& marking) {
  const RegisterBudget budget = budgetWithin(maxRegisters, options);
  std::optional<AllocatedFunction> allocated = allocateWithin(function, budget);
  if (!allocated) doesNotFit(function, maxRegisters, options);
  if (options.verify) verify(*allocated, budget.limits);
  std::vector<isa::SharedAccess> accesses;
  if (options.findsSharedAccesses) accesses = findSharedAccesses(allocated->scheduled);
  marking.mark(allocated->scheduled);
  CompiledFunction compiled = finish(std::move(*allocated), options);
  compiled.marks = marking.follow(compiled.code);
  compiled.sharedAccesses = std::move(accesses);
  return compiled;
}

// Straight from instruction selection.
CompiledFunction leaveUnfinished(MachineFunction function) {
  removeUnreachableCode(function);
  saveAcrossCalls(function, 0);
  resolveFrame(function);
  return {std::move(function), isa::kMaxRegisters, isa::kPredicates, 0, {}, {}};
}

void storeMarks(Marking& marking, std::vector<CompiledFunction>& compiled, isa::Program& program) {
  std::vector<std::vector<std::vector<u32>>> byFunction;
  for (CompiledFunction& function : compiled) byFunction.push_back(std::move(function.marks));
  marking.store(byFunction, program);
}

MachineFunction readyForAllocation(MachineFunction function, u32 keptWords, const Options& options) {
  saveAcrossCalls(function, keptWords);
  splitRanges(function);
  function.usesStack |= options.keepsStackPointer;
  return function;
}

// Forms with all, half and none of the registers that calls preserve in use across them.
void addForms(const MachineFunction& function, const Options& options, PreparedFunction& forms) {
  if (std::any_of(function.code.begin(), function.code.end(), isCall))
    for (const u32 kept : {kPreservedRegisters, kPreservedRegisters / 2}) forms.push_back(readyForAllocation(function, kept, options));
  forms.push_back(readyForAllocation(function, 0, options));
}

// Forms with accesses joined, where some are, and without.
void addJoinedForms(MachineFunction function, const Options& options, PreparedFunction& forms) {
  if (options.joinsAccesses) {
    MachineFunction joined = function;
    if (joinAccesses(joined)) {
      cleanUp(joined);
      passArgumentsInRegisters(joined);
      addForms(joined, options, forms);
    }
  }
  passArgumentsInRegisters(function);
  addForms(function, options, forms);
}

}  // namespace

PreparedFunction prepareFunction(MachineFunction function, const Options& options) {
  removeUnreachableCode(function);
  splitRanges(function);
  cleanUp(function);
  unroll(function);
  if (hoistInvariants(function)) cleanUp(function);
  if (options.joinsLogic && joinLogic(function)) removeDeadCode(function);
  predicateBranches(function);
  splitRanges(function);
  PreparedFunction forms;
  if (options.sharesLoads) {
    MachineFunction sharing = function;
    if (shareLoads(sharing)) {
      cleanUp(sharing);
      addJoinedForms(sharing, options, forms);
    }
  }
  addJoinedForms(function, options, forms);
  return forms;
}

isa::Program compile(const ptx::Module& module, const Options& options) {
  isa::Program program;
  program.sourceName = module.sourceName;
  program.addressBits = module.addressBits;
  program.smVersion = module.smVersion;
  program.files = module.files;
  const CallGraph calls = buildCallGraph(module);
  const ModuleLayout layout = layOut(module, calls, program);
  const std::vector<u32> bounds = registerBounds(module, calls, options);
  std::vector<CompiledFunction> compiled(module.functions.size());
  Marking marking(options.analyses);
  for (u32 f = 0; f < module.functions.size(); ++f) {
    if (module.functions[f].isDeclaration) continue;
    MachineFunction function = Selector(module, layout, calls, f).run();
    if (options.verify) verifyOperands(function);
    compiled[f] = options.finish ? compileFunction(prepareFunction(std::move(function), options), bounds[f], options, marking)
                                 : leaveUnfinished(std::move(function));
  }
  link(module, layout, calls, compiled, program);
  if (options.finish) boundLaunches(module, options, program);
  if (options.finish) storeMarks(marking, compiled, program);
  if (options.finish && options.issueTiming) assignControlBits(program, *options.issueTiming);
  return program;
}

}  // namespace warpwright::compiler
