#include "lab/reproduction/pick.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "lab/experiment/experiment.hpp"

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

// The program's best machine, bars and a map are of an experiment; a pick is named by the values that are it.
TEST(Published, PicksBarsAndMapsAreWhole) {
  const Paper paper = loadPaper("002");
  EXPECT_EQ(paper.pick.name, "tCpick");
  EXPECT_EQ(paper.pick.machines.size(), 4U);
  const auto messageOf = [](const std::string& text) {
    try {
      parsePaper("id = \"1\"\n" + text, "1.toml");
    } catch (const Error& error) {
      return std::string(error.message());
    }
    return std::string("no error");
  };
  const std::string pick = "[pick]\nname = \"best\"\nexperiment = \"e.toml\"\nleast = \"c\"\n";
  const std::string items = "items = [{ figure = \"1\", origin = \"picks\", values = [{ published = \"a\", ours = \"best\" }] }]\n";
  EXPECT_EQ(messageOf(items + pick + "machines = [\"a\"]\n"), "no error");
  EXPECT_EQ(messageOf(items + pick), "a pick needs 'name', 'experiment', 'least' and 'machines'");
  EXPECT_EQ(messageOf(items), "the origin of figure 1 needs [pick], whose name is 'ours'");
  const std::string bars = "items = [{ figure = \"1\", bars = { machines = [\"a\"], columns = [\"c\"] }";
  EXPECT_EQ(messageOf(bars + ", experiment = \"e.toml\" }]"), "no error");
  EXPECT_EQ(messageOf(bars + " }]"), "'bars' and 'map' are of an 'experiment'");
  EXPECT_EQ(messageOf("items = [{ figure = \"1\", bars = { columns = [\"c\"] } }]"), "bars need 'machines' and 'columns'");
  EXPECT_EQ(messageOf("items = [{ figure = \"1\", map = { down = \"a\", columns = [\"c\"] } }]"),
            "a map needs 'down', 'across' and 'columns'");
  EXPECT_EQ(messageOf("items = [{ section = \"3\", origin = \"hardware\" }]"), "the origin of section 3 needs [energy]");
}

// Words and programs of picks name machines and programs of the experiment.
TEST(Published, PicksAreOfTheExperimentsProgramsAndMachines) {
  const Paper paper = loadPaper("002");
  const std::string file = paper.folder + "/" + paper.pick.experiment;
  Mistakes mistakes;
  const Experiment experiment = parseExperiment(readFile(file), file, mistakes);
  const auto hasMachine = [&](const std::string& name) {
    return std::any_of(experiment.machines.begin(), experiment.machines.end(),
                       [&](const MachineChoice& each) { return each.label == name; });
  };
  const auto hasProgram = [&](const std::string& name) {
    return std::any_of(experiment.programs.begin(), experiment.programs.end(), [&](const Program& each) { return each.label == name; });
  };
  for (const std::string& machine : paper.pick.machines) EXPECT_TRUE(hasMachine(machine)) << machine;
  for (const Item& item : paper.items) {
    if (item.origin != Origin::picks) continue;
    EXPECT_EQ(item.values.size(), experiment.programs.size() + 1);  // SGEMM has two published words
    for (const PublishedValue& value : item.values) {
      EXPECT_TRUE(hasProgram(value.program)) << value.program;
      EXPECT_TRUE(hasMachine(value.word)) << value.word;
    }
  }
}

}  // namespace
}  // namespace warpwright::lab
