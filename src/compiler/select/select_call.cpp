// Calls. The caller's frame ends at its frame size; there the callee's begins, with the parameter area. Call-sequence .param variables
// are places in that area already (see layout.cpp); only arguments and results that are registers move here.
#include "compiler/select/selector.hpp"

namespace warpwright::compiler {

using isa::DataType;
using isa::Operand;
using Kind = ptx::Operand::Kind;

void Selector::selectCall() {
  const CallParts call = callParts(*in_);
  if (call.callee == nullptr) unsupported("the callee is missing");
  const std::vector<ptx::Variable>* parameters = nullptr;
  const std::vector<ptx::Variable>* returns = nullptr;
  if (call.callee->kind == Kind::symbol) {
    parameters = &module_.functions[call.callee->symbol.index].parameters;
    returns = &module_.functions[call.callee->symbol.index].returns;
  } else if (call.signature != nullptr && call.signature->symbol.kind == ptx::SymbolKind::call_prototype) {
    parameters = &source_.prototypes[call.signature->symbol.index].parameters;
    returns = &source_.prototypes[call.signature->symbol.index].returns;
  } else if (call.signature != nullptr && call.signature->symbol.kind == ptx::SymbolKind::call_targets) {
    const std::vector<u32>& targets = source_.callTargets[call.signature->symbol.index].entries;
    if (targets.empty()) unsupported("the list of call targets is empty");
    parameters = &module_.functions[targets[0]].parameters;
    returns = &module_.functions[targets[0]].returns;
  }

  // Lanes that do not call keep their registers and their stack pointer: they branch around.
  const bool guarded = guard_ != Operand::makePredicate(isa::kTruePredicate);
  u32 after = kNone;
  if (guarded) {
    after = code_.newLabel();
    MachineInstruction& skip = emit(isa::Opcode::bra, DataType::u32);
    skip.target = after;
    skip.guard.negated = !skip.guard.negated;
    guard_ = Operand::makePredicate(isa::kTruePredicate);
  }
  static const std::vector<ptx::Variable> kNothing;
  const SignatureLayout callee = layOutSignature(parameters ? *parameters : kNothing, returns ? *returns : kNothing);
  storeArguments(call, callee, parameters);
  transfer(call);
  loadResults(call, callee, returns);
  if (guarded) code_.labels[after] = static_cast<u32>(code_.code.size());
}

void Selector::storeArguments(const CallParts& call, const SignatureLayout& callee, const std::vector<ptx::Variable>* parameters) {
  if (call.arguments == nullptr) return;
  const std::vector<ptx::Operand>& arguments = call.arguments->elements;
  const size_t expected = parameters == nullptr ? 0 : parameters->size();
  if (arguments.size() != expected) unsupported("the number of arguments differs from the callee's parameters");
  for (u32 i = 0; i < arguments.size(); ++i) {
    if (arguments[i].symbol.kind == ptx::SymbolKind::function_variable) continue;
    const DataType type = unsignedOf(dataType((*parameters)[i].type));
    if (isa::registerWords(type) == 0) unsupported("this argument cannot be passed in a register");
    const Address address{frameBase(), static_cast<s64>(callee.parameters[i]), isa::Space::local, true, {}};
    const Operand value = useInRegister(arguments[i], type);
    emitStore(address, type, 1, value);
  }
}

void Selector::loadResults(const CallParts& call, const SignatureLayout& callee, const std::vector<ptx::Variable>* returns) {
  if (call.returns == nullptr) return;
  const std::vector<ptx::Operand>& results = call.returns->elements;
  const size_t expected = returns == nullptr ? 0 : returns->size();
  if (results.size() != expected) unsupported("the number of results differs from the callee's return values");
  for (u32 i = 0; i < results.size(); ++i) {
    if (results[i].symbol.kind == ptx::SymbolKind::function_variable || results[i].kind == Kind::discard) continue;
    const DataType type = dataType((*returns)[i].type);
    if (isa::registerWords(type) == 0) unsupported("this result cannot be returned in a register");
    const Address address{frameBase(), static_cast<s64>(callee.returns[i]), isa::Space::local, true, {}};
    const Operand to = define(results[i], type);
    emitLoad(address, type, 1, to);
    extend(results[i], type);
  }
}

// A kernel's own frame begins at 0 and is addressed absolutely, so it only has to set the pointer.
void Selector::enterCallee() {
  code_.usesStack = true;
  const Operand stack = Operand::makeRegister(kStackWord);
  MachineInstruction& step = source_.isKernel ? emit(isa::Opcode::mov, DataType::u32, {stack}, {Operand::makeImmediate(0)})
                                              : emit(isa::Opcode::add, DataType::u32, {stack}, {stack, Operand::makeImmediate(0)});
  step.addsFrame = true;
}

void Selector::leaveCallee() {
  if (source_.isKernel) return;
  const Operand stack = Operand::makeRegister(kStackWord);
  emit(isa::Opcode::sub, DataType::u32, {stack}, {stack, Operand::makeImmediate(0)}).addsFrame = true;
}

void Selector::transfer(const CallParts& call) {
  if (call.callee->kind != Kind::symbol) {
    const Operand target = useInRegister(*call.callee, code_.addressType());
    enterCallee();
    emit(isa::Opcode::calli, DataType::u32, {}, {target});
    leaveCallee();
    return;
  }
  const u32 callee = definitionOf(module_, call.callee->symbol.index);
  const std::optional<isa::SystemCall> system = systemCallOf(module_, callee);
  enterCallee();
  MachineInstruction& jump = emit(system ? isa::Opcode::syscall : isa::Opcode::call, DataType::u32);
  jump.target = system ? static_cast<u32>(*system) : callee;
  jump.endsThread = system == isa::SystemCall::assertfail;
  if (jump.endsThread) return;
  leaveCallee();
}

}  // namespace warpwright::compiler
