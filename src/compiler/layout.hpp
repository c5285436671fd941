// Where every variable and parameter lies whose address is known at compile time.
#pragma once

#include <map>
#include <vector>

#include "compiler/call_graph.hpp"
#include "isa/program.hpp"
#include "ptx/module.hpp"

namespace warpwright::compiler {

inline constexpr u64 kFrameAlignment = 16;

// Parameters, then return values, each at its own alignment. Kernels: the parameter block, whose layout the host knows. Device functions:
// the parameter area at the start of the callee's frame; there an aggregate is aligned as its size allows, up to 16 bytes, because clang
// accesses the doubles of an aggregate that it declares with a smaller alignment (32-bit addresses).
struct SignatureLayout {
  std::vector<u64> parameters, returns;  // bytes
  u64 size = 0;
};
SignatureLayout layOutKernelParameters(const std::vector<ptx::Variable>& parameters);
SignatureLayout layOutSignature(const std::vector<ptx::Variable>& parameters, const std::vector<ptx::Variable>& returns);

// Of the function that a call names, or of the prototype of an indirect call.
SignatureLayout calleeSignature(const ptx::Module& module, const ptx::Function& caller, const CallParts& call);

struct FunctionLayout {
  SignatureLayout signature;           // kernels: offsets in the parameter block
  std::vector<u64> variables;          // per ptx::Function::variables. local: offset in the frame; shared: in shared memory;
                                       // param: offset in the callee's frame
  std::map<u32, u64> sharedVariables;  // module-scope .shared variable (ptx index) → offset, for this function and kernel
  u64 frameBytes = 0;                  // parameter area and locals
  u64 sharedBytes = 0, dynamicSharedOffset = 0;
  std::vector<isa::SharedVariable> sharedNames;  // kernels only
};

struct ModuleLayout {
  std::vector<u32> programVariable;      // per ptx::Module::variables: index into isa::Program::variables; kNoIndex: shared or local
  std::map<u32, u64> localVariables;     // module-scope .local: offset at the bottom of a thread's local memory
  std::map<u32, u64> constantVariables;  // .const of this module (ptx index): offset in its constant memory
  std::vector<FunctionLayout> functions;
};

// Fills the program's variables and constant memory too.
ModuleLayout layOut(const ptx::Module& module, const CallGraph& calls, isa::Program& program);

// The size of the module's constant memory.
u64 constantBytes(const ptx::Module& module);

// The declared alignment of isa::Program::variables[variable], which are the module's .global and .const variables in their order.
u64 programVariableAlignment(const ptx::Module& module, u32 variable);

constexpr u64 alignUp(u64 value, u64 alignment) { return alignment < 2 ? value : (value + alignment - 1) / alignment * alignment; }

}  // namespace warpwright::compiler
