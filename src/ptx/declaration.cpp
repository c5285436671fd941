#include "ptx/declaration.hpp"

#include "ptx/constant.hpp"
#include "ptx/initialiser.hpp"

namespace warpwright::ptx {
namespace {

u32 parseAlignment(Context& context) {
  const Token token = context.cursor.peek();
  const u64 value = parseInteger(context.cursor, "an alignment", 1, kMostAlignment);
  if ((value & (value - 1)) != 0) context.fail(token, "an alignment must be a power of two, not " + std::to_string(value));
  return static_cast<u32>(value);
}

// ".ptr", ".ptr .global", ".ptr .shared .align 16"
void parsePointee(Context& context, Qualifiers& qualifiers) {
  if (const auto space = spaceNamed(context.cursor.peek().text)) {
    context.cursor.next();
    qualifiers.pointee = *space;
  }
  if (context.cursor.accept(".align")) qualifiers.pointeeAlignment = parseAlignment(context);
}

// ".attribute(.managed, …)"; attributes that say nothing to a simulator are skipped.
void parseAttributes(Context& context, Qualifiers& qualifiers) {
  const Token open = context.cursor.expect("(", "after .attribute");
  for (u32 depth = 1; depth > 0;) {
    const Token token = context.cursor.next();
    if (token.kind == Token::Kind::end) context.fail(open, "the attribute list has no closing ')'");
    if (token.is(".managed")) qualifiers.managed = true;
    if (token.is("(")) ++depth;
    if (token.is(")")) --depth;
  }
}

void checkType(Context& context, const Token& token, Space space, const Qualifiers& qualifiers) {
  if (space == Space::reg) {
    if (qualifiers.vector != 1) context.fail(token, "vector registers are not supported", "declare one register for each element");
    return;
  }
  if (sizeOf(qualifiers.type) == 0) context.fail(token, "a predicate lives in .reg space only", "declare it with .reg .pred");
  if (u32{qualifiers.vector} * sizeOf(qualifiers.type) > 16) context.fail(token, "a vector may hold at most 16 bytes");
}

// "[4][2]" or "[]"; 0 stands for the missing bound.
std::vector<u64> parseBounds(Context& context) {
  std::vector<u64> bounds;
  while (context.cursor.accept("[")) {
    if (bounds.size() == kMostDimensions) context.fail(context.cursor.peek(), "an array has at most 16 dimensions");
    const bool open = context.cursor.at("]");
    if (open && !bounds.empty()) context.fail(context.cursor.peek(), "only the first dimension of an array may be left open");
    bounds.push_back(open ? 0 : parseInteger(context.cursor, "an array bound", 0, kMostBytes));
    context.cursor.expect("]", "after an array bound");
  }
  return bounds;
}

struct Declarator {
  Token name;
  Variable variable;
  std::vector<u64> bounds;
};

Declarator readDeclarator(Context& context, Space space, const Qualifiers& qualifiers) {
  Declarator result;
  Variable& variable = result.variable;
  result.name = context.cursor.expectName("a name");
  variable.name = result.name.text;
  variable.line = result.name.line;
  variable.column = result.name.column;
  variable.space = space;
  variable.type = qualifiers.type;
  variable.vector = qualifiers.vector;
  variable.managed = qualifiers.managed;
  variable.isReference = qualifiers.isReference;
  variable.pointee = qualifiers.pointee;
  variable.pointeeAlignment = qualifiers.pointeeAlignment;
  const u32 natural = std::max<u32>(1, sizeOf(qualifiers.type) * qualifiers.vector);
  variable.alignment = qualifiers.alignment != 0 ? qualifiers.alignment : natural;
  if (context.cursor.at("<")) context.fail(result.name, "parameterised names are for registers only");
  result.bounds = parseBounds(context);
  variable.isArray = !result.bounds.empty();
  variable.unsized = variable.isArray && result.bounds[0] == 0;
  if (space == Space::reg && variable.isArray) context.fail(result.name, "arrays of registers are not supported");
  variable.size = u64{sizeOf(qualifiers.type)} * qualifiers.vector;
  for (const u64 bound : result.bounds) {
    if (bound != 0 && variable.size > kMostBytes / bound) context.fail(result.name, "the variable is larger than 2^40 bytes");
    variable.size *= bound;
  }
  if (space == Space::param && variable.size > kMostParameterBytes) context.fail(result.name, "a parameter is larger than 2^20 bytes");
  return result;
}

void declareInBody(Context& context, Space space, const Qualifiers& qualifiers) {
  FunctionContext& function = *context.function;
  Declarator declarator = readDeclarator(context, space, qualifiers);
  if (context.cursor.at("="))
    context.fail(context.cursor.peek(), "a variable of space ." + std::string(name(space)) + " takes no initial value");
  function.declareSymbol(declarator.name, {SymbolKind::function_variable, static_cast<u32>(function.function().variables.size())});
  function.function().variables.push_back(std::move(declarator.variable));
}

// "%r<17>", "%SP"
void declareRegister(Context& context, Type type) {
  const Token name = context.cursor.expectName("a register name");
  if (!context.cursor.accept("<")) {
    context.function->declareRegister(name, type);
    return;
  }
  const Token count = context.cursor.next();
  if (count.kind != Token::Kind::integer) context.fail(count, "expected the number of registers, found " + Cursor::describe(count));
  u64 value = 0;
  for (const char c : count.text) {
    value = value * 10 + static_cast<u64>(c - '0');
    if (c < '0' || c > '9' || value > kMostRegisters) context.fail(count, "a register count must be a decimal number up to 2^30");
  }
  context.cursor.expect(">", "after the number of registers");
  context.function->declareRegisters(name, static_cast<u32>(value), type);
}

u32 addModuleVariable(Context& context, const Token& nameToken, Variable variable) {
  Module& module = context.module;
  const SymbolRef symbol{SymbolKind::module_variable, static_cast<u32>(module.variables.size())};
  const auto [entry, isNew] = context.names.emplace(nameToken.text, symbol);
  if (isNew) {
    module.variables.push_back(std::move(variable));
    return symbol.index;
  }
  // A declaration may precede the definition; the definition's contents win.
  if (entry->second.kind != SymbolKind::module_variable) context.fail(nameToken, Cursor::describe(nameToken) + " is a function already");
  Variable& known = module.variables[entry->second.index];
  if (known.space != variable.space) context.fail(nameToken, Cursor::describe(nameToken) + " was declared in another space before");
  const bool declaration = variable.linkage == Linkage::extern_;
  if (known.linkage != Linkage::extern_ && !declaration) context.fail(nameToken, Cursor::describe(nameToken) + " is defined twice");
  if (!declaration) known = std::move(variable);
  return entry->second.index;
}

}  // namespace

std::optional<Space> spaceNamed(std::string_view directive) {
  if (directive == ".reg") return Space::reg;
  if (directive == ".const") return Space::constant;
  if (directive == ".global") return Space::global;
  if (directive == ".local") return Space::local;
  if (directive == ".param") return Space::param;
  if (directive == ".shared") return Space::shared;
  return std::nullopt;
}

Qualifiers parseQualifiers(Context& context) {
  Qualifiers result;
  for (;;) {
    const Token token = context.cursor.peek();
    if (token.kind != Token::Kind::directive) break;
    context.cursor.next();
    if (token.is(".align")) {
      result.alignment = parseAlignment(context);
    } else if (token.is(".v2") || token.is(".v4")) {
      result.vector = token.is(".v2") ? 2 : 4;
    } else if (token.is(".ptr")) {
      parsePointee(context, result);
    } else if (token.is(".attribute")) {
      parseAttributes(context, result);
    } else if (token.is(".texref") || token.is(".surfref") || token.is(".samplerref")) {
      // Opaque types: the machine gives the name an address, which is its handle.
      result.type = Type::b64;
      result.isReference = true;
    } else if (const Type type = typeNamed(token.text.substr(1)); type != Type::none && result.type == Type::none) {
      result.type = type;
    } else {
      context.fail(token, Cursor::describe(token) + " cannot stand in a declaration", "declarations read .space .align N .type name");
    }
  }
  if (result.type == Type::none) context.fail(context.cursor.peek(), "the declaration has no type", "add one, such as .u32");
  return result;
}

Variable parseDeclarator(Context& context, Space space, const Qualifiers& qualifiers) {
  return readDeclarator(context, space, qualifiers).variable;
}

Variable parseInitialisedDeclarator(Context& context, Space space, const Qualifiers& qualifiers, Linkage linkage) {
  Declarator declarator = readDeclarator(context, space, qualifiers);
  Variable& variable = declarator.variable;
  variable.linkage = linkage;
  if (context.cursor.at("=")) {
    const Token equals = context.cursor.next();
    if (variable.isReference)
      context.fail(equals, "initial values of texture, sampler and surface references are not supported",
                   "bind the reference from the host program, which sets its modes");
    if (space != Space::global && space != Space::constant)
      context.fail(equals, "a variable of space ." + std::string(name(space)) + " takes no initial value");
    parseInitialiser(context, variable, declarator.bounds);
  }
  const bool dynamic = linkage == Linkage::extern_ || space == Space::shared;
  if (variable.unsized && !dynamic) context.fail(declarator.name, "the array " + Cursor::describe(declarator.name) + " has no size");
  return variable;
}

void parseModuleVariables(Context& context, Linkage linkage) {
  const Token token = context.cursor.next();
  const Space space = *spaceNamed(token.text);
  if (space == Space::reg || space == Space::local || space == Space::param)
    context.fail(token, "a variable of space " + std::string(token.text) + " cannot stand at module scope",
                 "declare it inside the function");
  const Qualifiers qualifiers = parseQualifiers(context);
  checkType(context, token, space, qualifiers);
  do {
    const Token nameToken = context.cursor.peek();
    addModuleVariable(context, nameToken, parseInitialisedDeclarator(context, space, qualifiers, linkage));
  } while (context.cursor.accept(","));
  context.cursor.expect(";", "after a variable declaration");
}

void parseLocalDeclaration(Context& context) {
  const Token token = context.cursor.next();
  const Space space = *spaceNamed(token.text);
  if (space == Space::global || space == Space::constant)
    context.fail(token, "a variable of space " + std::string(token.text) + " cannot stand inside a function", "declare it at module scope");
  const Qualifiers qualifiers = parseQualifiers(context);
  checkType(context, token, space, qualifiers);
  do {
    if (space == Space::reg)
      declareRegister(context, qualifiers.type);
    else
      declareInBody(context, space, qualifiers);
  } while (context.cursor.accept(","));
  context.cursor.expect(";", "after a declaration");
}

std::vector<Variable> parseParameters(Context& context) {
  std::vector<Variable> result;
  if (!context.cursor.accept("(")) return result;
  if (context.cursor.accept(")")) return result;
  do {
    const Token token = context.cursor.next();
    const auto space = spaceNamed(token.text);
    if (space != Space::param && space != Space::reg)
      context.fail(token, "expected .param or .reg in a parameter list, found " + Cursor::describe(token));
    const Qualifiers qualifiers = parseQualifiers(context);
    checkType(context, token, *space, qualifiers);
    result.push_back(parseDeclarator(context, *space, qualifiers));
  } while (context.cursor.accept(","));
  context.cursor.expect(")", "after a parameter list");
  return result;
}

}  // namespace warpwright::ptx
