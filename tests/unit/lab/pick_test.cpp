#include "lab/reproduction/pick.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

const Pick kPick{"best", "experiment.toml", "product", {"base", "off", "shared"}};

Row row(const std::string& program, const std::string& machine, Value product, Value saved) {
  return {.program = program, .application = program, .machine = machine, .values = {product, saved}};
}

// Columns: what is to be least, and another, of which the experiment has a mean.
Table tableWith(std::vector<Row> rows) {
  Table table{.columns = {"product", "saved"}, .byKernel = false, .rows = std::move(rows)};
  for (const std::string& machine : kPick.machines)
    table.means.push_back({Mean::arithmetic, machine, {}, {std::nullopt, 0}, {0, 1}, {1, 1}});
  return table;
}

TEST(Pick, TakesTheLeast) {
  const Table table = tableWith({row("saxpy", "base", 1.5, -0.5), row("saxpy", "off", 1, 0), row("saxpy", "shared", 1.25, -0.25)});
  EXPECT_EQ(leastOf(table, kPick, "saxpy"), std::vector<std::string>{"off"});
  EXPECT_TRUE(leastOf(table, kPick, "sgemm").empty());
}

// In the order of the pick, whatever that of the rows is.
TEST(Pick, NamesAllThatAreEqual) {
  const Table table = tableWith({row("saxpy", "shared", 1, 0), row("saxpy", "off", 1, 0), row("saxpy", "base", 1.5, -0.5)});
  EXPECT_EQ(leastOf(table, kPick, "saxpy"), (std::vector<std::string>{"off", "shared"}));
  const Table alike = tableWith({row("bfs", "off", 1, 0), row("bfs", "shared", 1, 0), row("bfs", "base", 1, 0)});
  EXPECT_EQ(leastOf(alike, kPick, "bfs").front(), "base");
}

// What a failed run would have given may have been the least.
TEST(Pick, KnowsNothingWithoutAllOfThem) {
  EXPECT_TRUE(leastOf(tableWith({row("bfs", "base", 0.5, 0.5), row("bfs", "off", 1, 0)}), kPick, "bfs").empty());
  EXPECT_TRUE(
      leastOf(tableWith({row("bfs", "base", 0.5, 0.5), row("bfs", "off", 1, 0), row("bfs", "shared", {}, {})}), kPick, "bfs").empty());
}

TEST(Pick, NeedsItsColumn) {
  Pick other = kPick;
  other.least = "energy";
  EXPECT_THROW(leastOf(tableWith({}), other, "bfs"), Error);
}

TEST(Pick, IsAFurtherMachineOfTheTable) {
  Table table = tableWith({row("saxpy", "base", 1.5, -0.5), row("saxpy", "off", 1, 0), row("saxpy", "shared", 1.25, -0.25),
                           row("sgemm", "base", 0.25, 0.75), row("sgemm", "off", 1, 0), row("sgemm", "shared", 0.5, 0.5),
                           row("bfs", "base", 0.5, 0.5), row("bfs", "off", 1, 0), row("bfs", "shared", {}, {})});
  addPick(table, kPick);
  ASSERT_EQ(table.rows.size(), 12U);
  EXPECT_EQ(table.rows[9].machine, "best");
  EXPECT_EQ(table.rows[9].values, (std::vector<Value>{1, 0}));         // saxpy as with "off"
  EXPECT_EQ(table.rows[10].values, (std::vector<Value>{0.25, 0.75}));  // sgemm as with "base"
  EXPECT_EQ(table.rows[11].program, "bfs");
  EXPECT_EQ(table.rows[11].values, (std::vector<Value>{{}, {}}));
  ASSERT_EQ(table.means.size(), 4U);
  const MeanRow& mean = table.means.back();
  EXPECT_EQ(mean.machine, "best");
  // The experiment asks for no mean of the first column. bfs has no pick.
  EXPECT_EQ(mean.values, (std::vector<Value>{{}, 0.375}));
  EXPECT_EQ(mean.counts[1], 2U);
  EXPECT_EQ(mean.wanted[1], 3U);
}

}  // namespace
}  // namespace warpwright::lab
