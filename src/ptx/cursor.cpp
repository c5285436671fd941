#include "ptx/cursor.hpp"

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
  return "'" + std::string(token.text.substr(0, kShown)) + (token.text.size() > kShown ? "…'" : "'");
}

void Cursor::fail(const Token& where, std::string message, std::string remedy) const {
  throw Error(std::move(message), {sourceName_, where.line, where.column}, std::move(remedy));
}

std::string plainText(const Token& first, const Token& last) {
  const char* const end = last.text.data() + last.text.size();
  std::string result;
  for (const char* c = first.text.data(); c < end; ++c) {
    const bool comment = *c == '/' && c + 1 < end && (c[1] == '/' || c[1] == '*');
    if (comment) {
      const std::string_view rest(c, static_cast<std::size_t>(end - c));
      const std::size_t close = c[1] == '/' ? rest.find('\n') : rest.find("*/", 2) + 1;
      c += close;
    }
    const bool blank = comment || static_cast<unsigned char>(*c) <= ' ';
    if (!blank)
      result += *c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

}  // namespace warpwright::ptx
