#include <gtest/gtest.h>

#include "stats/json.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::stats {
namespace {

struct Inner {
  u64 misses = 0;
  static constexpr void fields(auto&& field) { field("misses", "accesses", "not found", &Inner::misses); }
};

struct Outer {
  u64 hits = 0;
  Peak most;
  Inner inner;
  static constexpr void fields(auto&& field) {
    field("hits", "accesses", "found", &Outer::hits);
    field("most", "entries", "at once", &Outer::most);
    field("inner", "", "", &Outer::inner);
  }
  static constexpr void figures(auto&& figure) {
    figure("hit_rate", "share", "of accesses", [](const Outer& o) { return ratio(o.hits, o.hits + o.inner.misses); });
  }
};

NamedStatistics named(std::string_view name, u64 hits, u64 most, u64 misses) {
  NamedStatistics result;
  result.add(name, Structure(Outer{hits, {most}, {misses}}));
  return result;
}

TEST(NamedStatistics, MergeByName) {
  NamedStatistics all = named("a", 3, 5, 1);
  merge(all, named("a", 2, 4, 0));
  merge(all, named("b", 7, 0, 0));
  const Json json = toJson(all);
  EXPECT_EQ(json["a"]["hits"], 5);
  EXPECT_EQ(json["a"]["most"], 5);
  EXPECT_EQ(json["a"]["inner"]["misses"], 1);
  EXPECT_EQ(json["b"]["hits"], 7);
}

TEST(NamedStatistics, AFigureIsMadeOfTheMergedCounters) {
  NamedStatistics all = named("a", 1, 0, 0);
  EXPECT_EQ(toJson(all)["a"]["figures"]["hit_rate"], 1.0);
  merge(all, named("a", 0, 0, 3));
  EXPECT_EQ(toJson(all)["a"]["figures"]["hit_rate"], 0.25);
  EXPECT_TRUE(toJson(named("a", 0, 0, 0))["a"]["figures"]["hit_rate"].is_null());
}

TEST(NamedStatistics, ADeltaCountsFromNothingWhereThereWasNothing) {
  NamedStatistics later = named("a", 5, 9, 2);
  merge(later, named("b", 1, 1, 1));
  const Json json = toJson(delta(later, named("a", 2, 4, 2)));
  EXPECT_EQ(json["a"]["hits"], 3);
  EXPECT_EQ(json["a"]["most"], 9);
  EXPECT_EQ(json["a"]["inner"]["misses"], 0);
  EXPECT_EQ(json["b"]["hits"], 1);
}

TEST(NamedStatistics, CopiesAreIndependent) {
  const NamedStatistics original = named("a", 1, 0, 0);
  NamedStatistics copy = original;
  merge(copy, original);
  EXPECT_EQ(toJson(original)["a"]["hits"], 1);
  EXPECT_EQ(toJson(copy)["a"]["hits"], 2);
}

TEST(NamedStatistics, NumbersHaveNestedNamesAndFiguresComeLast) {
  std::vector<std::string> names;
  Structure(Outer{}).forEachNumber([&](const AnyStatistics::Number& number) { names.push_back(number.name); });
  EXPECT_EQ(names, (std::vector<std::string>{"hits", "most", "inner.misses", "hit_rate"}));
}

struct Holder {
  u64 count = 0;
  NamedStatistics parts;
  static constexpr void fields(auto&& field) {
    field("count", "", "", &Holder::count);
    field("parts", "", "", &Holder::parts);
  }
};

TEST(NamedStatistics, AStructureLeavesOutEmptyOnes) {
  EXPECT_EQ(toJson(Holder{}).dump(), R"({"count":0})");
  EXPECT_TRUE(toJson(Holder{1, named("a", 1, 1, 1)}).contains("parts"));
}

}  // namespace
}  // namespace warpwright::stats
