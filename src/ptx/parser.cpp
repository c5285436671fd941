#include "ptx/parser.hpp"

#include <charconv>

#include "ptx/constant.hpp"
#include "ptx/declaration.hpp"
#include "ptx/function_parser.hpp"

namespace warpwright::ptx {
namespace {

// "7.0"
void parseVersion(Context& context) {
  const Token token = context.cursor.next();
  Module& module = context.module;
  const char* const end = token.text.data() + token.text.size();
  const auto major = std::from_chars(token.text.data(), end, module.versionMajor);
  const bool dot = token.kind == Token::Kind::floating && major.ec == std::errc{} && major.ptr != end && *major.ptr == '.';
  const auto minor = dot ? std::from_chars(major.ptr + 1, end, module.versionMinor) : major;
  if (!dot || minor.ec != std::errc{} || minor.ptr != end)
    context.fail(token, "expected a version such as 7.0 after .version, found " + Cursor::describe(token));
}

// "sm_70", "sm_90a, debug"
void parseTarget(Context& context) {
  do {
    const Token token = context.cursor.expectName("a target such as sm_70");
    if (!token.text.starts_with("sm_")) continue;
    const std::string_view digits = token.text.substr(3);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), context.module.smVersion);
    if (error != std::errc{} || context.module.smVersion > 9999) context.fail(token, Cursor::describe(token) + " is no target");
    context.module.target = token.text;
  } while (context.cursor.accept(","));
  if (context.module.target.empty()) context.fail(context.cursor.peek(), "the .target directive names no sm_ architecture");
}

void parseAddressSize(Context& context) {
  const Token token = context.cursor.peek();
  const u64 bits = parseInteger(context.cursor, "the address size", 32, 64);
  if (bits != 32 && bits != 64) context.fail(token, "the address size must be 32 or 64");
  context.module.addressBits = static_cast<u32>(bits);
}

Linkage parseLinkage(Context& context) {
  if (context.cursor.accept(".visible")) return Linkage::visible;
  if (context.cursor.accept(".extern")) return Linkage::extern_;
  if (context.cursor.accept(".weak")) return Linkage::weak;
  if (context.cursor.accept(".common")) return Linkage::common;
  return Linkage::none;
}

// ".section .debug_info { … }": debugging data.
void skipSection(Context& context) {
  const Token name = context.cursor.next();
  if (name.kind != Token::Kind::directive && name.kind != Token::Kind::word)
    context.fail(name, "expected a section name, found " + Cursor::describe(name));
  context.cursor.skipBlock();
}

u32 functionNamed(Context& context) {
  const Token token = context.cursor.expectName("a function name");
  const auto found = context.names.find(token.text);
  if (found == context.names.end() || found->second.kind != SymbolKind::function)
    context.fail(token, "the function " + Cursor::describe(token) + " is not declared");
  return found->second.index;
}

// ".alias declared, defined;": the first becomes a second copy of the other.
void parseAlias(Context& context) {
  const Token token = context.cursor.peek();
  Function& alias = context.module.functions[functionNamed(context)];
  context.cursor.expect(",", "in .alias");
  const Function& aliasee = context.module.functions[functionNamed(context)];
  context.cursor.expect(";", "after .alias");
  if (!alias.isDeclaration || aliasee.isDeclaration) context.fail(token, "an alias joins a declared function with a defined one");
  std::string name = alias.name;
  alias = aliasee;
  alias.name = std::move(name);
}

void parseTopLevel(Context& context) {
  Cursor& cursor = context.cursor;
  if (cursor.accept(".version")) return parseVersion(context);
  if (cursor.accept(".target")) return parseTarget(context);
  if (cursor.accept(".address_size")) return parseAddressSize(context);
  if (cursor.accept(".file")) return parseFile(context);
  if (cursor.accept(".loc")) return parseLocation(context);
  if (cursor.accept(".section")) return skipSection(context);
  if (cursor.accept(".pragma")) return parsePragma(context, context.module.pragmas);
  if (cursor.accept(".alias")) return parseAlias(context);
  if (cursor.accept(";")) return;
  const Linkage linkage = parseLinkage(context);
  const Token token = cursor.peek();
  if (context.module.target.empty())
    context.fail(token, "the module has no .target before its first declaration", "begin it with .version, .target and .address_size");
  if (token.is(".entry") || token.is(".func")) return parseFunction(context, linkage);
  if (token.kind == Token::Kind::directive && spaceNamed(token.text)) return parseModuleVariables(context, linkage);
  context.fail(token, "expected a directive such as .entry or .global, found " + Cursor::describe(token));
}

}  // namespace

Module parse(std::string_view text, std::string sourceName) {
  Context context{Cursor(tokenize(text, sourceName), sourceName), {}, {}, nullptr, {}};
  context.module.sourceName = std::move(sourceName);
  // What PTX assumes without .address_size.
  context.module.addressBits = 32;
  while (!context.cursor.atEnd()) parseTopLevel(context);
  if (context.module.versionMajor == 0)
    context.fail(context.cursor.peek(), "the text is no PTX module: it has no .version", "pass a file that a CUDA compiler wrote");
  return std::move(context.module);
}

}  // namespace warpwright::ptx
