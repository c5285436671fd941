// The code of one function while the compiler works on it: machine instructions with virtual registers and label targets.
//
// A virtual register is one 32-bit word, the unit of liveness and allocation. Values of several words (64-bit values, vector
// operands) are register groups: consecutive words that must lie together, aligned, in real registers as well. An operand's index is
// its first word. Virtual predicates count from kFirstVirtualPredicate, so that isa::kTruePredicate keeps its meaning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "isa/program.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {

inline constexpr u32 kNone = ~u32{0};
inline constexpr u32 kFirstVirtualPredicate = isa::kTruePredicate + 1;
// The virtual register of the stack pointer: always allocated to isa::kStackRegister.
inline constexpr u32 kStackWord = 0;

// An operand whose value is an address known only when the module is loaded.
struct OperandSymbol {
  u8 operand = 0;  // index into sources, or isa::CodeRelocation::kOffsetOperand
  isa::SymbolAddress address;
};

// What register allocation adds to a function's own instructions.
enum class Role : u8 {
  own,
  reload,          // register ← spill slot
  store,           // register → spill slot
  rematerialised,  // a copy of the instruction MachineInstruction::number, which computes a value anew
  hold,            // predicate → register
  restore,         // register → predicate
  jump,            // back from a block that was put on an edge
};

struct MachineInstruction : isa::Instruction {
  u32 origin = kNone;  // index into ptx::Function::body
  Role role = Role::own;
  u32 number = kNone;                   // position before allocation; kNone for what allocation adds, but see Role::rematerialised
  bool addsFrame = false;               // the offset (memory) or the immediate source still lacks the function's frame size
  bool endsThread = false;              // a call that never comes back
  bool passesArgument = false;          // a copy to or from a fixed group (see namesArguments)
  std::optional<OperandSymbol> symbol;  // at most one an instruction
};

struct RegisterGroup {
  u32 first = 0, words = 1, alignment = 1;  // alignment in words
};

struct MachineFunction {
  const ptx::Module* module = nullptr;
  u32 index = 0;  // in ptx::Module::functions and isa::Program::functions
  u32 addressBits = 64;
  std::vector<MachineInstruction> code;
  std::vector<u32> labels;                     // position in code
  std::vector<std::vector<u32>> branchTables;  // labels
  std::vector<u32> rolledLoops;                // labels of the headers of loops that are not to be unrolled (again)
  bool keepsLoops = false;                     // no loop is to be unrolled
  std::vector<RegisterGroup> groups;
  std::vector<u32> groupOf;  // per word
  u32 predicates = 0;
  u32 predicateHolds = kNone;  // while predicates are spilled: first of the words that hold them, one a predicate
  bool usesStack = false;      // isa::kStackRegister is reserved
  u64 frameBytes = 0;          // local memory of one activation; the save area included once it is laid out

  const ptx::Function& source() const { return module->functions[index]; }
  u32 words() const { return static_cast<u32>(groupOf.size()); }
  // Words and predicates together, the unit space of the analyses: predicate p is unit words() + p - kFirstVirtualPredicate.
  u32 units() const { return words() + predicates; }
  u32 unitOfPredicate(u32 predicate) const { return words() + predicate - kFirstVirtualPredicate; }

  u32 newGroup(u32 groupWords, u32 alignment);
  u32 newPredicate() { return kFirstVirtualPredicate + predicates++; }
  u32 newLabel(u32 position = kNone);
  u32 addressWords() const { return addressBits / 32; }
  isa::DataType addressType() const { return addressBits == 64 ? isa::DataType::u64 : isa::DataType::u32; }
  // Where in the PTX text an instruction came from.
  SourcePosition positionOf(const MachineInstruction& instruction) const;
};

bool isRegister(const isa::Operand& operand);
bool isAlwaysExecuted(const isa::Instruction& instruction);
// Nothing is left of what the destinations held: all lanes write, and none reads it first.
bool replacesDestinations(const isa::Instruction& instruction);
// No effect other than on its destinations; the same sources give the same results.
bool isPure(const MachineInstruction& instruction);

// Calls, returns and nops, of which one stands at the beginning of a function, name the registers of arguments and results
// (argument_registers.hpp) until they are allocated: Instruction::vector words from the last source, or to the first destination. Such
// a group of words has its registers before allocation: it is fixed.
bool namesArguments(isa::Opcode opcode);
inline constexpr u32 kArgumentsOperand = 3;
// Per group: whether it is fixed.
std::vector<bool> findFixedGroups(const MachineFunction& function);
bool isCall(const isa::Instruction& instruction);
// Control does not, or not always, go on behind it.
bool endsBlock(const MachineInstruction& instruction);

// Number of registers that an operand of the instruction names; 0 for predicates, immediates, parameters and absent ones.
u32 destinationWords(const MachineFunction& function, const isa::Instruction& instruction, u32 operand);
u32 sourceWords(const MachineFunction& function, const isa::Instruction& instruction, u32 operand);

// Calls visit(unit) for every unit the instruction reads, its guard included.
template <class Visitor>
void forEachSourceUnit(const MachineFunction& function, const isa::Instruction& instruction, Visitor&& visit) {
  const auto predicate = [&](const isa::Operand& operand) {
    if (operand.kind == isa::Operand::Kind::predicate && operand.index >= kFirstVirtualPredicate)
      visit(function.unitOfPredicate(operand.index));
  };
  predicate(instruction.guard);
  for (u32 i = 0; i < instruction.sources.size(); ++i) {
    const isa::Operand& operand = instruction.sources[i];
    if (operand.kind == isa::Operand::Kind::predicate) predicate(operand);
    if (operand.kind != isa::Operand::Kind::reg) continue;
    const u32 words = sourceWords(function, instruction, i);
    for (u32 w = 0; w < words; ++w) visit(operand.index + w);
  }
}

// Calls visit(unit) for every unit the instruction writes.
template <class Visitor>
void forEachDestinationUnit(const MachineFunction& function, const isa::Instruction& instruction, Visitor&& visit) {
  for (u32 i = 0; i < instruction.destinations.size(); ++i) {
    const isa::Operand& operand = instruction.destinations[i];
    if (operand.kind == isa::Operand::Kind::predicate && operand.index >= kFirstVirtualPredicate)
      visit(function.unitOfPredicate(operand.index));
    if (operand.kind != isa::Operand::Kind::reg) continue;
    const u32 words = destinationWords(function, instruction, i);
    for (u32 w = 0; w < words; ++w) visit(operand.index + w);
  }
}

// Replaces the code; newPosition[i] is where old position i (0 … old size) lies now. Labels follow.
void replaceCode(MachineFunction& function, std::vector<MachineInstruction> code, const std::vector<u32>& newPosition);
// The instruction does nothing any more.
void becomeNop(MachineInstruction& instruction);
// Removes the instructions that are nops, but for the one that names a function's arguments.
void removeNops(MachineFunction& function);

}  // namespace warpwright::compiler
