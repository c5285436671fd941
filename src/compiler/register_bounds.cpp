#include "compiler/register_bounds.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

u64 ceilDivide(u64 value, u64 divisor) { return (value + divisor - 1) / divisor; }

u32 launchBound(const ptx::Function& kernel, const Options& options) {
  const auto& threads = kernel.requiredThreads ? kernel.requiredThreads : kernel.maxThreads;
  if (!threads || options.registersPerSm == 0) return isa::kMaxRegisters;
  const u64 warps = ceilDivide(threads->count(), options.warpSize);
  if (warps > options.warpsPerSm) return isa::kMaxRegisters;
  const u64 blocks = kernel.minBlocksPerSm.value_or(1);
  const bool possible = blocks <= options.blocksPerSm && warps * blocks <= options.warpsPerSm;
  const u64 warpsEach = ceilDivide(possible ? warps * blocks : warps, options.schedulersPerSm);
  const u64 unit = options.registerAllocationUnit;
  const u64 perWarp = options.registersPerSm / options.schedulersPerSm / warpsEach / unit * unit;
  return static_cast<u32>(std::clamp<u64>(perWarp / options.warpSize, 1, isa::kMaxRegisters));
}

u32 boundAtLaunch(const ptx::Function& function, const Options& options) {
  const u32 bound = std::min(function.maxRegisters.value_or(isa::kMaxRegisters), isa::kMaxRegisters);
  return function.isKernel ? std::min({bound, options.maxRegisters, launchBound(function, options)}) : bound;
}

// The most registers that setmaxnreg.inc gives a thread of the function, or of what it may call; 0: it asks for none.
u32 raisedBound(const ptx::Module& module, const std::vector<u32>& reach) {
  u64 most = 0;
  for (const u32 each : reach)
    for (const ptx::Instruction& instruction : module.functions[each].body)
      if (instruction.opcode == ptx::Opcode::setmaxnreg && instruction.modifiers.atomic == ptx::AtomicOp::inc)
        most = std::max(most, instruction.operands[0].bits);
  return static_cast<u32>(std::min<u64>(most, isa::kMaxRegisters));
}

u32 nameable(u32 registers, const Options& options) { return registers - std::min(registers, options.programCounterRegisters); }

}  // namespace

RegisterBudget budgetWithin(u32 registersPerThread, const Options& options) {
  return {.limits = {nameable(registersPerThread, options), kPredicateBudget},
          .policy = options.spillPolicy,
          .comfortable = nameable(options.comfortableRegisters, options),
          .step = std::max(1u, options.registerAllocationUnit / options.warpSize)};
}

std::vector<u32> registerBounds(const ptx::Module& module, const CallGraph& calls, const Options& options) {
  // What no kernel reaches is never executed, and nothing bounds it.
  std::vector<u32> bounds(module.functions.size(), isa::kMaxRegisters);
  for (u32 f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& function = module.functions[f];
    if (function.isDeclaration) continue;
    const u32 bound = std::max(boundAtLaunch(function, options), raisedBound(module, calls.reach[f]));
    for (const u32 callee : calls.reach[f]) bounds[callee] = std::min(bounds[callee], bound);
  }
  return bounds;
}

void boundLaunches(const ptx::Module& module, const Options& options, isa::Program& program) {
  for (u32 f = 0; f < module.functions.size(); ++f) {
    if (!module.functions[f].isKernel) continue;
    program.functions[f].registers = std::min(program.functions[f].registers, boundAtLaunch(module.functions[f], options));
  }
}

}  // namespace warpwright::compiler
