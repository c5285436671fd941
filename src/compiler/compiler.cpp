#include "compiler/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "compiler/address_folding.hpp"
#include "compiler/call_saves.hpp"
#include "compiler/constant_folding.hpp"
#include "compiler/control_flow.hpp"
#include "compiler/copy_propagation.hpp"
#include "compiler/dead_code.hpp"
#include "compiler/linking.hpp"
#include "compiler/register_allocation.hpp"
#include "compiler/select/selector.hpp"
#include "compiler/verify_allocation.hpp"

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
  }
  removeDeadCode(function);
  removeEmptyBranches(function);
}

CompiledFunction compileFunction(const ptx::Module& module, const ModuleLayout& layout, const CallGraph& calls, u32 index,
                                 const Options& options) {
  MachineFunction function = Selector(module, layout, calls, index).run();
  removeUnreachableCode(function);
  if (options.finish) cleanUp(function);
  saveAcrossCalls(function);
  if (!options.finish) return {std::move(function), isa::kMaxRegisters, isa::kPredicates};
  assignReconvergence(function);
  const u32 limit = std::min(options.maxRegisters, isa::kMaxRegisters);
  const Allocation allocation = allocateRegisters(function, limit);
#ifndef NDEBUG
  const std::vector<std::string> problems = verifyAllocation(function, allocation, isa::kMaxRegisters);
  if (!problems.empty()) throw std::logic_error(fmt::format("register allocation of '{}': {}", function.source().name, problems[0]));
#endif
  applyAllocation(function, allocation);
  return {std::move(function), allocation.registers, allocation.predicates};
}

}  // namespace

isa::Program compile(const ptx::Module& module, const Options& options) {
  isa::Program program;
  program.sourceName = module.sourceName;
  program.addressBits = module.addressBits;
  program.smVersion = module.smVersion;
  program.files = module.files;
  const CallGraph calls = buildCallGraph(module);
  const ModuleLayout layout = layOut(module, calls, program);
  std::vector<CompiledFunction> compiled(module.functions.size());
  for (u32 f = 0; f < module.functions.size(); ++f)
    if (!module.functions[f].isDeclaration) compiled[f] = compileFunction(module, layout, calls, f, options);
  link(module, layout, calls, compiled, program);
  return program;
}

}  // namespace warpwright::compiler
