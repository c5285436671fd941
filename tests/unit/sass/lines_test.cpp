#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lzma.h>

#include <functional>
#include <vector>

#include "sass/fields.hpp"
#include "sass/line_reader.hpp"

namespace warpwright::sass {
namespace {

std::string compressedText(const std::string& text) {
  std::string result(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(result.data()), &size, result.size()),
            LZMA_OK);
  result.resize(size);
  return result;
}

std::vector<std::string> linesOf(const std::string& text) {
  LineReader reader(textOf(text, "t"), "t");
  std::vector<std::string> lines;
  while (const auto line = reader.next()) lines.emplace_back(*line);
  return lines;
}

std::string messageOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SassLines, EndsOfLines) {
  EXPECT_EQ(linesOf(""), std::vector<std::string>{});
  EXPECT_EQ(linesOf("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(linesOf("a\r\nb\n"), (std::vector<std::string>{"a", "b"}));
}

TEST(SassLines, LongerThanAPiece) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += fmt::format("line {}\n", i);
  const std::vector<std::string> lines = linesOf(text);
  ASSERT_EQ(lines.size(), 40'000u);
  EXPECT_EQ(lines.back(), "line 39999");
  EXPECT_EQ(linesOf(compressedText(text)), lines);
}

TEST(SassLines, JoinedXzFiles) { EXPECT_EQ(linesOf(compressedText("a\n") + compressedText("b\n")), (std::vector<std::string>{"a", "b"})); }

TEST(SassLines, DamagedXzFiles) {
  const std::string whole = compressedText(std::string(10'000, 'x') + "\n");
  EXPECT_NE(messageOf([&] { linesOf(whole.substr(0, whole.size() - 5)); }).find("ends before its time"), std::string::npos);
  std::string damaged = whole;
  damaged[damaged.size() / 2] = static_cast<char>(~damaged[damaged.size() / 2]);
  EXPECT_NE(messageOf([&] { linesOf(damaged); }).find("is damaged"), std::string::npos);
}

TEST(SassLines, ALineWithoutEnd) {
  EXPECT_NE(messageOf([] { linesOf(std::string(3'000'000, 'x')); }).find("t:1: error: a line of more than"), std::string::npos);
}

TEST(SassLines, FilesThatAreNotThere) {
  EXPECT_NE(messageOf([] { openTrace("no/such/trace"); }).find("cannot open the trace 'no/such/trace'"), std::string::npos);
}

TEST(SassFields, Numbers) {
  const SourcePosition where{"t", 3, 0};
  Fields fields("  12 ff 0xFf -5 R255 word ", where);
  EXPECT_EQ(fields.decimal("a"), 12u);
  EXPECT_EQ(fields.hexadecimal("b"), 255u);
  EXPECT_EQ(fields.hexadecimal("c"), 255u);
  EXPECT_EQ(fields.integer("d"), -5);
  EXPECT_EQ(fields.registerNumber("e"), 255);
  EXPECT_EQ(fields.word("f"), "word");
  EXPECT_TRUE(fields.atEnd());
}

TEST(SassFields, WhatIsWrongStandsWithItsPlace) {
  const SourcePosition where{"t", 3, 0};
  const auto failure = [&](std::string_view line, auto read) {
    return messageOf([&] {
      Fields fields(line, where);
      read(fields);
    });
  };
  EXPECT_EQ(failure("ab 1x", [](Fields& fields) { fields.word("a"), fields.decimal("a count"); }).substr(0, 43),
            "t:3:4: error: '1x' where a count is due\n  r");
  EXPECT_NE(failure("17", [](Fields& fields) { fields.decimal("a count", 16); }).find("'17'"), std::string::npos);
  EXPECT_NE(failure("R256", [](Fields& fields) { fields.registerNumber("a register"); }).find("'R256'"), std::string::npos);
  EXPECT_NE(failure("12", [](Fields& fields) { fields.registerNumber("a register"); }).find("'12'"), std::string::npos);
  EXPECT_NE(failure("1 ", [](Fields& fields) { fields.decimal("a"), fields.decimal("the rest"); }).find("ends before the rest"),
            std::string::npos);
}

}  // namespace
}  // namespace warpwright::sass
