#include "ptx/lexer.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::ptx {
namespace {

using TokenKind = Token::Kind;

std::vector<Token> lex(std::string_view text) { return tokenize(text, "test.ptx"); }

Error lexError(std::string_view text) {
  try {
    tokenize(text, "test.ptx");
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error for: " << text;
  return Error("none");
}

TEST(Lexer, DottedWordIsOneToken) {
  const auto tokens = lex("ld.global.v2.f32 {%f1,%f2}, [%rd1+8];");
  ASSERT_EQ(tokens.size(), 14u);
  EXPECT_EQ(tokens[0].text, "ld.global.v2.f32");
  EXPECT_EQ(tokens[0].kind, TokenKind::word);
  EXPECT_EQ(tokens[2].text, "%f1");
  EXPECT_EQ(tokens[10].text, "8");
  EXPECT_EQ(tokens[13].kind, TokenKind::end);
}

TEST(Lexer, LinesAndColumnsCountFromOne) {
  const auto tokens = lex("a\n  b /* x\n y */ c // d\n\te");
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[0].line, 1u);
  EXPECT_EQ(tokens[0].column, 1u);
  EXPECT_EQ(tokens[1].line, 2u);
  EXPECT_EQ(tokens[1].column, 3u);
  EXPECT_EQ(tokens[2].text, "c");
  EXPECT_EQ(tokens[2].line, 3u);
  EXPECT_EQ(tokens[2].column, 7u);
  EXPECT_EQ(tokens[3].line, 4u);
  EXPECT_EQ(tokens[3].column, 2u);
}

TEST(Lexer, PercentBeginsARegisterOrIsAnOperator) {
  const auto tokens = lex("%r<17> 7 % 2");
  ASSERT_EQ(tokens.size(), 8u);
  EXPECT_EQ(tokens[0].text, "%r");
  EXPECT_EQ(tokens[1].text, "<");
  EXPECT_EQ(tokens[5].text, "%");
  EXPECT_EQ(tokens[5].kind, TokenKind::symbol);
}

TEST(Lexer, NumbersOfEveryKind) {
  const auto tokens = lex("12 0x1fU 017 0b101 0f3F800000 0d3FF0000000000000 1.5 2e3 7.0 8U");
  const std::vector<TokenKind> kinds = {TokenKind::integer,  TokenKind::integer,  TokenKind::integer,  TokenKind::integer,
                                        TokenKind::floating, TokenKind::floating, TokenKind::floating, TokenKind::floating,
                                        TokenKind::floating, TokenKind::integer};
  ASSERT_EQ(tokens.size(), kinds.size() + 1);
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(tokens[i].kind, kinds[i]) << tokens[i].text;
}

TEST(Lexer, NamesWithDollarAndColons) {
  const auto tokens = lex("$L__BB0_1: .shared::cta st.param::func.b32 _");
  ASSERT_EQ(tokens.size(), 6u);
  EXPECT_EQ(tokens[0].text, "$L__BB0_1");
  EXPECT_EQ(tokens[1].text, ":");
  EXPECT_EQ(tokens[2].text, ".shared::cta");
  EXPECT_EQ(tokens[2].kind, TokenKind::directive);
  EXPECT_EQ(tokens[3].text, "st.param::func.b32");
  EXPECT_EQ(tokens[4].text, "_");
}

TEST(Lexer, StringsHoldWhatIsBetweenTheQuotes) {
  const auto tokens = lex(R"(.file 1 "/a/b \"c\".cu")");
  EXPECT_EQ(tokens[2].kind, TokenKind::string);
  EXPECT_EQ(tokens[2].text, R"(/a/b \"c\".cu)");
}

TEST(Lexer, TextEndsAtANul) {
  EXPECT_EQ(lex(std::string_view("a b\0\0c ?`", 10)).size(), 3u);
  EXPECT_EQ(lex("").size(), 1u);
}

TEST(Lexer, TwoLetterOperatorsWin) {
  const auto tokens = lex("1<<2>=3&&4!=5");
  EXPECT_EQ(tokens[1].text, "<<");
  EXPECT_EQ(tokens[3].text, ">=");
  EXPECT_EQ(tokens[5].text, "&&");
  EXPECT_EQ(tokens[7].text, "!=");
}

struct BadText {
  const char* text;
  u32 line, column;
};
class LexerErrors : public ::testing::TestWithParam<BadText> {};
TEST_P(LexerErrors, SayWhere) {
  const Error error = lexError(GetParam().text);
  EXPECT_EQ(error.where().file, "test.ptx");
  EXPECT_EQ(error.where().line, GetParam().line) << error.what();
  EXPECT_EQ(error.where().column, GetParam().column) << error.what();
}
INSTANTIATE_TEST_SUITE_P(All, LexerErrors,
                         ::testing::Values(BadText{"a\n `", 2, 2}, BadText{"a /* b\n", 1, 3}, BadText{"\"abc\n\"", 1, 1},
                                           BadText{" 0x", 1, 2}, BadText{"0b2", 1, 1}, BadText{"0f3F8", 1, 1}, BadText{"0d3F800000", 1, 1},
                                           BadText{"12ab", 1, 1}, BadText{"x \x01", 1, 3}, BadText{"\xff", 1, 1}, BadText{"\"a\\", 1, 1}));

}  // namespace
}  // namespace warpwright::ptx
