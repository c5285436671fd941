// Calls. The caller's frame ends at its frame size; there the callee's begins, with the parameter area. Call-sequence .param variables
// lie in that area already (see layout.cpp); only arguments and results that are registers move here.
#include "compiler/select/handlers.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

namespace {

void storeArguments(Selector& s, const CallParts& call, const SignatureLayout& callee, const std::vector<ptx::Variable>* parameters) {
  if (call.arguments == nullptr) return;
  const std::vector<ptx::Operand>& arguments = call.arguments->elements;
  const size_t expected = parameters == nullptr ? 0 : parameters->size();
  if (arguments.size() != expected) s.unsupported("the number of arguments differs from the callee's parameters");
  for (u32 i = 0; i < arguments.size(); ++i) {
    if (arguments[i].symbol.kind == ptx::SymbolKind::function_variable) continue;
    const DataType type = unsignedOf(dataType((*parameters)[i].type));
    if (isa::registerWords(type) == 0) s.unsupported("this argument cannot be passed in a register");
    const Address address{s.frameBase(), static_cast<s64>(callee.parameters[i]), isa::Space::local, true, {}};
    const Operand value = s.useInRegister(arguments[i], type);
    emitStore(s, address, type, 1, value);
  }
}

void loadResults(Selector& s, const CallParts& call, const SignatureLayout& callee, const std::vector<ptx::Variable>* returns) {
  if (call.returns == nullptr) return;
  const std::vector<ptx::Operand>& results = call.returns->elements;
  const size_t expected = returns == nullptr ? 0 : returns->size();
  if (results.size() != expected) s.unsupported("the number of results differs from the callee's return values");
  for (u32 i = 0; i < results.size(); ++i) {
    if (results[i].symbol.kind == ptx::SymbolKind::function_variable || results[i].kind == Kind::discard) continue;
    const DataType type = dataType((*returns)[i].type);
    if (isa::registerWords(type) == 0) s.unsupported("this result cannot be returned in a register");
    const Address address{s.frameBase(), static_cast<s64>(callee.returns[i]), isa::Space::local, true, {}};
    const Operand to = s.define(results[i], type);
    emitLoad(s, address, type, 1, to);
    s.extend(results[i], type);
  }
}

// A kernel's own frame begins at 0 and is addressed absolutely, so it only has to set the pointer.
void enterCallee(Selector& s) {
  s.code().usesStack = true;
  const Operand stack = Operand::makeRegister(kStackWord);
  MachineInstruction& step = s.source().isKernel ? s.emit(isa::Opcode::mov, DataType::u32, {stack}, {Operand::makeImmediate(0)})
                                                 : s.emit(isa::Opcode::add, DataType::u32, {stack}, {stack, Operand::makeImmediate(0)});
  step.addsFrame = true;
}

void leaveCallee(Selector& s) {
  if (s.source().isKernel) return;
  const Operand stack = Operand::makeRegister(kStackWord);
  s.emit(isa::Opcode::sub, DataType::u32, {stack}, {stack, Operand::makeImmediate(0)}).addsFrame = true;
}

void transfer(Selector& s, const CallParts& call) {
  if (call.callee->kind != Kind::symbol) {
    const Operand target = s.useInRegister(*call.callee, s.code().addressType());
    enterCallee(s);
    s.emit(isa::Opcode::calli, DataType::u32, {}, {target});
    leaveCallee(s);
    return;
  }
  const u32 callee = definitionOf(s.module(), call.callee->symbol.index);
  const std::optional<isa::SystemCall> system = systemCallOf(s.module(), callee);
  enterCallee(s);
  MachineInstruction& jump = s.emit(system ? isa::Opcode::syscall : isa::Opcode::call, DataType::u32);
  jump.target = system ? static_cast<u32>(*system) : callee;
  jump.endsThread = system == isa::SystemCall::assertfail;
  if (jump.endsThread) return;
  leaveCallee(s);
}

}  // namespace

void selectCall(Selector& s) {
  const CallParts call = callParts(s.in());
  if (call.callee == nullptr) s.unsupported("the callee is missing");
  const std::vector<ptx::Variable>* parameters = nullptr;
  const std::vector<ptx::Variable>* returns = nullptr;
  if (call.callee->kind == Kind::symbol) {
    parameters = &s.module().functions[call.callee->symbol.index].parameters;
    returns = &s.module().functions[call.callee->symbol.index].returns;
  } else if (call.signature != nullptr && call.signature->symbol.kind == ptx::SymbolKind::call_prototype) {
    parameters = &s.source().prototypes[call.signature->symbol.index].parameters;
    returns = &s.source().prototypes[call.signature->symbol.index].returns;
  } else if (call.signature != nullptr && call.signature->symbol.kind == ptx::SymbolKind::call_targets) {
    const std::vector<u32>& targets = s.source().callTargets[call.signature->symbol.index].entries;
    if (targets.empty()) s.unsupported("the list of call targets is empty");
    parameters = &s.module().functions[targets[0]].parameters;
    returns = &s.module().functions[targets[0]].returns;
  }

  // Lanes that do not call keep their registers and their stack pointer: they branch around.
  const bool guarded = s.guard() != Operand::makePredicate(isa::kTruePredicate);
  u32 after = kNone;
  if (guarded) {
    after = s.code().newLabel();
    MachineInstruction& skip = s.emit(isa::Opcode::bra, DataType::u32);
    skip.target = after;
    skip.guard.negated = !skip.guard.negated;
    s.guard() = Operand::makePredicate(isa::kTruePredicate);
  }
  static const std::vector<ptx::Variable> kNothing;
  const SignatureLayout callee = layOutSignature(parameters ? *parameters : kNothing, returns ? *returns : kNothing);
  storeArguments(s, call, callee, parameters);
  transfer(s, call);
  loadResults(s, call, callee, returns);
  if (guarded) s.code().labels[after] = static_cast<u32>(s.code().code.size());
}

}  // namespace warpwright::compiler
