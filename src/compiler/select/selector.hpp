// Instruction selection: one PTX instruction becomes one or a few machine instructions on virtual registers.
//
// What an instruction becomes is for the functions of handlers.hpp, one file a family. Most lane operations need none: their operands
// follow from the letters of the instruction table (see lane()). A guard applies to everything an instruction becomes, except to
// temporaries computed on the way.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/layout.hpp"
#include "compiler/machine_code.hpp"

namespace warpwright::compiler {

// Where a memory access goes.
struct Address {
  isa::Operand base;  // none: absolute
  s64 offset = 0;
  isa::Space space = isa::Space::generic;
  bool addsFrame = false;
  bool isWord = false;  // the base is one word with 64-bit addresses too
  std::optional<isa::SymbolAddress> symbol;
};
// Where a symbol lies: in a space at an offset, known now or (with `symbol`) at load time.
struct SymbolLocation {
  isa::Space space = isa::Space::generic;
  s64 offset = 0;
  bool inFrame = false;    // relative to the device function's stack pointer
  bool addsFrame = false;  // plus the frame size: the callee's frame
  std::optional<isa::SymbolAddress> symbol;
};

// Of a group of registers that one instruction reads or writes.
inline u32 alignmentOfGroup(u32 words) { return words <= 1 ? 1 : words == 2 ? 2 : 4; }

class Selector {
 public:
  Selector(const ptx::Module& module, const ModuleLayout& layout, const CallGraph& calls, u32 function);
  MachineFunction run();

  // --- what is at hand
  const ptx::Module& module() const { return module_; }
  const ModuleLayout& layout() const { return layout_; }
  const CallGraph& calls() const { return calls_; }
  const FunctionLayout& own() const { return own_; }
  const ptx::Function& source() const { return source_; }
  // None while the prologue is made.
  bool hasInstruction() const { return in_ != nullptr; }
  const ptx::Instruction& in() const { return *in_; }
  u32 position() const { return position_; }
  // What it becomes: the code so far, the guard of what is emitted, the predicate that stands for CC.CF.
  MachineFunction& code() { return code_; }
  const MachineFunction& code() const { return code_; }
  isa::Operand& guard() { return guard_; }
  std::optional<u32>& carry() { return carry_; }

  // --- emitting
  MachineInstruction& emit(isa::Opcode opcode, isa::DataType type);
  MachineInstruction& emit(isa::Opcode opcode, isa::DataType type, std::initializer_list<isa::Operand> destinations,
                           std::initializer_list<isa::Operand> sources);
  // The same without the guard: for temporaries.
  MachineInstruction& compute(isa::Opcode opcode, isa::DataType type, std::initializer_list<isa::Operand> destinations,
                              std::initializer_list<isa::Operand> sources);
  // The return values that are registers, where a device function returns.
  void storeReturns();
  void copyWord(u32 to, isa::Operand from);
  // Fills the words above the first `type`-sized one of a destination register that is wider than the instruction.
  void extend(const ptx::Operand& destination, isa::DataType type);
  [[noreturn]] void unsupported(const std::string& why = {}, const std::string& remedy = {}) const;
  const ptx::Operand& operand(u32 index) const;
  bool hasOperand(u32 index) const;
  u32 operandCount() const { return static_cast<u32>(in_->operands.size()); }

  // --- operands (operands.cpp)
  isa::Operand use(const ptx::Operand& source, isa::DataType type);
  isa::Operand useInRegister(const ptx::Operand& source, isa::DataType type);
  isa::Operand define(const ptx::Operand& destination, isa::DataType type);
  isa::Operand usePredicate(const ptx::Operand& source);
  isa::Operand definePredicate(const ptx::Operand& destination);
  isa::Operand literal(const ptx::Operand& source, isa::DataType type) const;
  isa::Operand readSpecial(ptx::SpecialRegister special, isa::DataType type);
  isa::Operand temporary(isa::DataType type);
  bool isPredicate(u32 reg) const;
  u32 registerWordsOf(u32 reg) const;
  u32 firstWord(u32 reg) const { return wordOf_[reg]; }
  SymbolLocation locationOf(const ptx::SymbolRef& symbol) const;
  // The symbol's address in its own space, or its generic address, in a register of the given type, or of addresses.
  isa::Operand addressOf(const ptx::Operand& symbol, bool generic, isa::DataType type);
  isa::Operand addressOf(const ptx::Operand& symbol, bool generic);
  Address addressOperand(const ptx::Operand& source, isa::Space space);
  Address wideAddressOperand(const ptx::Operand& source, isa::Space space);
  void setAddress(MachineInstruction& instruction, const Address& address, u32 sourceIndex = 0) const;
  // The register that points to the frame of a device function; absent in kernels, whose frame begins at 0.
  isa::Operand frameBase() const;

  // --- types and modifiers (modifiers.cpp)
  isa::DataType typeFor(isa::Opcode opcode, ptx::Type type) const;
  isa::Modifiers arithmeticModifiers() const;
  void setMemoryModifiers(isa::Modifiers& modifiers) const;
  isa::Space spaceOf(ptx::Space space) const;

 private:
  // --- setting up (selector.cpp)
  void declareRegisters();
  void placeAccumulators();
  void keepLoops(std::vector<std::vector<u32>>& labelsAt);
  void prologue();
  // First word of the register that a .reg-space parameter or return value is.
  std::optional<u32> registerOf(const ptx::Variable& value) const;
  void selectObservation(const ptx::Observation& observation);
  void selectInstruction(u32 position);

  const ptx::Module& module_;
  const ModuleLayout& layout_;
  const CallGraph& calls_;
  const FunctionLayout& own_;
  const ptx::Function& source_;
  MachineFunction code_;
  std::vector<u32> wordOf_;            // per PTX register: first word, or predicate number
  std::map<std::string, u32> byName_;  // registers of .reg-space parameters
  const ptx::Instruction* in_ = nullptr;
  u32 position_ = 0;
  isa::Operand guard_ = isa::Operand::makePredicate(isa::kTruePredicate);
  std::optional<u32> carry_;  // the predicate that stands for CC.CF
};

// Maps ptx::Type to the machine's type: untyped bits become unsigned. none for what has no machine type (f16x2, b128 …).
isa::DataType dataType(ptx::Type type);
isa::DataType unsignedOf(isa::DataType type);
isa::DataType bitsType(u32 bytes);

}  // namespace warpwright::compiler
