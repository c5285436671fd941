#include "lab/experiment/plan.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "cc/driver/process.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

// An experiment in a folder with a program "app" and an input "in.bin".
class PlanTest : public testing::Test {
 protected:
  PlanTest() {
    write("app", "#!/bin/sh\n");
    fs::permissions(path("app"), fs::perms::owner_exec, fs::perm_options::add);
    write("in.bin", "1");
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  Plan planned(const std::string& rest, const std::string& revision = "r") const {
    const std::string text = "programs = [{ run = \"./app\", arguments = [\"./in.bin\", \"in.bin\"] }]\nmetrics = [\"launches\"]\n" + rest;
    Mistakes mistakes;
    const Experiment experiment = parseExperiment(text, path("e.toml"), mistakes);
    Plan result = plan(experiment, {.version = "0", .revision = revision}, mistakes);
    for (const Error& each : mistakes.found()) ADD_FAILURE() << each.what();
    return result;
  }

  std::string keyOf(const std::string& rest, const std::string& revision = "r") const {
    return planned(rest, revision).cells.at(0).run.key;
  }

  cc::TemporaryFolder folder_;
};

TEST_F(PlanTest, IsTheProductOfItsAxes) {
  const Plan whole =
      planned("machines = [\"v100\", \"gtx480\"]\n[sweep]\nmax_registers = [16, 32, 64]\n\"l1d.ways\" = [2, 4]\n\"--n\" = [1]\n");
  EXPECT_EQ(whole.cells.size(), 12U);
  std::set<std::string> keys;
  for (const Cell& cell : whole.cells) keys.insert(cell.run.key);
  EXPECT_EQ(keys.size(), 12U);
  const Cell& last = whole.cells.back();
  EXPECT_EQ(last.machine, "gtx480");
  EXPECT_EQ(last.run.options, (Settings{{"max_registers", "64"}}));
  EXPECT_EQ(last.run.arguments, (std::vector<std::string>{path("in.bin"), "in.bin", "--n", "1"}));
  EXPECT_NE(last.run.configuration.find("ways = 4"), std::string::npos);
}

TEST_F(PlanTest, KeysFollowEverythingAResultDependsOn) {
  const std::string machine = "machines = [\"gtx480\"]\n";
  const std::string key = keyOf(machine);
  EXPECT_EQ(keyOf(machine), key);
  EXPECT_EQ(keyOf("name = \"other\"\ndescription = \"words\"\n" + machine), key);
  EXPECT_EQ(keyOf("machines = [{ machine = \"gtx480\", name = \"mine\" }]\n"), key);
  EXPECT_NE(keyOf(machine, "another build"), key);
  EXPECT_NE(keyOf("machines = [{ machine = \"gtx480\", set = { \"l1d.ways\" = 8, \"l1d.bytes\" = 32768 } }]\n"), key);
  EXPECT_NE(keyOf("machines = [{ machine = \"gt200-elastic\", set = { \"mechanism.elastic-pipeline\" = true } }]\n"),
            keyOf("machines = [\"gt200-elastic\"]\n"));
  EXPECT_NE(keyOf(machine + "[options]\nmax_registers = 16\n"), key);
  EXPECT_NE(keyOf(machine + "[sweep]\n\"--n\" = [1]\n"), key);
  write("in.bin", "2");
  EXPECT_NE(keyOf(machine), key);
  write("in.bin", "1");
  EXPECT_EQ(keyOf(machine), key);
  write("app", "#!/bin/sh\nexit 1\n");
  EXPECT_NE(keyOf(machine), key);
}

TEST_F(PlanTest, MachinesThatCannotBeAreMistakesAtTheirPlaceInTheFile) {
  const std::string text =
      "programs = [\"./app\"]\nmetrics = [\"launches\"]\n"
      "machines = [\"gtx480\", { machine = \"gtx480\", name = \"b\", set = { \"sm.warp_size\" = 33 } }]\n"
      "[sweep]\n\"l1d.ways\" = [4, 5000]\n";
  Mistakes mistakes;
  plan(parseExperiment(text, path("e.toml"), mistakes), {.version = "0", .revision = "r"}, mistakes);
  ASSERT_EQ(mistakes.found().size(), 2U);
  EXPECT_EQ(mistakes.found()[0].where().text(), path("e.toml") + ":5:14");
  EXPECT_NE(mistakes.found()[0].message().find("l1d.ways = 5000"), std::string::npos);
  EXPECT_EQ(mistakes.found()[1].where().text(), path("e.toml") + ":3:23");
  EXPECT_NE(mistakes.found()[1].message().find("sm.warp_size"), std::string::npos);
}

TEST_F(PlanTest, CommandsRepeatTheRun) {
  const Plan whole = planned("machines = [\"gtx480\"]\n[sweep]\n\"l1d.hit_latency\" = [20]\nfunctional = [true]\n");
  EXPECT_EQ(whole.cells.at(0).run.command,
            "warpwright run --machine gtx480 --set l1d.hit_latency=20 --functional " + path("app") + " " + path("in.bin") + " in.bin");
}

}  // namespace
}  // namespace warpwright::lab
