#include "ptx/function_context.hpp"

#include <algorithm>
#include <charconv>

#include "base/nearest.hpp"

namespace warpwright::ptx {

FunctionContext::FunctionContext(Function function, const Cursor& cursor) : function_(std::move(function)), cursor_(cursor) {
  scopes_.emplace_back();
}

void FunctionContext::openScope() {
  scopes_.emplace_back().parent = current_;
  current_ = static_cast<u32>(scopes_.size() - 1);
  ++depth_;
}

void FunctionContext::closeScope() {
  current_ = scopes_[current_].parent;
  --depth_;
}

void FunctionContext::declare(const Token& name, Name entry) {
  if (scopes_[current_].names.emplace(name.text, entry).second) return;
  cursor_.fail(name, Cursor::describe(name) + " is declared twice in the same scope", "rename one of them or enclose it in { }");
}

u32 FunctionContext::declareRegister(const Token& name, Type type) {
  const u32 index = static_cast<u32>(function_.registers.size());
  declare(name, {Name::Kind::reg, index, {}});
  function_.registers.push_back({std::string(name.text), type});
  return index;
}

void FunctionContext::declareRegisters(const Token& prefix, u32 count, Type type) {
  if (scopes_[current_].families.emplace(prefix.text, Family{count, type}).second) return;
  cursor_.fail(prefix, "registers " + Cursor::describe(prefix) + "<…> are declared twice in the same scope");
}

void FunctionContext::declareSymbol(const Token& name, SymbolRef symbol) { declare(name, {Name::Kind::symbol, kNoIndex, symbol}); }

void FunctionContext::declareLabel(const Token& name, SymbolRef symbol) {
  if (scopes_[current_].labels.emplace(name.text, symbol).second) return;
  cursor_.fail(name, "the label " + Cursor::describe(name) + " is there twice in the same scope", "rename one of them");
}

std::optional<Name> FunctionContext::findInFamilies(Scope& scope, std::string_view name) {
  constexpr std::size_t kMostDigits = 10;
  for (std::size_t digits = 1; digits < name.size() && digits <= kMostDigits; ++digits) {
    const std::size_t split = name.size() - digits;
    if (name[split] < '0' || name[split] > '9') return std::nullopt;
    if (name[split] == '0' && digits > 1) continue;
    const auto family = scope.families.find(name.substr(0, split));
    if (family == scope.families.end()) continue;
    u64 number = 0;
    std::from_chars(name.data() + split, name.data() + name.size(), number);
    if (number >= family->second.count) continue;
    const Name entry{Name::Kind::reg, static_cast<u32>(function_.registers.size()), {}};
    function_.registers.push_back({std::string(name), family->second.type});
    scope.names.emplace(name, entry);
    return entry;
  }
  return std::nullopt;
}

std::optional<Name> FunctionContext::find(std::string_view name) {
  for (u32 scope = current_; scope != kNoIndex; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].names.find(name);
    if (found != scopes_[scope].names.end()) return found->second;
    if (const auto entry = findInFamilies(scopes_[scope], name)) return entry;
  }
  return std::nullopt;
}

std::string FunctionContext::nearest(std::string_view name) const {
  std::vector<std::string> candidates;
  for (u32 scope = current_; scope != kNoIndex; scope = scopes_[scope].parent) {
    for (const auto& [text, entry] : scopes_[scope].names) candidates.emplace_back(text);
    for (const auto& [text, family] : scopes_[scope].families) candidates.emplace_back(text);
  }
  // The maps have no order of their own, and messages must not depend on it.
  std::sort(candidates.begin(), candidates.end());
  return nearestName(name, candidates);
}

void FunctionContext::referToLabel(const Token& name, u32 instruction, u32 operand, SymbolKind wanted, SymbolKind orElse) {
  references_.push_back({name, current_, instruction, operand, false, wanted, orElse});
}

void FunctionContext::referToLabelInList(const Token& name, u32 list, u32 entry) {
  references_.push_back({name, current_, list, entry, true, SymbolKind::label, SymbolKind::none});
}

SymbolRef FunctionContext::resolve(const Reference& reference) const {
  for (u32 scope = reference.scope; scope != kNoIndex; scope = scopes_[scope].parent) {
    const auto found = scopes_[scope].labels.find(reference.name.text);
    if (found == scopes_[scope].labels.end()) continue;
    if (found->second.kind == reference.wanted || found->second.kind == reference.orElse) return found->second;
    cursor_.fail(reference.name, Cursor::describe(reference.name) + " is a label of another kind than the instruction needs");
  }
  cursor_.fail(reference.name, "the label " + Cursor::describe(reference.name) + " is not declared in function '" + function_.name + "'");
}

void FunctionContext::finish() {
  for (const Reference& reference : references_) {
    const SymbolRef symbol = resolve(reference);
    if (reference.inList)
      function_.branchTargets[reference.position].entries[reference.index] = symbol.index;
    else
      function_.body[reference.position].operands[reference.index].symbol = symbol;
  }
}

}  // namespace warpwright::ptx
