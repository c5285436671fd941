// What the compiler hands to the machine: the code of one module, its functions and the initial contents of its variables.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "isa/control_bits.hpp"
#include "isa/instruction.hpp"
#include "isa/shared_access.hpp"

namespace warpwright::isa {

// A pointer whose value is known only when the module is loaded.
struct SymbolAddress {
  enum class Kind : u8 { variable, function } kind = Kind::variable;
  u32 index = 0;         // Program::variables or Program::functions
  bool generic = false;  // generic address; otherwise the address in the variable's own space
  s64 addend = 0;
};

// instruction.sources[operand].value (or instruction.offset where operand is kOffsetOperand) receives the address.
struct CodeRelocation {
  static constexpr u8 kOffsetOperand = 0xff;
  Pc instruction;
  u8 operand = 0;
  SymbolAddress symbol;
};

struct DataRelocation {
  u64 offset = 0;
  u8 width = 8;  // bytes
  u8 shift = 0;  // right shift in bits before cutting to width
  SymbolAddress symbol;
};

// A module-scope variable in global or constant memory. Shared and local ones are laid out by the compiler in their function.
struct Variable {
  std::string name;
  Space space = Space::global;
  u64 size = 0;  // bytes
  u32 alignment = 1;
  bool managed = false;
  bool external = false;  // declared only: another module defines it
  std::vector<u8> image;  // initial bytes; shorter than size: the rest is zero
  std::vector<DataRelocation> relocations;
  u64 constantOffset = 0;  // space constant: offset in the module's constant memory
};

struct Parameter {
  std::string name;
  u64 offset = 0, size = 0;  // bytes in the parameter block
  u32 alignment = 1;
};

struct SharedVariable {
  std::string name;
  u64 offset = 0, size = 0;  // bytes in the block's shared memory
};

struct Function {
  std::string name;
  bool isKernel = false;
  bool isDeclaration = false;  // no code: calling it is an error that names it
  Pc begin, end;               // [begin, end) in Program::code; entry at begin
  u32 registers = 0;           // registers of this function and everything it may call; what a warp needs when it begins
  u32 predicates = 0;
  u32 spillSlots = 0;      // words of the frame that hold what has no register
  u64 frameBytes = 0;      // local memory of one activation
  u64 localBytes = 0;      // local memory a thread needs: frames along the deepest call chain; recursion adds compiler::kRecursionBytes
  bool recursive = false;  // it or something it may call can be active twice: localBytes is an estimate
  u64 sharedBytes = 0;     // static shared memory
  u64 parameterBytes = 0;
  u64 dynamicSharedOffset = 0;  // where dynamic shared memory begins (aligned end of the static part)
  std::vector<Parameter> parameters;
  std::vector<SharedVariable> sharedVariables;
  std::vector<SharedAccess> sharedAccesses;  // of its own code, as far as they are known; where compiler::Options asks for them
  Dim3 maxThreads{0, 0, 0};                  // .maxntid; 0: none given
  Dim3 requiredThreads{0, 0, 0};             // .reqntid
  Dim3 requiredCluster{0, 0, 0};             // .reqnctapercluster, in blocks; 0: none given
  bool explicitCluster = false;              // .explicitcluster: a launch must say of how many blocks its clusters are
  u32 maxClusterRank = 0;                    // .maxclusterrank; 0: none given
  u32 minBlocksPerSm = 0, maxRegisters = 0;
  u32 sourceFile = 0, sourceLine = 0;
};

// What an analysis of the compiler has found out about instructions (compiler/analysis/analysis.hpp).
struct Marks {
  std::vector<u32> of;  // per instruction of the program; 0: none
  std::any table;       // what the marks refer to, of the analysis's own type
};

struct Program {
  std::string sourceName;
  u32 addressBits = 64;
  u32 smVersion = 0;
  std::vector<Instruction> code;
  std::vector<ControlBits> control;                 // per instruction; empty: a scoreboard keeps dependent instructions apart
  std::vector<std::string> ptxText;                 // by instruction index into `ptxOf`: see below
  std::vector<u32> ptxOf;                           // per instruction: index into ptxText of the PTX instruction it came from
  std::map<std::string, Marks, std::less<>> marks;  // by analysis; of those that compiler::Options asks for
  std::vector<std::vector<Pc>> branchTables;        // brx: where it may go
  std::vector<Function> functions;
  std::vector<Variable> variables;
  std::vector<CodeRelocation> relocations;
  u64 constantBytes = 0;             // size of the module's constant memory
  std::map<u32, std::string> files;  // source file names

  const Function* findFunction(std::string_view name) const;
  // The function that holds an instruction; null for none.
  const Function* functionAt(Pc pc) const;
};

// The address that a function pointer holds: kCodeWindow + begin * kInstructionBytes.
inline constexpr u64 kCodeWindow = 0x0080'0000;

}  // namespace warpwright::isa
