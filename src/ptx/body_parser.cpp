// The statements of a function body.
#include "ptx/declaration.hpp"
#include "ptx/function_parser.hpp"
#include "ptx/instruction_parser.hpp"

namespace warpwright::ptx {
namespace {

constexpr u32 kDeepestScope = 200;
constexpr std::size_t kMostListEntries = 1 << 20;

// ".branchtargets L0, L1;"
SymbolRef parseBranchTargets(Context& context, const Token& name) {
  FunctionContext& function = *context.function;
  const u32 index = static_cast<u32>(function.function().branchTargets.size());
  NamedList list{std::string(name.text), {}};
  do {
    const Token label = context.cursor.expectName("a label");
    function.referToLabelInList(label, index, static_cast<u32>(list.entries.size()));
    list.entries.push_back(kNoIndex);
  } while (context.cursor.accept(",") && list.entries.size() < kMostListEntries);
  function.function().branchTargets.push_back(std::move(list));
  return {SymbolKind::branch_targets, index};
}

// ".calltargets f, g;"
SymbolRef parseCallTargets(Context& context, const Token& name) {
  Function& function = context.function->function();
  NamedList list{std::string(name.text), {}};
  do {
    const Token target = context.cursor.expectName("a function name");
    const auto found = context.names.find(target.text);
    if (found == context.names.end() || found->second.kind != SymbolKind::function)
      context.fail(target, "the function " + Cursor::describe(target) + " is not declared");
    list.entries.push_back(found->second.index);
  } while (context.cursor.accept(",") && list.entries.size() < kMostListEntries);
  function.callTargets.push_back(std::move(list));
  return {SymbolKind::call_targets, static_cast<u32>(function.callTargets.size() - 1)};
}

// ".callprototype (returns) _ (parameters) {.noreturn};"
SymbolRef parsePrototype(Context& context, const Token& name) {
  Function& function = context.function->function();
  Prototype prototype;
  prototype.name = name.text;
  prototype.returns = parseParameters(context);
  context.cursor.expectName("'_' in place of the function's name");
  prototype.parameters = parseParameters(context);
  prototype.noReturn = context.cursor.accept(".noreturn");
  function.prototypes.push_back(std::move(prototype));
  return {SymbolKind::call_prototype, static_cast<u32>(function.prototypes.size() - 1)};
}

// "name:", or "name: .list …;"
void parseLabel(Context& context) {
  const Token name = context.cursor.expectName("a label");
  context.cursor.expect(":", "after a label");
  Function& function = context.function->function();
  SymbolRef symbol;
  if (context.cursor.accept(".branchtargets")) {
    symbol = parseBranchTargets(context, name);
  } else if (context.cursor.accept(".calltargets")) {
    symbol = parseCallTargets(context, name);
  } else if (context.cursor.accept(".callprototype")) {
    symbol = parsePrototype(context, name);
  } else {
    context.function->declareLabel(name, {SymbolKind::label, static_cast<u32>(function.labels.size())});
    function.labels.push_back({std::string(name.text), static_cast<u32>(function.body.size())});
    return;
  }
  context.function->declareLabel(name, symbol);
  context.cursor.expect(";", "after a list");
}

void parseDirective(Context& context) {
  const Token token = context.cursor.peek();
  if (spaceNamed(token.text)) return parseLocalDeclaration(context);
  context.cursor.next();
  if (token.is(".loc")) return parseLocation(context);
  if (token.is(".file")) return parseFile(context);
  if (token.is(".pragma")) {
    Function& function = context.function->function();
    return parsePragma(context, function.pragmas, static_cast<u32>(function.body.size()));
  }
  const bool list = token.is(".branchtargets") || token.is(".calltargets") || token.is(".callprototype");
  context.fail(token, list ? Cursor::describe(token) + " needs a label before it"
                           : "the directive " + Cursor::describe(token) + " is not supported here");
}

}  // namespace

void parseBody(Context& context) {
  Cursor& cursor = context.cursor;
  FunctionContext& function = *context.function;
  const Token open = cursor.expect("{", "at the beginning of a body");
  function.openScope();
  while (function.openScopes() > 0) {
    const Token token = cursor.peek();
    if (token.kind == Token::Kind::end) context.fail(open, "the body that begins here has no closing '}'");
    if (token.is("{")) {
      if (function.openScopes() == kDeepestScope) context.fail(token, "blocks nested deeper than 200 levels");
      cursor.next();
      function.openScope();
    } else if (token.is("}")) {
      cursor.next();
      function.closeScope();
    } else if (token.is(";")) {
      cursor.next();
    } else if (token.kind == Token::Kind::directive) {
      parseDirective(context);
    } else if (token.kind == Token::Kind::word && cursor.peek(1).is(":")) {
      parseLabel(context);
    } else {
      parseInstruction(context);
    }
  }
}

}  // namespace warpwright::ptx
