#include "compiler/call_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "compiler/analysis/function_notes.hpp"
#include "compiler/graph.hpp"

namespace warpwright::compiler {
namespace {

using ptx::SymbolKind;

void sortUnique(std::vector<u32>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void addFunctionSymbols(const ptx::Module& module, const ptx::Operand& operand, std::vector<u32>& functions) {
  if (operand.symbol.kind == SymbolKind::function) functions.push_back(definitionOf(module, operand.symbol.index));
  for (const ptx::Operand& element : operand.elements) addFunctionSymbols(module, element, functions);
}

// Every function whose address a program can hold in a register or in a variable.
std::vector<u32> addressTaken(const ptx::Module& module) {
  std::vector<u32> taken;
  for (const ptx::Variable& variable : module.variables)
    for (const ptx::Relocation& relocation : variable.relocations)
      if (relocation.symbol.kind == SymbolKind::function) taken.push_back(definitionOf(module, relocation.symbol.index));
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      const ptx::Operand* callee = instruction.opcode == ptx::Opcode::call ? callParts(instruction).callee : nullptr;
      for (const ptx::Operand& operand : instruction.operands)
        if (&operand != callee) addFunctionSymbols(module, operand, taken);
    }
  }
  sortUnique(taken);
  std::erase_if(taken, [&](u32 f) { return module.functions[f].isDeclaration; });
  return taken;
}

// The functions an indirect call may reach: its .calltargets, otherwise all whose address is taken.
std::vector<u32> indirectTargets(const ptx::Module& module, const ptx::Function& caller, const CallParts& call,
                                 const std::vector<u32>& taken) {
  if (call.signature == nullptr || call.signature->symbol.kind != SymbolKind::call_targets) return taken;
  std::vector<u32> targets;
  for (const u32 function : caller.callTargets[call.signature->symbol.index].entries) targets.push_back(definitionOf(module, function));
  return targets;
}

// It would not find the registers that a call preserves as it left them.
void refuseIfNotCalled(const ptx::Module& module, const ptx::Function& callee, const ptx::Instruction& call) {
  if (!isEnteredWithoutCall(callee)) return;
  throw Error(fmt::format("a call of '{}', which is a routine that runs beside the warps of a program", callee.name),
              {module.sourceName, call.line, call.column},
              "leave out its pragma, or call a function with the same text under another name");
}

std::vector<u32> closure(const Graph& callees, u32 function) {
  std::vector<u32> result = reversePostorder(callees, function);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

CallParts callParts(const ptx::Instruction& call) {
  CallParts parts;
  for (const ptx::Operand& operand : call.operands) {
    switch (operand.kind) {
      case ptx::Operand::Kind::group:
        (parts.callee == nullptr ? parts.returns : parts.arguments) = &operand;
        break;
      case ptx::Operand::Kind::reg:
        parts.callee = &operand;
        break;
      case ptx::Operand::Kind::symbol:
        (operand.symbol.kind == SymbolKind::function && parts.callee == nullptr ? parts.callee : parts.signature) = &operand;
        break;
      default:
        break;
    }
  }
  return parts;
}

u32 definitionOf(const ptx::Module& module, u32 function) {
  const ptx::Function& declared = module.functions[function];
  if (!declared.isDeclaration) return function;
  for (u32 f = 0; f < module.functions.size(); ++f)
    if (!module.functions[f].isDeclaration && module.functions[f].name == declared.name) return f;
  return function;
}

std::optional<isa::SystemCall> systemCallOf(const ptx::Module& module, u32 function) {
  const ptx::Function& callee = module.functions[function];
  if (!callee.isDeclaration) return std::nullopt;
  if (callee.name == "vprintf") return isa::SystemCall::vprintf;
  if (callee.name == "malloc") return isa::SystemCall::malloc;
  if (callee.name == "free") return isa::SystemCall::free;
  if (callee.name == "__assertfail") return isa::SystemCall::assertfail;
  return std::nullopt;
}

CallGraph buildCallGraph(const ptx::Module& module) {
  CallGraph graph;
  const size_t count = module.functions.size();
  graph.callees.resize(count);
  graph.callsIndirectly.resize(count);
  graph.recursive.resize(count);
  const std::vector<u32> taken = addressTaken(module);
  for (u32 f = 0; f < count; ++f) {
    std::vector<u32>& callees = graph.callees[f];
    for (const ptx::Instruction& instruction : module.functions[f].body) {
      if (instruction.opcode != ptx::Opcode::call) continue;
      const CallParts call = callParts(instruction);
      if (call.callee == nullptr) continue;
      if (call.callee->kind == ptx::Operand::Kind::symbol) {
        const u32 callee = definitionOf(module, call.callee->symbol.index);
        refuseIfNotCalled(module, module.functions[callee], instruction);
        if (!systemCallOf(module, callee)) callees.push_back(callee);
        continue;
      }
      graph.callsIndirectly[f] = true;
      const std::vector<u32> targets = indirectTargets(module, module.functions[f], call, taken);
      callees.insert(callees.end(), targets.begin(), targets.end());
    }
    sortUnique(callees);
  }
  for (u32 f = 0; f < count; ++f) graph.reach.push_back(closure(graph.callees, f));
  for (u32 f = 0; f < count; ++f)
    for (const u32 callee : graph.callees[f])
      if (std::binary_search(graph.reach[callee].begin(), graph.reach[callee].end(), f)) graph.recursive[f] = true;
  return graph;
}

}  // namespace warpwright::compiler
