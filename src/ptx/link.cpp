#include "ptx/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"

namespace warpwright::ptx {
namespace {

// How strongly a symbol claims its name; the strongest in all units is the one that stays.
enum class Claim : u8 { local, declaration, weak, common, definition };

Claim claimOf(const Variable& variable) {
  switch (variable.linkage) {
    case Linkage::none:
      return Claim::local;
    case Linkage::extern_:
      return Claim::declaration;
    case Linkage::weak:
      return Claim::weak;
    case Linkage::common:
      return Claim::common;
    case Linkage::visible:
      break;
  }
  return Claim::definition;
}

Claim claimOf(const Function& function) {
  if (function.isDeclaration) return Claim::declaration;
  if (function.linkage == Linkage::none) return Claim::local;
  return function.linkage == Linkage::weak ? Claim::weak : Claim::definition;
}

bool isLarger(const Variable& a, const Variable& b) { return a.size > b.size; }
bool isLarger(const Function&, const Function&) { return false; }

void checkFits(const Variable&, const Variable&) {}

void checkFits(const Function& declared, const Function& defined) {
  if (declared.parameters.size() == defined.parameters.size() && declared.returns.size() == defined.returns.size()) return;
  throw Error(fmt::format("function '{}' is declared with {} parameters in one unit and defined with {} in another", declared.name,
                          declared.parameters.size(), defined.parameters.size()),
              {}, "build all units of the program anew");
}

// The symbols of one kind, functions or variables: which of each name stays, and where every unit's own went.
template <typename Symbol>
class SymbolTable {
 public:
  explicit SymbolTable(const std::vector<Unit>& units) : units_(units) {}

  void claim(u32 unit, u32 index, const Symbol& symbol) {
    const Claim claim = claimOf(symbol);
    if (claim == Claim::local) return;
    const auto [found, isNew] = winners_.try_emplace(symbol.name, Winner{unit, index, claim, &symbol});
    Winner& winner = found->second;
    if (isNew) return;
    if (claim == Claim::definition && winner.claim == Claim::definition)
      throw Error(fmt::format("'{}' is defined in two translation units, {} and {}", symbol.name, nameOf(winner.unit), nameOf(unit)), {},
                  "define it in one unit, declare it extern in the others");
    if (claim > winner.claim || (claim == Claim::common && winner.claim == claim && isLarger(symbol, *winner.symbol)))
      winner = {unit, index, claim, &symbol};
  }

  bool stays(u32 unit, u32 index, const Symbol& symbol) const {
    if (claimOf(symbol) == Claim::local) return true;
    const Winner& winner = winners_.at(symbol.name);
    return winner.unit == unit && winner.index == index;
  }

  bool isTaken(const std::string& name) const { return winners_.contains(name); }
  const Symbol& winner(const std::string& name) const { return *winners_.at(name).symbol; }

  void place(u32 unit, u32 index, const Symbol& symbol, u32 position) {
    positions_[{unit, index}] = position;
    if (claimOf(symbol) != Claim::local) byName_[symbol.name] = position;
  }
  // Once everything that stays is placed.
  void follow(u32 unit, u32 index, const Symbol& symbol) { positions_[{unit, index}] = byName_.at(symbol.name); }
  u32 position(u32 unit, u32 index) const { return positions_.at({unit, index}); }

 private:
  struct Winner {
    u32 unit, index;
    Claim claim;
    const Symbol* symbol;
  };
  const std::string& nameOf(u32 unit) const { return units_[unit].module.sourceName; }

  const std::vector<Unit>& units_;
  std::map<std::string, Winner> winners_;
  std::map<std::pair<u32, u32>, u32> positions_;
  std::map<std::string, u32> byName_;
};

class Linker {
 public:
  explicit Linker(std::vector<Unit> units) : units_(std::move(units)), functions_(units_), variables_(units_) {}

  Module run(const std::string& sourceName) {
    joinHeaders(sourceName);
    claimNames();
    placeSymbols();
    for (u32 unit = 0; unit < units_.size(); ++unit) moveUnit(unit);
    return std::move(out_);
  }

 private:
  void joinHeaders(const std::string& sourceName) {
    out_.sourceName = sourceName;
    out_.addressBits = units_.front().module.addressBits;
    for (const Unit& unit : units_) {
      const Module& module = unit.module;
      if (module.addressBits != out_.addressBits)
        throw Error(sourceName + ": translation units with 32-bit and with 64-bit device addresses", {}, "build all units alike");
      if (std::pair(module.versionMajor, module.versionMinor) > std::pair(out_.versionMajor, out_.versionMinor)) {
        out_.versionMajor = module.versionMajor;
        out_.versionMinor = module.versionMinor;
      }
      if (module.smVersion < out_.smVersion) continue;
      out_.smVersion = module.smVersion;
      out_.target = module.target;
    }
  }

