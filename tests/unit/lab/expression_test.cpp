#include "lab/analysis/expression.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

std::optional<double> five(const std::string&) { return 5; }

TEST(Expression, ComputesWithDottedNames) {
  const Expression expression("2 * (a.b.c + 1) / max(a.x, 4)");
  EXPECT_EQ(expression.names(), (std::vector<std::string>{"a.b.c", "a.x"}));
  EXPECT_EQ(expression.evaluate([](const std::string& name) -> std::optional<double> { return name == "a.x" ? 3 : 5; }), 3);
}

TEST(Expression, HasNoValueWhereANameHasNone) {
  EXPECT_EQ(Expression("a + b").evaluate([](const std::string& name) -> std::optional<double> {
    if (name == "a") return 1;
    return std::nullopt;
  }),
            std::nullopt);
}

TEST(Expression, HasNoValueWhereItDividesByZero) { EXPECT_EQ(Expression("1 / (a - 5)").evaluate(five), std::nullopt); }

TEST(Expression, SaysWhereItIsWrong) {
  try {
    Expression("a + * b");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a + * b"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("position 4"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace warpwright::lab
