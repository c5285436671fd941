#include "ptx/lexer.hpp"

#include <array>

#include "base/error.hpp"

namespace warpwright::ptx {
namespace {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool startsName(char c) { return isLetter(c) || c == '_' || c == '$'; }
constexpr bool continuesName(char c) { return startsName(c) || isDigit(c); }

constexpr std::array<std::string_view, 8> kPairs = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
constexpr std::string_view kSingles = "{}[]()<>,;:+-*/%!~&|^?=@";

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& sourceName) : text_(text.substr(0, text.find('\0'))), sourceName_(sourceName) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 5 + 1);
    while (skipBlanks()) tokens.push_back(next());
    tokens.push_back(start(Token::Kind::end));
    return tokens;
  }

 private:
  char at(std::size_t offset) const { return position_ + offset < text_.size() ? text_[position_ + offset] : '\0'; }

  [[noreturn]] void fail(std::string message, std::string remedy = {}) const {
    throw Error(std::move(message), {sourceName_, line_, column()}, std::move(remedy));
  }

  u32 column() const { return static_cast<u32>(position_ - lineStart_ + 1); }
  Token start(Token::Kind kind) const { return {kind, line_, column(), text_.substr(position_, 0)}; }

  void newline() {
    ++line_;
    lineStart_ = position_ + 1;
  }

  // False at the end of the text.
  bool skipBlanks() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '\n') newline();
      if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
        ++position_;
      } else if (c == '/' && at(1) == '/') {
        position_ = std::min(text_.find('\n', position_), text_.size());
      } else if (c == '/' && at(1) == '*') {
        skipBlockComment();
      } else {
        return true;
      }
    }
    return false;
  }

  void skipBlockComment() {
    const std::size_t end = text_.find("*/", position_ + 2);
    if (end == std::string_view::npos) fail("the comment that begins here has no end", "close it with */");
    for (; position_ < end + 2; ++position_)
      if (text_[position_] == '\n') newline();
  }

  Token next() {
    const char c = at(0);
    if (startsName(c) || (c == '%' && continuesName(at(1)))) return take(Token::Kind::word, nameLength());
    if (c == '.' && continuesName(at(1))) return take(Token::Kind::directive, directiveLength());
    if (isDigit(c)) return number();
    if (c == '"') return string();
    for (const std::string_view pair : kPairs)
      if (text_.substr(position_, 2) == pair) return take(Token::Kind::symbol, 2);
    if (kSingles.find(c) != std::string_view::npos) return take(Token::Kind::symbol, 1);
    fail("a character that PTX does not have: " + printable(c));
  }

  static std::string printable(char c) {
    if (c > ' ' && c < '\x7f') return std::string("'") + c + "'";
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    return std::string("byte 0x") + digits[byte >> 4] + digits[byte & 15];
  }

  Token take(Token::Kind kind, std::size_t length) {
    Token token = start(kind);
    token.text = text_.substr(position_, length);
    position_ += length;
    return token;
  }

  // Directives have one part: ".reg.b32", as written in inline assembly, is two.
  std::size_t directiveLength() const {
    const std::size_t whole = nameLength();
    return std::min(whole, text_.substr(position_, whole).find('.', 1));
  }

  // A name with its dotted parts; parts may contain '::' (.shared::cta).
  std::size_t nameLength() const {
    std::size_t length = 1;
    bool dotted = at(0) == '.';
    for (;;) {
      const char c = at(length);
      if (continuesName(c)) {
        ++length;
      } else if (c == '.' && continuesName(at(length + 1))) {
        dotted = true;
        length += 2;
      } else if (dotted && c == ':' && at(length + 1) == ':' && continuesName(at(length + 2))) {
        length += 3;
      } else {
        return length;
      }
    }
  }

  Token number() {
    const char kind = at(1);
    if (at(0) == '0' && (kind == 'f' || kind == 'F')) return floatBits(8);
    if (at(0) == '0' && (kind == 'd' || kind == 'D')) return floatBits(16);
    std::size_t length = 0;
    if (at(0) == '0' && (kind == 'x' || kind == 'X')) {
      for (length = 2; isHexDigit(at(length));) ++length;
      if (length == 2) fail("a hexadecimal number without digits");
    } else if (at(0) == '0' && (kind == 'b' || kind == 'B')) {
      for (length = 2; at(length) == '0' || at(length) == '1';) ++length;
      if (length == 2) fail("a binary number without digits");
    } else {
      while (isDigit(at(length))) ++length;
      if (const std::size_t whole = decimalLength(length); whole != length) return finishNumber(Token::Kind::floating, whole);
    }
    if (at(length) == 'U' || at(length) == 'u') ++length;
    return finishNumber(Token::Kind::integer, length);
  }

  // Length with fraction and exponent when there are any.
  std::size_t decimalLength(std::size_t length) const {
    if (at(length) == '.' && isDigit(at(length + 1)))
      for (++length; isDigit(at(length));) ++length;
    else if (at(length) == '.' && !continuesName(at(length + 1)))
      ++length;
    if (at(length) != 'e' && at(length) != 'E') return length;
    const std::size_t sign = at(length + 1) == '+' || at(length + 1) == '-' ? 1 : 0;
    if (!isDigit(at(length + 1 + sign))) return length;
    for (length += 1 + sign; isDigit(at(length));) ++length;
    return length;
  }

  Token floatBits(std::size_t digits) {
    std::size_t length = 2;
    while (isHexDigit(at(length))) ++length;
    if (length != digits + 2) fail("a hexadecimal floating-point constant has " + std::to_string(digits) + " digits after its prefix");
    return finishNumber(Token::Kind::floating, length);
  }

  Token finishNumber(Token::Kind kind, std::size_t length) {
    if (continuesName(at(length))) fail("a malformed number: '" + std::string(text_.substr(position_, length + 1)) + "'");
    return take(kind, length);
  }

  Token string() {
    std::size_t length = 1;
    while (at(length) != '"') {
      if (position_ + length >= text_.size() || at(length) == '\n') fail("the string that begins here has no end on its line");
      length += at(length) == '\\' ? 2 : 1;
    }
    Token token = take(Token::Kind::string, length + 1);
    token.text = token.text.substr(1, length - 1);
    return token;
  }

  std::string_view text_;
  const std::string& sourceName_;
  std::size_t position_ = 0, lineStart_ = 0;
  u32 line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, const std::string& sourceName) { return Lexer(text, sourceName).run(); }

}  // namespace warpwright::ptx
