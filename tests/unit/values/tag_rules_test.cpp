#include "values/tag_rules.hpp"

#include <gtest/gtest.h>

namespace warpwright::values {
namespace {

constexpr Tag U = Tag::uniform, A = Tag::affine, V = Tag::generic;

// Collange, Defour and Zhang, Table 1: the first row is the first operand, the first column the second.
TEST(TagRules, AreThoseOfThePaper) {
  struct Table {
    Tag (*rule)(Tag, Tag);
    Tag result[3][3];
  };
  constexpr Tag kOrder[] = {U, A, V};
  const Table tables[] = {
      {sum, {{U, A, V}, {A, V, V}, {V, V, V}}},       {product, {{U, V, V}, {V, V, V}, {V, V, V}}},
      {shiftLeft, {{U, A, V}, {V, V, V}, {V, V, V}}}, {difference, {{U, A, V}, {V, V, V}, {V, V, V}}},
      {either, {{U, A, V}, {A, A, V}, {V, V, V}}},
  };
  for (const Table& table : tables) {
    for (u32 second = 0; second < 3; ++second) {
      for (u32 first = 0; first < 3; ++first) EXPECT_EQ(table.rule(kOrder[first], kOrder[second]), table.result[second][first]);
    }
  }
}

}  // namespace
}  // namespace warpwright::values
