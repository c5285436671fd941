#include "ptx/cursor.hpp"

#include <fmt/format.h>

namespace warpwright::ptx {

Token Cursor::next() {
  const Token token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool Cursor::accept(std::string_view text) {
  if (!at(text) || atEnd()) return false;
  next();
  return true;
}

Token Cursor::expect(std::string_view text, std::string_view context) {
  if (!at(text) || atEnd()) {
    fail(peek(), "expected '" + std::string(text) + "' " + std::string(context) + ", found " + describe(peek()));
  }
  return next();
}

Token Cursor::expectName(std::string_view what) {
  const Token& token = peek();
  if (token.kind != Token::Kind::word) fail(token, "expected " + std::string(what) + ", found " + describe(token));
  if (token.text.find('.') != std::string_view::npos) fail(token, describe(token) + " is no name: expected " + std::string(what));
  return next();
}

void Cursor::skipBlock() {
  const Token open = expect("{", "at the beginning of a block");
  for (std::size_t depth = 1; depth > 0;) {
    const Token token = next();
    if (token.kind == Token::Kind::end) fail(open, "the block that begins here has no closing '}'");
    if (token.is("{")) ++depth;
    if (token.is("}")) --depth;
  }
}

std::string Cursor::describe(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the text";
  // Malformed text can hold tokens of any length.
  constexpr std::size_t kShown = 80;
  return fmt::format("'{}{}'", token.text.substr(0, kShown), token.text.size() > kShown ? "…" : "");
}

void Cursor::fail(const Token& where, const std::string& message, std::string remedy) const {
  throw Error(message + context_, {sourceName_, where.line, where.column}, std::move(remedy));
}

std::string plainText(const Token& first, const Token& last) {
  const char* const begin = first.text.data();
  const std::string_view text(begin, static_cast<std::size_t>(last.text.data() + last.text.size() - begin));
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const bool line = rest.starts_with("//"), block = rest.starts_with("/*");
    // The text may end inside a line comment; a block comment is always closed, or there would be no tokens.
    if (line) i = std::min(text.find('\n', i), text.size());
    if (block) i = text.find("*/", i + 2) + 1;
    const bool blank = line || block || static_cast<unsigned char>(text[i]) <= ' ';
    if (!blank)
      result += text[i];
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

}  // namespace warpwright::ptx
