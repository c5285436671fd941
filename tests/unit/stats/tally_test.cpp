// Counts by a number: sums, differences, and what becomes of them in JSON.
#include "stats/tally.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "stats/json.hpp"

namespace warpwright::stats {
namespace {

struct Counted {
  u64 other = 3;
  Tally words;

  static constexpr void fields(auto&& field) {
    field("other", "", "", &Counted::other);
    field("words", "", "", &Counted::words);
  }
};

Tally tally(const std::vector<u64>& counts) {
  Tally result;
  for (std::size_t i = 0; i < counts.size(); ++i) result.add(i, counts[i]);
  return result;
}

TEST(Tally, GrowsWithItsIndices) {
  Tally words;
  words.add(2, 5);
  words.add(0, 1);
  words.add(2, 1);
  EXPECT_EQ(words.counts(), (std::vector<u64>{1, 0, 6}));
}

TEST(Tally, AddsUpOtherLengths) {
  Tally sum = tally({1, 2});
  merge(sum, tally({10, 20, 30}));
  merge(sum, tally({100}));
  EXPECT_EQ(sum.counts(), (std::vector<u64>{111, 22, 30}));
}

TEST(Tally, HasDifferences) { EXPECT_EQ(delta(tally({5, 7, 9}), tally({5, 2})).counts(), (std::vector<u64>{0, 5, 9})); }

TEST(Tally, IsAnArrayOfJson) {
  EXPECT_EQ(toJson(Counted{.words = tally({4, 0, 2})}).dump(), R"({"other":3,"words":[4,0,2]})");
  EXPECT_EQ(toJson(Counted{}).dump(), R"({"other":3})");
}

}  // namespace
}  // namespace warpwright::stats
