#include "stats/statistics.hpp"

#include <gtest/gtest.h>

#include "stats/conservation.hpp"
#include "stats/enum_vector.hpp"
#include "stats/formula.hpp"
#include "stats/histogram.hpp"
#include "stats/json.hpp"

namespace warpwright::stats {
namespace {

enum class Colour { red, green };
std::string_view name(Colour colour) { return colour == Colour::red ? "red" : "green"; }

struct Part {
  u64 hits = 0;
  static constexpr void fields(auto&& field) { field("hits", "accesses", "found", &Part::hits); }
};

struct Whole {
  u64 cycles = 0;
  Peak depth;
  Part inner;
  EnumVector<Colour, 2> colours;
  Histogram<Linear, 4> sizes;
  static constexpr void fields(auto&& field) {
    field("cycles", "cycles", "time", &Whole::cycles);
    field("depth", "entries", "deepest", &Whole::depth);
    field("inner", "", "nested", &Whole::inner);
    field("colours", "", "by colour", &Whole::colours);
    field("sizes", "", "by size", &Whole::sizes);
  }
};

Whole sample(u64 scale) {
  Whole result;
  result.cycles = 10 * scale;
  result.depth.observe(scale);
  result.inner.hits = 3 * scale;
  result.colours[Colour::green] = 5 * scale;
  result.sizes.add(2, scale);
  return result;
}

TEST(Statistics, MergeAddsCountersAndKeepsThePeak) {
  Whole sum = sample(1);
  merge(sum, sample(2));
  EXPECT_EQ(sum.cycles, 30u);
  EXPECT_EQ(sum.depth.value, 2u);
  EXPECT_EQ(sum.inner.hits, 9u);
  EXPECT_EQ(sum.colours[Colour::green], 15u);
  EXPECT_EQ(sum.colours.total(), 15u);
  EXPECT_EQ(sum.sizes.count(), 3u);
  EXPECT_EQ(sum.sizes.sum(), 6u);
}

TEST(Statistics, DeltaUndoesMerge) {
  Whole sum = sample(1);
  merge(sum, sample(4));
  EXPECT_EQ(toJson(delta(sum, sample(1))), toJson(sample(4)));
}

TEST(Statistics, ResetClearsEverything) {
  Whole statistics = sample(3);
  reset(statistics);
  EXPECT_EQ(toJson(statistics), toJson(Whole{}));
}

TEST(Statistics, JsonFollowsTheList) {
  EXPECT_EQ(toJson(sample(1)).dump(), R"({"cycles":10,"depth":1,"inner":{"hits":3},"colours":{"red":0,"green":5},)"
                                      R"("sizes":{"count":1,"sum":2,"mean":2.0,"bins":{"2":1}}})");
}

TEST(Statistics, CsvFlattensNestedNames) {
  EXPECT_EQ(csvHeader<Part>(), "hits\n");
  EXPECT_EQ(csvRow(Part{7}), "7\n");
  const Json object = {{"a", 1}, {"b", {{"c", "x,\"y\""}, {"d", nullptr}}}};
  EXPECT_EQ(csvHeader(object), "a,b.c,b.d\n");
  EXPECT_EQ(csvRow(object), "1,\"x,\"\"y\"\"\",\n");
}

TEST(Ratio, IsNothingWithoutADenominator) {
  EXPECT_EQ(ratio(1, 4), 0.25);
  EXPECT_EQ(ratio(0, 4), 0.0);
  EXPECT_EQ(ratio(4, 0), std::nullopt);
  EXPECT_EQ(ratio(0, 0), std::nullopt);
  EXPECT_TRUE(toJson(ratio(1, 0)).is_null());
}

TEST(Histogram, LinearBinsHoldOneValueEach) {
  Histogram<Linear, 4> histogram;
  for (const u64 value : {0, 1, 1, 2, 3, 9}) histogram.add(value);
  EXPECT_EQ(histogram[1], 2u);
  EXPECT_EQ(histogram[3], 2u) << "the last bin takes what lies above it";
  EXPECT_EQ(histogram.mean(), 16.0 / 6.0);
  EXPECT_EQ(histogram.label(2), "2");
  EXPECT_EQ(histogram.label(3), "3+");
}

TEST(Histogram, PowerBinsDouble) {
  Histogram<PowersOfTwo, 5> histogram;
  for (const u64 value : {0, 1, 2, 3, 4, 7, 8, 1000}) histogram.add(value);
  const u64 expected[] = {1, 1, 2, 2, 2};
  for (std::size_t bin = 0; bin < 5; ++bin) EXPECT_EQ(histogram[bin], expected[bin]) << bin;
  EXPECT_EQ(histogram.label(0), "0");
  EXPECT_EQ(histogram.label(1), "1");
  EXPECT_EQ(histogram.label(2), "2-3");
  EXPECT_EQ(histogram.label(4), "8+");
}

TEST(Histogram, AnEmptyOneHasNoMean) { EXPECT_EQ((Histogram<Linear, 4>{}.mean()), std::nullopt); }

TEST(Conservation, NamesTheLawThatFails) {
  Conservation laws;
  laws.equal("hits and misses", 3, 3);
  laws.atMost("lanes", 3, 4);
  EXPECT_TRUE(laws.holds());
  laws.equal("hits and misses", 3, 4);
  laws.atMost("lanes", 5, 4);
  const std::vector<std::string> expected = {"hits and misses: 3 is not 4", "lanes: 5 exceeds 4"};
  EXPECT_EQ(laws.violations(), expected);
}

}  // namespace
}  // namespace warpwright::stats