  template <typename Visit>
  void forEachSymbol(Visit&& visit) {
    for (u32 unit = 0; unit < units_.size(); ++unit) {
      Module& module = units_[unit].module;
      for (u32 i = 0; i < module.functions.size(); ++i) visit(functions_, unit, i, module.functions[i]);
      for (u32 i = 0; i < module.variables.size(); ++i) visit(variables_, unit, i, module.variables[i]);
    }
  }

  void claimNames() {
    forEachSymbol([](auto& table, u32 unit, u32 index, const auto& symbol) { table.claim(unit, index, symbol); });
    forEachSymbol([](auto& table, u32, u32, const auto& symbol) {
      if (claimOf(symbol) == Claim::declaration) checkFits(symbol, table.winner(symbol.name));
    });
  }

  void placeSymbols() {
    u32 functions = 0, variables = 0;
    forEachSymbol([&](auto& table, u32 unit, u32 index, auto& symbol) {
      u32& next = std::is_same_v<std::remove_cvref_t<decltype(symbol)>, Function> ? functions : variables;
      if (!table.stays(unit, index, symbol)) return;
      table.place(unit, index, symbol, next++);
    });
    forEachSymbol([](auto& table, u32 unit, u32 index, const auto& symbol) {
      if (!table.stays(unit, index, symbol)) table.follow(unit, index, symbol);
    });
  }

  // A unit's own symbol whose name another unit uses.
  template <typename Symbol>
  void makeUnique(u32 unit, Symbol& symbol) {
    if (claimOf(symbol) != Claim::local) return;
    const bool taken = functions_.isTaken(symbol.name) || variables_.isTaken(symbol.name);
    if (localNames_.insert(symbol.name).second && !taken) return;
    symbol.name = fmt::format("{}.{}", symbol.name, unit + 1);
    localNames_.insert(symbol.name);
  }

  void moveUnit(u32 unit) {
    Module& module = units_[unit].module;
    const u32 firstFile = out_.files.empty() ? 0 : out_.files.rbegin()->first;
    for (auto& [index, name] : module.files) out_.files.emplace(firstFile + index, std::move(name));
    // Names are needed unchanged until every symbol has been asked whether it stays.
    std::vector<bool> functionStays, variableStays;
    for (u32 i = 0; i < module.functions.size(); ++i) functionStays.push_back(functions_.stays(unit, i, module.functions[i]));
    for (u32 i = 0; i < module.variables.size(); ++i) variableStays.push_back(variables_.stays(unit, i, module.variables[i]));
    for (u32 i = 0; i < module.functions.size(); ++i) {
      if (!functionStays[i]) continue;
      makeUnique(unit, module.functions[i]);
      move(unit, firstFile, module.functions[i]);
    }
    for (u32 i = 0; i < module.variables.size(); ++i) {
      if (!variableStays[i]) continue;
      makeUnique(unit, module.variables[i]);
      move(unit, module.variables[i]);
    }
  }

  void move(u32 unit, u32 firstFile, Function& function) {
    const u32 lines = units_[unit].lineOffset;
    function.line += lines;
    for (Variable& variable : function.variables) remap(unit, variable);
    for (NamedList& targets : function.callTargets)
      for (u32& entry : targets.entries) entry = functions_.position(unit, entry);
    for (Instruction& instruction : function.body) {
      instruction.line += lines;
      if (instruction.sourceFile != 0) instruction.sourceFile += firstFile;
      for (Operand& operand : instruction.operands) remap(unit, operand);
      remap(unit, instruction.secondDestination);
    }
    out_.functions.push_back(std::move(function));
  }

  void move(u32 unit, Variable& variable) {
    variable.line += units_[unit].lineOffset;
    remap(unit, variable);
    out_.variables.push_back(std::move(variable));
  }

  void remap(u32 unit, Variable& variable) {
    for (Relocation& relocation : variable.relocations) remap(unit, relocation.symbol);
  }

  void remap(u32 unit, Operand& operand) {
    operand.line += units_[unit].lineOffset;
    remap(unit, operand.symbol);
    for (Operand& element : operand.elements) remap(unit, element);
  }

  void remap(u32 unit, SymbolRef& symbol) {
    if (symbol.index == kNoIndex) return;
    if (symbol.kind == SymbolKind::function) symbol.index = functions_.position(unit, symbol.index);
    if (symbol.kind == SymbolKind::module_variable) symbol.index = variables_.position(unit, symbol.index);
  }

  std::vector<Unit> units_;
  SymbolTable<Function> functions_;
  SymbolTable<Variable> variables_;
  std::set<std::string> localNames_;
  Module out_;
};

}  // namespace

Module link(std::vector<Unit> units, const std::string& sourceName) { return Linker(std::move(units)).run(sourceName); }

}  // namespace warpwright::ptx
