#include "compiler/register_report.hpp"

#include <algorithm>
#include <optional>

#include "compiler/prepare.hpp"
#include "compiler/register_bounds.hpp"
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {
namespace {

// A function at every budget that was asked for.
class BudgetedFunction {
 public:
  BudgetedFunction(PreparedFunction function, const Options& options) : function_(std::move(function)), options_(options) {}

  struct Outcome {
    u32 registers = 0;  // 0: cannot be compiled
    RegisterPoint spills;
  };

  Outcome at(u32 limit) {
    // A result without spills that uses fewer registers serves smaller budgets as well.
    if (last_ && last_->registers != 0 && last_->registers <= limit && limit <= lastLimit_) return *last_;
    const auto allocated = allocateWithin(function_, budgetWithin(limit, options_));
    last_ = allocated ? outcomeOf(*allocated) : Outcome{};
    lastLimit_ = limit;
    return *last_;
  }

 private:
  Outcome outcomeOf(const AllocatedFunction& allocated) const {
    Outcome outcome{allocated.registers + options_.programCounterRegisters, {0, allocated.spillSlots, 0, 0}};
    for (const MachineInstruction& instruction : allocated.code.code) {
      outcome.spills.loads += instruction.role == Role::reload;
      outcome.spills.stores += instruction.role == Role::store;
    }
    return outcome;
  }

  PreparedFunction function_;
  const Options& options_;
  std::optional<Outcome> last_;
  u32 lastLimit_ = 0;
};

// All that a kernel may execute; empty when it cannot be compiled with so few registers.
std::optional<RegisterPoint> pointAt(std::vector<BudgetedFunction>& functions, u32 limit, u32& registers) {
  RegisterPoint point{limit, 0, 0, 0};
  registers = 0;
  for (BudgetedFunction& function : functions) {
    const BudgetedFunction::Outcome outcome = function.at(limit);
    if (outcome.registers == 0) return std::nullopt;
    registers = std::max(registers, outcome.registers);
    point.spillSlots += outcome.spills.spillSlots;
    point.loads += outcome.spills.loads;
    point.stores += outcome.spills.stores;
  }
  return point;
}

KernelRegisters reportKernel(std::vector<BudgetedFunction> functions, u32 bound) {
  KernelRegisters result;
  u32 registers = 0;
  std::optional<RegisterPoint> point = pointAt(functions, bound, registers);
  if (!point) return result;
  result.standard = registers;
  for (u32 limit = registers; limit > 0; --limit) {
    point = pointAt(functions, limit, registers);
    if (!point) break;
    result.points.push_back(*point);
    result.minimum = limit;
    if (!point->spills()) result.base = limit;
  }
  return result;
}

}  // namespace

std::vector<KernelRegisters> reportRegisters(const ptx::Module& module, const Options& options) {
  isa::Program program;
  const CallGraph calls = buildCallGraph(module);
  const ModuleLayout layout = layOut(module, calls, program);
  const std::vector<u32> bounds = registerBounds(module, calls, options);
  std::vector<KernelRegisters> result;
  for (u32 f = 0; f < module.functions.size(); ++f) {
    if (!module.functions[f].isKernel || module.functions[f].isDeclaration) continue;
    std::vector<BudgetedFunction> functions;
    for (const u32 callee : calls.reach[f])
      if (!module.functions[callee].isDeclaration)
        functions.emplace_back(prepareFunction(Selector(module, layout, calls, callee).run(), options), options);
    result.push_back(reportKernel(std::move(functions), bounds[f]));
    result.back().name = module.functions[f].name;
  }
  return result;
}

}  // namespace warpwright::compiler
