#include "base/part.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright {
namespace {

using Text = Part<std::string, int>;

Text::Make makes(const std::string& text) {
  return [text](int number) { return std::make_unique<std::string>(text + std::to_string(number)); };
}
Text::Wrap wraps(const std::string& around) {
  return [around](std::unique_ptr<std::string> inner, int) {
    return std::make_unique<std::string>(around + "(" + (inner ? *inner : "nothing") + ")");
  };
}

TEST(Part, IsTheMachinesOwnOrNothing) {
  EXPECT_EQ(*Text("the text", makes("base")).make(3), "base3");
  EXPECT_EQ(Text("the text").make(3), nullptr);
}

TEST(Part, WrappersLieAroundWhatReplacesItInTheOrderOfTheCalls) {
  Text part("the text", makes("base"));
  part.wrap(wraps("first"));
  part.replace("one", makes("other"));
  part.wrap(wraps("second"));
  EXPECT_EQ(*part.make(3), "second(first(other3))");
}

TEST(Part, MayBeWrappedWhereThereIsNone) {
  Text part("the text");
  part.wrap(wraps("first"));
  EXPECT_EQ(*part.make(3), "first(nothing)");
}

TEST(Part, ASecondReplacementNamesBoth) {
  Text part("the text", makes("base"));
  part.replace("one", makes("other"));
  try {
    part.replace("two", makes("third"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "error: the mechanisms 'one' and 'two' both replace the text\n  remedy: leave one of them out");
  }
}

}  // namespace
}  // namespace warpwright
