#include "compiler/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "compiler/shared_layout.hpp"

namespace warpwright::compiler {
namespace {

u64 place(u64& end, const ptx::Variable& variable, u64 alignment) {
  const u64 offset = alignUp(end, alignment);
  end = offset + variable.size;
  return offset;
}

u64 frameAlignment(const ptx::Variable& parameter) {
  const u64 natural = parameter.isArray ? std::min(std::bit_floor(parameter.size), kFrameAlignment) : 1;
  return std::max<u64>(natural, parameter.alignment);
}

isa::SymbolAddress symbolAddress(const ModuleLayout& layout, const ptx::Module& module, const ptx::Variable& variable,
                                 const ptx::Relocation& relocation) {
  isa::SymbolAddress address{isa::SymbolAddress::Kind::variable, 0, relocation.generic, relocation.addend};
  if (relocation.symbol.kind == ptx::SymbolKind::function) {
    address.kind = isa::SymbolAddress::Kind::function;
    address.index = definitionOf(module, relocation.symbol.index);
    return address;
  }
  const u32 index =
      relocation.symbol.kind == ptx::SymbolKind::module_variable ? layout.programVariable[relocation.symbol.index] : ptx::kNoIndex;
  if (index == ptx::kNoIndex)
    throw Error(fmt::format("the initialiser of '{}' holds an address that is not fixed when the module is loaded", variable.name),
                {module.sourceName, variable.line, variable.column},
                "initialise it with addresses of .global or .const variables or functions");
  address.index = index;
  return address;
}

bool isProgramVariable(const ptx::Variable& variable) {
  return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

bool liesInConstantMemory(const ptx::Variable& variable) {
  return variable.space == ptx::Space::constant && variable.linkage != ptx::Linkage::extern_;
}

isa::Variable programVariable(const ptx::Variable& source) {
  isa::Variable variable;
  variable.name = source.name;
  variable.space = source.space == ptx::Space::constant ? isa::Space::constant : isa::Space::global;
  variable.size = source.size;
  variable.alignment = source.alignment;
  variable.managed = source.managed;
  variable.external = source.linkage == ptx::Linkage::extern_;
  variable.image = source.image;
  return variable;
}

void layOutModuleVariables(const ptx::Module& module, ModuleLayout& layout, isa::Program& program) {
  u64 localEnd = 0;
  layout.programVariable.assign(module.variables.size(), ptx::kNoIndex);
  for (u32 v = 0; v < module.variables.size(); ++v) {
    const ptx::Variable& source = module.variables[v];
    if (source.space == ptx::Space::local) layout.localVariables[v] = place(localEnd, source, source.alignment);
    if (!isProgramVariable(source)) continue;
    layout.programVariable[v] = static_cast<u32>(program.variables.size());
    isa::Variable variable = programVariable(source);
    if (liesInConstantMemory(source))
      layout.constantVariables[v] = variable.constantOffset = place(program.constantBytes, source, source.alignment);
    program.variables.push_back(std::move(variable));
  }
  for (u32 v = 0; v < module.variables.size(); ++v) {
    if (layout.programVariable[v] == ptx::kNoIndex) continue;
    const ptx::Variable& source = module.variables[v];
    for (const ptx::Relocation& relocation : source.relocations)
      program.variables[layout.programVariable[v]].relocations.push_back(
          {relocation.offset, relocation.width, relocation.shift, symbolAddress(layout, module, source, relocation)});
  }
}

u64 moduleLocalBytes(const ptx::Module& module, const ModuleLayout& layout) {
  u64 end = 0;
  for (const auto& [variable, offset] : layout.localVariables) end = std::max(end, offset + module.variables[variable].size);
  return end;
}

// The .param variables of a call sequence lie where the callee will look for its parameters and leave its results.
void placeCallVariables(const ptx::Operand* group, const std::vector<u64>& offsets, FunctionLayout& layout) {
  if (group == nullptr) return;
  for (u32 i = 0; i < group->elements.size() && i < offsets.size(); ++i) {
    const ptx::SymbolRef& symbol = group->elements[i].symbol;
    if (symbol.kind == ptx::SymbolKind::function_variable) layout.variables[symbol.index] = offsets[i];
  }
}

void layOutFrame(const ptx::Module& module, const ptx::Function& function, u64 bottom, FunctionLayout& layout) {
  layout.signature =
      function.isKernel ? layOutKernelParameters(function.parameters) : layOutSignature(function.parameters, function.returns);
  layout.frameBytes = function.isKernel ? bottom : layout.signature.size;
  layout.variables.assign(function.variables.size(), 0);
  for (u32 v = 0; v < function.variables.size(); ++v)
    if (function.variables[v].space == ptx::Space::local)
      layout.variables[v] = place(layout.frameBytes, function.variables[v], function.variables[v].alignment);
  for (const ptx::Instruction& instruction : function.body) {
    if (instruction.opcode != ptx::Opcode::call) continue;
    const CallParts call = callParts(instruction);
    if (call.callee == nullptr) continue;
    const SignatureLayout callee = calleeSignature(module, function, call);
    placeCallVariables(call.arguments, callee.parameters, layout);
    placeCallVariables(call.returns, callee.returns, layout);
  }
}

}  // namespace

u64 constantBytes(const ptx::Module& module) {
  u64 end = 0;
  for (const ptx::Variable& source : module.variables)
    if (liesInConstantMemory(source)) place(end, source, source.alignment);
  return end;
}

u64 programVariableAlignment(const ptx::Module& module, u32 variable) {
  for (const ptx::Variable& source : module.variables)
    if (isProgramVariable(source) && variable-- == 0) return source.alignment;
  return 1;
}

SignatureLayout layOutKernelParameters(const std::vector<ptx::Variable>& parameters) {
  SignatureLayout layout;
  for (const ptx::Variable& parameter : parameters) layout.parameters.push_back(place(layout.size, parameter, parameter.alignment));
  return layout;
}

SignatureLayout layOutSignature(const std::vector<ptx::Variable>& parameters, const std::vector<ptx::Variable>& returns) {
  SignatureLayout layout;
  for (const ptx::Variable& parameter : parameters) layout.parameters.push_back(place(layout.size, parameter, frameAlignment(parameter)));
  for (const ptx::Variable& value : returns) layout.returns.push_back(place(layout.size, value, frameAlignment(value)));
  return layout;
}

SignatureLayout calleeSignature(const ptx::Module& module, const ptx::Function& caller, const CallParts& call) {
  if (call.callee->kind == ptx::Operand::Kind::symbol) {
    const ptx::Function& callee = module.functions[call.callee->symbol.index];
    return layOutSignature(callee.parameters, callee.returns);
  }
  if (call.signature != nullptr && call.signature->symbol.kind == ptx::SymbolKind::call_prototype) {
    const ptx::Prototype& prototype = caller.prototypes[call.signature->symbol.index];
    return layOutSignature(prototype.parameters, prototype.returns);
  }
  if (call.signature != nullptr && call.signature->symbol.kind == ptx::SymbolKind::call_targets) {
    const std::vector<u32>& targets = caller.callTargets[call.signature->symbol.index].entries;
    if (!targets.empty()) return layOutSignature(module.functions[targets[0]].parameters, module.functions[targets[0]].returns);
  }
  return {};
}

ModuleLayout layOut(const ptx::Module& module, const CallGraph& calls, isa::Program& program) {
  ModuleLayout layout;
  layOutModuleVariables(module, layout, program);
  layout.functions.resize(module.functions.size());
  const u64 bottom = moduleLocalBytes(module, layout);
  for (u32 f = 0; f < module.functions.size(); ++f) layOutFrame(module, module.functions[f], bottom, layout.functions[f]);
  layOutShared(module, calls, layout);
  return layout;
}

}  // namespace warpwright::compiler
