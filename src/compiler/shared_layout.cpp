#include "compiler/shared_layout.hpp"

#include <algorithm>
#include <set>

namespace warpwright::compiler {
namespace {

// Dynamic shared memory is at least as aligned as the widest vector access.
constexpr u64 kDynamicAlignment = 16;

struct SharedUse {
  std::set<u32> sized;       // module-scope variables
  bool declaresOwn = false;  // .shared in the body
  bool dynamic = false;      // names an unsized variable
  u64 dynamicAlignment = kDynamicAlignment;
  bool any() const { return !sized.empty() || declaresOwn; }
};

class SharedLayout {
 public:
  SharedLayout(const ptx::Module& module, const CallGraph& calls, ModuleLayout& layout) : module_(module), calls_(calls), layout_(layout) {}

  void run() {
    for (u32 f = 0; f < module_.functions.size(); ++f) uses_.push_back(useOf(module_.functions[f]));
    placeCommonPart();
    for (u32 f = 0; f < module_.functions.size(); ++f)
      if (module_.functions[f].isKernel) placeKernel(f);
    placeDynamic();
  }

 private:
  void addUse(const ptx::Operand& operand, SharedUse& use) const {
    for (const ptx::Operand& element : operand.elements) addUse(element, use);
    if (operand.symbol.kind != ptx::SymbolKind::module_variable) return;
    const ptx::Variable& variable = module_.variables[operand.symbol.index];
    if (variable.space != ptx::Space::shared) return;
    use.sized.insert(operand.symbol.index);
    if (variable.size == 0) noteDynamic(variable, use);
  }

  static void noteDynamic(const ptx::Variable& variable, SharedUse& use) {
    use.dynamic = true;
    use.dynamicAlignment = std::max<u64>(use.dynamicAlignment, variable.alignment);
  }

  SharedUse useOf(const ptx::Function& function) const {
    SharedUse use;
    for (const ptx::Instruction& instruction : function.body)
      for (const ptx::Operand& operand : instruction.operands) addUse(operand, use);
    for (const ptx::Variable& variable : function.variables) {
      if (variable.space != ptx::Space::shared) continue;
      use.declaresOwn |= variable.size != 0;
      if (variable.size == 0) noteDynamic(variable, use);
    }
    std::erase_if(use.sized, [&](u32 v) { return module_.variables[v].size == 0; });
    return use;
  }

  static u64 place(u64& end, const ptx::Variable& variable, std::vector<isa::SharedVariable>& names) {
    const u64 offset = alignUp(end, variable.alignment);
    end = offset + variable.size;
    names.push_back({variable.name, offset, variable.size});
    return offset;
  }

  void placeOwn(u32 f, u64& end, std::vector<isa::SharedVariable>& names) {
    const std::vector<ptx::Variable>& variables = module_.functions[f].variables;
    for (u32 v = 0; v < variables.size(); ++v)
      if (variables[v].space == ptx::Space::shared && variables[v].size != 0)
        layout_.functions[f].variables[v] = place(end, variables[v], names);
  }

  void placeCommonPart() {
    for (u32 f = 0; f < module_.functions.size(); ++f) {
      if (module_.functions[f].isKernel) continue;
      for (const u32 v : uses_[f].sized)
        if (!common_.contains(v)) common_[v] = place(commonEnd_, module_.variables[v], commonNames_);
      placeOwn(f, commonEnd_, commonNames_);
    }
    for (FunctionLayout& function : layout_.functions) function.sharedVariables = common_;
  }

  bool needsCommonPart(u32 kernel) const {
    const bool calleeUses = std::any_of(calls_.reach[kernel].begin(), calls_.reach[kernel].end(),
                                        [&](u32 f) { return !module_.functions[f].isKernel && uses_[f].any(); });
    const std::set<u32>& own = uses_[kernel].sized;
    return calleeUses || std::any_of(own.begin(), own.end(), [&](u32 v) { return common_.contains(v); });
  }

  void placeKernel(u32 kernel) {
    FunctionLayout& function = layout_.functions[kernel];
    u64 end = 0;
    if (needsCommonPart(kernel)) {
      end = commonEnd_;
      function.sharedNames = commonNames_;
    }
    for (const u32 v : uses_[kernel].sized)
      if (!common_.contains(v)) function.sharedVariables[v] = place(end, module_.variables[v], function.sharedNames);
    placeOwn(kernel, end, function.sharedNames);
    function.sharedBytes = end;
  }

  void placeDynamic() {
    u64 alignment = kDynamicAlignment;
    for (const SharedUse& use : uses_) alignment = std::max(alignment, use.dynamicAlignment);
    u64 commonOffset = 0;
    std::vector<u32> sharing;
    for (u32 f = 0; f < module_.functions.size(); ++f) {
      if (!module_.functions[f].isKernel) continue;
      FunctionLayout& kernel = layout_.functions[f];
      kernel.dynamicSharedOffset = alignUp(kernel.sharedBytes, alignment);
      const bool shares = std::any_of(calls_.reach[f].begin(), calls_.reach[f].end(),
                                      [&](u32 g) { return !module_.functions[g].isKernel && uses_[g].dynamic; });
      if (!shares) continue;
      sharing.push_back(f);
      commonOffset = std::max(commonOffset, kernel.dynamicSharedOffset);
    }
    for (const u32 f : sharing) layout_.functions[f].dynamicSharedOffset = commonOffset;
    for (u32 f = 0; f < module_.functions.size(); ++f)
      if (!module_.functions[f].isKernel) layout_.functions[f].dynamicSharedOffset = commonOffset;
    placeUnsized();
  }

  void placeUnsized() {
    for (u32 f = 0; f < module_.functions.size(); ++f) {
      FunctionLayout& function = layout_.functions[f];
      for (u32 v = 0; v < module_.variables.size(); ++v)
        if (module_.variables[v].space == ptx::Space::shared && module_.variables[v].size == 0)
          function.sharedVariables[v] = function.dynamicSharedOffset;
      const std::vector<ptx::Variable>& own = module_.functions[f].variables;
      for (u32 v = 0; v < own.size(); ++v)
        if (own[v].space == ptx::Space::shared && own[v].size == 0) function.variables[v] = function.dynamicSharedOffset;
    }
  }

  const ptx::Module& module_;
  const CallGraph& calls_;
  ModuleLayout& layout_;
  std::vector<SharedUse> uses_;
  std::map<u32, u64> common_;
  std::vector<isa::SharedVariable> commonNames_;
  u64 commonEnd_ = 0;
};

}  // namespace

void layOutShared(const ptx::Module& module, const CallGraph& calls, ModuleLayout& layout) { SharedLayout(module, calls, layout).run(); }

}  // namespace warpwright::compiler
