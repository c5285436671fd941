#include "ptx/function_parser.hpp"

#include <limits>

#include "ptx/constant.hpp"
#include "ptx/declaration.hpp"

namespace warpwright::ptx {
namespace {

// "256", "256, 1" or "256, 1, 1"
Dim3 parseDimensions(Context& context, const char* what = "a number of threads") {
  constexpr u64 kMost = std::numeric_limits<u32>::max();
  Dim3 result;
  result.x = static_cast<u32>(parseInteger(context.cursor, what, 1, kMost));
  if (context.cursor.accept(",")) result.y = static_cast<u32>(parseInteger(context.cursor, what, 1, kMost));
  if (context.cursor.accept(",")) result.z = static_cast<u32>(parseInteger(context.cursor, what, 1, kMost));
  return result;
}

// The performance directives between the parameter list and the body.
void parseDirectives(Context& context, Function& function) {
  constexpr u64 kMost = std::numeric_limits<u32>::max();
  Cursor& cursor = context.cursor;
  while (cursor.peek().kind == Token::Kind::directive) {
    const Token token = cursor.next();
    if (token.is(".maxntid")) {
      function.maxThreads = parseDimensions(context);
    } else if (token.is(".reqntid")) {
      function.requiredThreads = parseDimensions(context);
    } else if (token.is(".minnctapersm") || token.is(".maxnctapersm")) {
      const u32 count = static_cast<u32>(parseInteger(cursor, "a number of blocks", 1, kMost));
      if (token.is(".minnctapersm")) function.minBlocksPerSm = count;
    } else if (token.is(".maxnreg")) {
      function.maxRegisters = static_cast<u32>(parseInteger(cursor, "a number of registers", 1, kMost));
    } else if (token.is(".explicitcluster")) {
      function.explicitCluster = true;
    } else if (token.is(".reqnctapercluster")) {
      function.requiredCluster = parseDimensions(context, "a number of blocks");
    } else if (token.is(".maxclusterrank")) {
      function.maxClusterRank = static_cast<u32>(parseInteger(cursor, "a number of blocks", 1, kMost));
    } else if (token.is(".pragma")) {
      parsePragma(context, function.pragmas);
    } else if (token.is(".noreturn")) {
      function.noReturn = true;
    } else {
      cursor.fail(token, "the directive " + Cursor::describe(token) + " of function '" + function.name + "' is not supported");
    }
  }
}

Function parseHeader(Context& context, Linkage linkage, Token& name) {
  Function function;
  function.isKernel = context.cursor.next().is(".entry");
  function.linkage = linkage;
  if (!function.isKernel && context.cursor.at("(")) function.returns = parseParameters(context);
  name = context.cursor.expectName("a function name");
  function.name = name.text;
  function.line = name.line;
  function.column = name.column;
  function.parameters = parseParameters(context);
  for (const Variable& parameter : function.parameters)
    if (function.isKernel && parameter.space != Space::param) context.fail(name, "the parameters of a kernel must be in space .param");
  parseDirectives(context, function);
  return function;
}

// The index of the function, which gets an entry (a copy of its header) when it is new, so that its body can call it.
u32 enter(Context& context, const Token& name, const Function& header, bool isDefinition) {
  Module& module = context.module;
  const auto [entry, isNew] = context.names.emplace(name.text, SymbolRef{SymbolKind::function, static_cast<u32>(module.functions.size())});
  if (entry->second.kind != SymbolKind::function) context.fail(name, Cursor::describe(name) + " is a variable already");
  if (isNew) {
    module.functions.push_back(header);
    module.functions.back().isDeclaration = true;
    return entry->second.index;
  }
  Function& known = module.functions[entry->second.index];
  if (known.isKernel != header.isKernel) context.fail(name, Cursor::describe(name) + " was declared as another kind of function before");
  if (isDefinition && !known.isDeclaration) context.fail(name, "the function " + Cursor::describe(name) + " is defined twice");
  if (!isDefinition) return entry->second.index;
  known = header;
  known.isDeclaration = true;
  return entry->second.index;
}

// Parameters and returns become names of the outermost scope; those in .reg space become registers.
void declareParameters(FunctionContext& function, std::vector<Variable>& variables, SymbolKind kind) {
  for (u32 i = 0; i < variables.size(); ++i) {
    Variable& variable = variables[i];
    if (variable.name == "_") continue;
    const Token name{Token::Kind::word, variable.line, variable.column, variable.name};
    if (variable.space == Space::reg)
      variable.reg = function.declareRegister(name, variable.type);
    else
      function.declareSymbol(name, {kind, i});
  }
}

}  // namespace

void parsePragma(Context& context, std::vector<Pragma>& pragmas, u32 position) {
  do {
    const Token token = context.cursor.next();
    if (token.kind != Token::Kind::string) context.fail(token, "expected a string after .pragma, found " + Cursor::describe(token));
    pragmas.push_back({std::string(token.text), position});
  } while (context.cursor.accept(","));
  context.cursor.expect(";", "after .pragma");
}

void parseFunction(Context& context, Linkage linkage) {
  Token name;
  Function header = parseHeader(context, linkage, name);
  const bool isDefinition = context.cursor.at("{");
  const u32 index = enter(context, name, header, isDefinition);
  if (!isDefinition) {
    context.cursor.expect(";", "after the declaration of a function");
    return;
  }
  FunctionContext function(std::move(header), context.cursor);
  context.function = &function;
  context.cursor.setContext(std::string(function.function().isKernel ? " (in kernel '" : " (in function '") + function.function().name +
                            "')");
  declareParameters(function, function.function().returns, SymbolKind::return_parameter);
  declareParameters(function, function.function().parameters, SymbolKind::parameter);
  parseBody(context);
  function.finish();
  context.function = nullptr;
  context.cursor.setContext({});
  context.module.functions[index] = std::move(function.function());
}

void parseLocation(Context& context) {
  constexpr u64 kMost = std::numeric_limits<u32>::max();
  Cursor& cursor = context.cursor;
  const u32 file = static_cast<u32>(parseInteger(cursor, "a file number", 0, kMost));
  const u32 line = static_cast<u32>(parseInteger(cursor, "a line number", 0, kMost));
  parseInteger(cursor, "a column number", 0, kMost);
  if (context.function != nullptr) {
    context.function->sourceFile = file;
    context.function->sourceLine = line;
  }
  if (!cursor.accept(",")) return;
  // Where an inlined function came from: ", function_name LABEL{+N}, inlined_at FILE LINE COLUMN".
  cursor.expect("function_name", "in .loc");
  if (cursor.peek().kind == Token::Kind::directive)
    cursor.next();
  else
    cursor.expectName("a label");
  if (cursor.accept("+")) parseInteger(cursor, "an offset", 0, kMost);
  cursor.expect(",", "in .loc");
  cursor.expect("inlined_at", "in .loc");
  for (int part = 0; part < 3; ++part) parseInteger(cursor, "a part of a location", 0, kMost);
}

void parseFile(Context& context) {
  constexpr u64 kMost = std::numeric_limits<u32>::max();
  Cursor& cursor = context.cursor;
  const u32 number = static_cast<u32>(parseInteger(cursor, "a file number", 0, kMost));
  const Token name = cursor.next();
  if (name.kind != Token::Kind::string) context.fail(name, "expected a file name, found " + Cursor::describe(name));
  context.module.files[number] = name.text;
  // Time stamp and size.
  while (cursor.accept(",")) parseInteger(cursor, "a number", 0, std::numeric_limits<u64>::max());
}

}  // namespace warpwright::ptx
