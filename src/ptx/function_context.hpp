// A function under construction: nested scopes, names, labels and references to labels that come later.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>

#include "ptx/cursor.hpp"
#include "ptx/module.hpp"

namespace warpwright::ptx {

// What a name inside a function stands for.
struct Name {
  enum class Kind : u8 { reg, symbol } kind = Kind::symbol;
  u32 reg = kNoIndex;
  SymbolRef symbol;
};

class FunctionContext {
 public:
  FunctionContext(Function function, const Cursor& cursor);

  Function& function() { return function_; }
  const Function& function() const { return function_; }

  void openScope();
  void closeScope();
  u32 openScopes() const { return depth_; }

  u32 declareRegister(const Token& name, Type type);
  // %r<count>: the registers %r0 … come into being when they are first named, so a huge count costs nothing.
  void declareRegisters(const Token& prefix, u32 count, Type type);
  void declareSymbol(const Token& name, SymbolRef symbol);
  // A label, or a list or prototype that carries one.
  void declareLabel(const Token& name, SymbolRef symbol);

  // Innermost declaration of the name; labels do not count.
  std::optional<Name> find(std::string_view name);
  // The declared name nearest to a misspelt one, for remedies.
  std::string nearest(std::string_view name) const;

  Type typeOf(u32 reg) const { return function_.registers[reg].type; }

  // Label references wait for finish(), which resolves them from the scope they stand in outwards.
  void referToLabel(const Token& name, u32 instruction, u32 operand, SymbolKind wanted, SymbolKind orElse = SymbolKind::none);
  void referToLabelInList(const Token& name, u32 list, u32 entry);
  void finish();

  u32 sourceFile = 0, sourceLine = 0;  // of the last .loc

 private:
  struct Family {
    u32 count;
    Type type;
  };
  struct Scope {
    u32 parent = kNoIndex;
    std::unordered_map<std::string_view, Name> names;
    std::unordered_map<std::string_view, Family> families;
    std::unordered_map<std::string_view, SymbolRef> labels;
  };
  struct Reference {
    Token name;
    u32 scope;
    u32 position, index;  // instruction and operand, or list and entry
    bool inList;
    SymbolKind wanted, orElse;
  };

  void declare(const Token& name, Name entry);
  std::optional<Name> findInFamilies(Scope& scope, std::string_view name);
  SymbolRef resolve(const Reference& reference) const;

  Function function_;
  const Cursor& cursor_;
  std::deque<Scope> scopes_;
  u32 current_ = 0, depth_ = 0;
  std::vector<Reference> references_;
};

}  // namespace warpwright::ptx
