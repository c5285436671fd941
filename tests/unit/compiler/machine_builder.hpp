// Machine functions written by hand, for tests of single passes.
#pragma once

#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

class MachineBuilder {
 public:
  MachineBuilder() {
    module_.functions.emplace_back();
    module_.functions[0].name = "test";
    module_.functions[0].isKernel = true;
    function.module = &module_;
    function.newGroup(1, 1);
  }
  MachineBuilder(const MachineBuilder&) = delete;
  MachineBuilder& operator=(const MachineBuilder&) = delete;

  isa::Operand word() { return isa::Operand::makeRegister(function.newGroup(1, 1)); }
  isa::Operand pair() { return isa::Operand::makeRegister(function.newGroup(2, 2)); }
  isa::Operand vector(u32 words) { return isa::Operand::makeRegister(function.newGroup(words, words)); }
  isa::Operand predicate() { return isa::Operand::makePredicate(function.newPredicate()); }
  u32 label() { return function.newLabel(); }
  void bind(u32 label) { function.labels[label] = static_cast<u32>(function.code.size()); }

  MachineInstruction& emit(isa::Opcode opcode, isa::DataType type, std::initializer_list<isa::Operand> destinations,
                           std::initializer_list<isa::Operand> sources) {
    MachineInstruction& instruction = function.code.emplace_back();
    instruction.opcode = opcode;
    instruction.type = type;
    std::copy(destinations.begin(), destinations.end(), instruction.destinations.begin());
    std::copy(sources.begin(), sources.end(), instruction.sources.begin());
    return instruction;
  }
  MachineInstruction& move(isa::Operand to, isa::Operand from) { return emit(isa::Opcode::mov, isa::DataType::u32, {to}, {from}); }
  MachineInstruction& add(isa::Operand to, isa::Operand a, isa::Operand b) {
    return emit(isa::Opcode::add, isa::DataType::u32, {to}, {a, b});
  }
  MachineInstruction& compare(isa::Operand predicate, isa::Operand a, isa::Operand b) {
    return emit(isa::Opcode::setp, isa::DataType::u32, {predicate}, {a, b});
  }
  // A new register that holds it.
  isa::Operand special(isa::SpecialRegister which) {
    const isa::Operand result = word();
    emit(isa::Opcode::s2r, isa::DataType::u32, {result}, {}).modifiers.special = which;
    return result;
  }
  // Stores a word or a pair at an absolute address: a read that cannot be removed.
  MachineInstruction& store(isa::Operand value, isa::DataType type = isa::DataType::u32, u32 elements = 1) {
    MachineInstruction& result = emit(isa::Opcode::st, type, {}, {isa::Operand{}, value});
    result.vector = static_cast<u8>(elements);
    return result;
  }
  MachineInstruction& branch(u32 target) {
    MachineInstruction& result = emit(isa::Opcode::bra, isa::DataType::u32, {}, {});
    result.target = target;
    return result;
  }
  MachineInstruction& branchIf(isa::Operand predicate, u32 target) {
    MachineInstruction& result = branch(target);
    result.guard = predicate;
    return result;
  }
  MachineInstruction& exit() { return emit(isa::Opcode::exit, isa::DataType::u32, {}, {}); }

  static isa::Operand number(u64 value) { return isa::Operand::makeImmediate(value); }

  MachineFunction function;

 private:
  ptx::Module module_;
};

}  // namespace warpwright::compiler
