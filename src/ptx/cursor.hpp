// A position in the token list, and the one place that turns a position into an Error.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "ptx/lexer.hpp"

namespace warpwright::ptx {

class Cursor {
 public:
  Cursor(std::vector<Token> tokens, std::string sourceName) : tokens_(std::move(tokens)), sourceName_(std::move(sourceName)) {}

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(position_ + ahead, tokens_.size() - 1)]; }
  Token next();
  bool at(std::string_view text) const { return peek().is(text); }
  bool atEnd() const { return peek().kind == Token::Kind::end; }

  // Consumes the token when it reads `text`.
  bool accept(std::string_view text);
  // Consumes a token that must read `text`; `context` says where: "after the parameter list".
  Token expect(std::string_view text, std::string_view context);
  // Consumes an identifier; `what` names it in the message: "a function name".
  Token expectName(std::string_view what);

  // Skips a balanced "{ … }" block, the brace at the cursor included.
  void skipBlock();

  std::size_t position() const { return position_; }
  const std::vector<Token>& tokens() const { return tokens_; }
  const std::string& sourceName() const { return sourceName_; }

  void setContext(std::string context) { context_ = std::move(context); }

  // Text for messages about the token at hand: "'foo'", "the end of the text".
  static std::string describe(const Token& token);
  // Throws an Error at the token; while a context is set (" (in kernel 'k')"), its text ends the message.
  [[noreturn]] void fail(const Token& where, const std::string& message, std::string remedy = {}) const;

 private:
  std::vector<Token> tokens_;
  std::string sourceName_, context_;
  std::size_t position_ = 0;
};

// The text from one token to another as written, with comments gone and white space folded into single blanks.
std::string plainText(const Token& first, const Token& last);

}  // namespace warpwright::ptx
