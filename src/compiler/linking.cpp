#include "compiler/linking.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

class Linker {
 public:
  Linker(const ptx::Module& module, const ModuleLayout& layout, const CallGraph& calls, const std::vector<CompiledFunction>& compiled,
         isa::Program& program)
      : module_(module), layout_(layout), calls_(calls), compiled_(compiled), program_(program) {}

  void run() {
    for (u32 f = 0; f < module_.functions.size(); ++f) {
      program_.functions.push_back(describe(f));
      append(f);
    }
    for (u32 f = 0; f < module_.functions.size(); ++f) setTotals(f);
  }

 private:
  isa::Function describe(u32 f) const {
    const ptx::Function& source = module_.functions[f];
    const FunctionLayout& layout = layout_.functions[f];
    isa::Function function;
    function.name = source.name;
    function.isKernel = source.isKernel;
    function.isDeclaration = source.isDeclaration;
    function.frameBytes = compiled_[f].code.frameBytes;
    function.spillSlots = compiled_[f].spillSlots;
    function.sharedBytes = layout.sharedBytes;
    function.dynamicSharedOffset = layout.dynamicSharedOffset;
    function.sharedVariables = layout.sharedNames;
    function.sharedAccesses = compiled_[f].sharedAccesses;
    for (u32 i = 0; i < source.parameters.size(); ++i) {
      const ptx::Variable& parameter = source.parameters[i];
      function.parameters.push_back({parameter.name, layout.signature.parameters[i], parameter.size, parameter.alignment});
      function.parameterBytes = std::max(function.parameterBytes, layout.signature.parameters[i] + parameter.size);
    }
    // The parameter area of a device function holds its results, too.
    if (!source.isKernel) function.parameterBytes = layout.signature.size;
    if (source.maxThreads) function.maxThreads = *source.maxThreads;
    if (source.requiredThreads) function.requiredThreads = *source.requiredThreads;
    if (source.requiredCluster) function.requiredCluster = *source.requiredCluster;
    function.explicitCluster = source.explicitCluster;
    function.maxClusterRank = source.maxClusterRank.value_or(0);
    function.minBlocksPerSm = source.minBlocksPerSm.value_or(0);
    function.maxRegisters = source.maxRegisters.value_or(0);
    for (const ptx::Instruction& instruction : source.body) {
      if (instruction.sourceLine == 0) continue;
      function.sourceFile = instruction.sourceFile;
      function.sourceLine = instruction.sourceLine;
      break;
    }
    return function;
  }

  void append(u32 f) {
    const MachineFunction& code = compiled_[f].code;
    isa::Function& function = program_.functions[f];
    function.begin = here();
    const u32 firstTable = static_cast<u32>(program_.branchTables.size());
    for (const std::vector<u32>& labels : code.branchTables) {
      std::vector<Pc>& table = program_.branchTables.emplace_back();
      for (const u32 label : labels) table.push_back(Pc(function.begin + code.labels[label]));
    }
    std::vector<u32> textOf(module_.functions[f].body.size(), kNone);
    for (const MachineInstruction& instruction : code.code) {
      const Pc pc = here();
      isa::Instruction& placed = program_.code.emplace_back(instruction);
      if (placed.opcode == isa::Opcode::bra) placed.target = function.begin + code.labels[placed.target];
      if (placed.opcode == isa::Opcode::brx) placed.target += firstTable;
      if (placed.reconvergence != isa::kNoTarget) placed.reconvergence = function.begin + code.labels[placed.reconvergence];
      if (instruction.symbol) program_.relocations.push_back({pc, instruction.symbol->operand, instruction.symbol->address});
      program_.ptxOf.push_back(textIndex(f, instruction.origin, textOf));
    }
    function.end = here();
  }

  Pc here() const { return Pc(static_cast<u32>(program_.code.size())); }

  u32 textIndex(u32 f, u32 origin, std::vector<u32>& textOf) {
    if (origin == kNone) return kNone;
    if (textOf[origin] == kNone) {
      textOf[origin] = static_cast<u32>(program_.ptxText.size());
      program_.ptxText.push_back(module_.functions[f].body[origin].text);
    }
    return textOf[origin];
  }

  // What a function needs with all it may call.
  void setTotals(u32 f) {
    isa::Function& function = program_.functions[f];
    bool recursive = false;
    for (const u32 callee : calls_.reach[f]) {
      function.registers = std::max(function.registers, compiled_[callee].registers);
      function.predicates = std::max(function.predicates, compiled_[callee].predicates);
      recursive |= calls_.recursive[callee];
    }
    std::vector<bool> active(module_.functions.size());
    std::vector<u64> known(module_.functions.size(), kUnknown);
    function.localBytes = deepestChain(f, active, known);
    if (recursive) function.localBytes += kRecursionBytes;
    function.recursive = recursive;
  }

  // Frames along the deepest chain of calls that enters no function twice. System calls keep their arguments behind the last frame.
  u64 deepestChain(u32 f, std::vector<bool>& active, std::vector<u64>& known) const {
    if (known[f] != kUnknown) return known[f];
    active[f] = true;
    u64 deepest = systemCallBytes(f);
    for (const u32 callee : calls_.callees[f])
      if (!active[callee]) deepest = std::max(deepest, deepestChain(callee, active, known));
    active[f] = false;
    known[f] = compiled_[f].code.frameBytes + deepest;
    return known[f];
  }

  u64 systemCallBytes(u32 f) const {
    u64 bytes = 0;
    for (const ptx::Instruction& instruction : module_.functions[f].body) {
      if (instruction.opcode != ptx::Opcode::call) continue;
      const CallParts call = callParts(instruction);
      if (call.callee == nullptr || call.callee->kind != ptx::Operand::Kind::symbol) continue;
      const ptx::Function& callee = module_.functions[call.callee->symbol.index];
      if (callee.isDeclaration) bytes = std::max(bytes, alignUp(layOutSignature(callee.parameters, callee.returns).size, kFrameAlignment));
    }
    return bytes;
  }

  static constexpr u64 kUnknown = ~u64{0};

  const ptx::Module& module_;
  const ModuleLayout& layout_;
  const CallGraph& calls_;
  const std::vector<CompiledFunction>& compiled_;
  isa::Program& program_;
};

}  // namespace

void link(const ptx::Module& module, const ModuleLayout& layout, const CallGraph& calls, const std::vector<CompiledFunction>& compiled,
          isa::Program& program) {
  Linker(module, layout, calls, compiled, program).run();
}

}  // namespace warpwright::compiler
