#include "lab/reproduction/comparison.hpp"

#include <gtest/gtest.h>

namespace warpwright::lab {
namespace {

Item table() {
  Item item;
  item.kind = "table";
  item.number = "3.1";
  item.section = "3.4";
  item.title = "What it takes";
  return item;
}

Compared of(const std::string& name, Value published, Value ours, const std::string& unit = "") {
  Compared compared;
  compared.value.name = name;
  compared.value.unit = unit;
  compared.value.published = published;
  compared.ours = ours;
  return compared;
}

TEST(ItemComparison, ANumberHasItsDifferenceAndItsShare) {
  const ComparedText text = textOf(table(), of("banks", 8, 10, "tables"));
  EXPECT_EQ(text.published, "8 tables");
  EXPECT_EQ(text.ours, "10 tables");
  EXPECT_EQ(text.difference, "+2 (+25 %)");
  EXPECT_EQ(relativeTo(of("banks", 8, 10)), Value(1.25));
}

TEST(ItemComparison, WhatIsOnlyDrawnOrZeroHasNoRatio) {
  Compared drawn = of("bars", std::nullopt, 4);
  drawn.value.isDrawn = true;
  EXPECT_EQ(textOf(table(), drawn).published, "drawn");
  EXPECT_EQ(textOf(table(), drawn).difference, "");
  EXPECT_FALSE(relativeTo(drawn));
  EXPECT_EQ(textOf(table(), of("none", 0, 4)).difference, "+4");
  EXPECT_FALSE(relativeTo(of("none", 0, 4)));
  EXPECT_EQ(textOf(table(), of("lost", 3, std::nullopt)).ours, "no value");
  EXPECT_FALSE(relativeTo(of("lost", 3, std::nullopt)));
}

TEST(ItemComparison, WordsAreTheSameOrDiffer) {
  Compared words = of("policy", std::nullopt, std::nullopt);
  words.value.word = "lru";
  words.words = {"fifo", "lru"};
  EXPECT_EQ(textOf(table(), words).ours, "fifo = lru");
  EXPECT_EQ(textOf(table(), words).difference, "same");
  words.words = {"fifo"};
  EXPECT_EQ(textOf(table(), words).difference, "differs");
}

TEST(ItemComparison, SaysWhatIsMissing) {
  Compared missing = of("later", 3, std::nullopt);
  missing.value.mechanism = "wings";
  EXPECT_EQ(textOf(table(), missing).ours, "not yet: wings");
  Item item = table();
  item.mechanism = "wings";
  EXPECT_EQ(textOf(item, missing).ours, "");
}

TEST(ItemComparison, AnEnergyHasItsBounds) {
  Compared energy = of("energy", 8, 10, "pJ");
  energy.bounds = Bounds{.low = 9, .high = 12};
  EXPECT_EQ(textOf(table(), energy).ours, "10 pJ (9, 12)");
}

TEST(ItemComparison, LinesOfText) {
  const ItemComparison comparison{.item = table(), .values = {of("banks", 8, 10)}, .drawings = "  a map\n", .notes = {"a reason"}};
  EXPECT_EQ(textOf(comparison),
            "Table 3.1, section 3.4: What it takes\n"
            "  value  published  ours  difference\n"
            "  banks          8    10  +2 (+25 %)\n"
            "  a map\n"
            "  a reason\n");
  EXPECT_EQ(textOf(ItemComparison{.item = table(), .values = {}, .drawings = "", .notes = {}}),
            "Table 3.1, section 3.4: What it takes\n  the paper gives no number in its text\n");
}

}  // namespace
}  // namespace warpwright::lab
