// A PTX module after parsing. Plain data: every name is resolved to an index, initialisers are byte images with relocations.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "ptx/instruction.hpp"
#include "ptx/types.hpp"

namespace warpwright::ptx {

enum class Linkage : u8 { none, visible, extern_, weak, common };

// An address stored inside an initialiser: the bytes at `offset` receive the address of `symbol` plus `addend`.
struct Relocation {
  u64 offset = 0;
  u8 width = 8;          // bytes written: 1 (mask operators such as 0xFF(sym)), 4 or 8
  u8 shift = 0;          // right shift, in bits, of the address before it is cut to width
  bool generic = false;  // generic(sym): the generic address, otherwise the address in the variable's own space
  SymbolRef symbol;      // module_variable or function
  s64 addend = 0;
};

struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  u8 vector = 1;
  u32 alignment = 1;  // bytes; the type's own size (times vector) unless .align says otherwise
  u64 size = 0;       // bytes in all; 0 for an unsized array (dynamic shared memory)
  bool isArray = false;
  bool unsized = false;  // "[]"
  Linkage linkage = Linkage::none;
  bool managed = false;      // .attribute(.managed)
  bool isReference = false;  // .texref, .surfref or .samplerref: stands for a texture or surface, has no contents
  std::vector<u8> image;     // initial bytes, empty for all zero (or uninitialised); at most `size` long
  std::vector<Relocation> relocations;
  Space pointee = Space::generic;  // kernel parameter with ".ptr .space": the space pointed to
  u32 pointeeAlignment = 0;        // ".ptr … .align N"; 0 when absent
  u32 reg = kNoIndex;              // parameter or return in .reg space: index into Function::registers
  u32 line = 0, column = 0;
};

struct Register {
  std::string name;
  Type type = Type::none;
};

struct Label {
  std::string name;
  u32 position = 0;  // index into Function::body of the instruction that follows; body.size() at the end
};

struct Pragma {
  std::string text;
  u32 position = kNoIndex;  // in a body: index into Function::body of the instruction that follows; kNoIndex: it speaks of the whole
};

struct Prototype {
  std::string name;
  std::vector<Variable> returns, parameters;
  bool noReturn = false;
};

struct NamedList {
  std::string name;
  std::vector<u32> entries;  // label indices (branch targets) or function indices (call targets)
};

struct Function {
  std::string name;
  bool isKernel = false;       // .entry
  bool isDeclaration = false;  // no body
  bool noReturn = false;
  Linkage linkage = Linkage::none;
  std::vector<Variable> parameters, returns;
  std::optional<Dim3> maxThreads, requiredThreads;  // .maxntid, .reqntid
  std::optional<u32> minBlocksPerSm, maxRegisters;  // .minnctapersm, .maxnreg
  bool explicitCluster = false;                     // .explicitcluster
  std::optional<Dim3> requiredCluster;              // .reqnctapercluster
  std::optional<u32> maxClusterRank;                // .maxclusterrank
  std::vector<Pragma> pragmas;
  std::vector<Register> registers;
  std::vector<Variable> variables;
  std::vector<Instruction> body;
  std::vector<Label> labels;
  std::vector<NamedList> branchTargets, callTargets;
  std::vector<Prototype> prototypes;
  u32 line = 0, column = 0;
};

struct Module {
  std::string sourceName;  // file name for messages
  u32 versionMajor = 0, versionMinor = 0;
  std::string target;                // "sm_70"
  u32 smVersion = 0;                 // 70
  u32 addressBits = 64;              // .address_size
  std::map<u32, std::string> files;  // .file index → name
  std::vector<Pragma> pragmas;
  std::vector<Variable> variables;
  std::vector<Function> functions;

  // Index of the function or variable of that name, or kNoIndex.
  u32 findFunction(std::string_view name) const;
  u32 findVariable(std::string_view name) const;
};

}  // namespace warpwright::ptx
