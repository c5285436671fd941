#include "lab/reproduction/grids.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

Row row(const std::string& program, const std::string& machine, std::vector<Value> values) {
  return {.program = program, .machine = machine, .values = std::move(values)};
}

Table ofTwoMachines() {
  Table table{.columns = {"energy", "threads"}, .byKernel = false};
  table.rows = {row("saxpy", "none", {1, 100}), row("saxpy", "pick", {1.25, 100}), row("sgemm", "none", {1, 64}),
                row("sgemm", "pick", {{}, 64})};
  table.means = {{Mean::arithmetic, "none", {}, {1, {}}, {2, 0}, {2, 2}}, {Mean::arithmetic, "pick", {}, {1.25, {}}, {1, 0}, {2, 2}}};
  return table;
}

TEST(Bars, AreALineAProgramAndAColumnAMachine) {
  EXPECT_EQ(barsText(ofTwoMachines(), {{"none", "pick"}, {"energy"}}),
            "  energy           none  pick\n"
            "  saxpy               1  1.25\n"
            "  sgemm               1\n"
            "  arithmetic mean     1  1.25\n");
}

TEST(Bars, OfOneMachineStandSideBySide) {
  EXPECT_EQ(barsText(ofTwoMachines(), {{"pick"}, {"threads", "energy"}}),
            "  program          threads  energy\n"
            "  saxpy                100    1.25\n"
            "  sgemm                 64\n"
            "  arithmetic mean             1.25\n");
}

TEST(Bars, OfKernelsAreALineEach) {
  Table table{.columns = {"registers"}};
  table.rows = {{.program = "dct", .kernel = "forward", .machine = "none", .values = {0.25}},
                {.program = "dct", .kernel = "backward", .machine = "none", .values = {0.75}}};
  table.means = {{Mean::arithmetic, "none", {}, {0.5}, {2}, {2}}};
  EXPECT_EQ(barsText(table, {{"none"}, {"registers"}}),
            "  program and kernel  registers\n"
            "  dct forward              0.25\n"
            "  dct backward             0.75\n"
            "  arithmetic mean           0.5\n");
}

TEST(Bars, NeedTheirColumns) { EXPECT_THROW(barsText(ofTwoMachines(), {{"pick"}, {"power"}}), Error); }

MeanRow mean(const std::string& lines, const std::string& bytes, Value value) {
  return {Mean::geometric, "caches", {{"cache.lines", lines}, {"cache.line_bytes", bytes}}, {value}, {1}, {1}};
}

// As figure 9 of paper 002. Equal ones are all marked.
TEST(Map, HasAParameterEachWayAndMarksTheLeast) {
  Table table{.parameters = {"cache.lines", "cache.line_bytes"}, .columns = {"product"}};
  table.means = {mean("8", "32", 1.5), mean("8", "64", 0.5), mean("16", "32", 0.75), mean("16", "64", 0.5)};
  EXPECT_EQ(mapText(table, {"cache.lines", "cache.line_bytes", {"product"}}),
            "  product: lines by line_bytes    32     64\n"
            "  8                              1.5    0.5 *\n"
            "  16                            0.75    0.5 *\n"
            "  * the least\n");
  table.means.back().values = {std::nullopt};
  EXPECT_EQ(mapText(table, {"cache.lines", "cache.line_bytes", {"product"}}),
            "  product: lines by line_bytes    32     64\n"
            "  8                              1.5    0.5 *\n"
            "  16                            0.75\n"
            "  * the least\n");
  EXPECT_THROW(mapText(table, {"cache.lines", "cache.line_bytes", {"energy"}}), Error);
}

}  // namespace
}  // namespace warpwright::lab
