#include "lab/experiment/plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "cc/driver/process.hpp"
#include "compiler/register_report.hpp"
#include "lab/experiment/run_options.hpp"
#include "runtime/code_units.hpp"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

// An experiment in a folder with a program "app" and an input "in.bin".
class PlanTest : public ::testing::Test {
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

// Each needs its own, as times of launches hang on all of that.
TEST_F(PlanTest, PartsOfASampleHaveAFolderOfTimesInCommon) {
  const Plan parts = planned(
      "machines = [\"gtx480\", \"v100\"]\n[options]\nsample = true\nsample_times = \"times\"\n"
      "[sweep]\nsample_part = [\"1/2\", \"2/2\"]\nmax_registers = [16, 32]\n");
  std::map<std::string, std::set<std::string>> partsOf;
  for (const Cell& cell : parts.cells) {
    const auto valueOf = [&](std::string_view name) {
      return std::find_if(cell.run.options.begin(), cell.run.options.end(), [&](const Setting& each) { return each.name == name; })->value;
    };
    partsOf[valueOf(kSampleTimes)].insert(valueOf(kSamplePart));
  }
  EXPECT_EQ(partsOf.size(), 4U) << "two machines, two numbers of registers";
  for (const auto& [folder, values] : partsOf) {
    EXPECT_TRUE(folder.starts_with(path("times/app-"))) << folder;
    EXPECT_EQ(values.size(), 2U);
  }
  const Plan whole = planned("machines = [\"v100\"]\n[options]\nsample = true\nsample_times = \"times\"\nmax_registers = 32\n");
  EXPECT_TRUE(partsOf.contains(whole.cells.at(0).run.options.at(2).value)) << "the run that puts the parts together";
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

// So many values are read upwards and then downwards: all are live between.
std::string ptxWith(const std::string& name, u32 values) {
  std::string loads, upwards, downwards;
  for (u32 i = 1; i <= values; ++i) {
    loads += fmt::format("ld.global.u32 %r{}, [%rd1+{}];\n", i, 4 * i);
    upwards += fmt::format("mad.lo.u32 %r0, %r0, %r0, %r{};\n", i);
    downwards = fmt::format("mad.lo.u32 %r0, %r0, %r0, %r{};\n", i) + downwards;
  }
  return fmt::format(
      ".visible .entry {}(.param .u64 p) {{\n.reg .b64 %rd<2>;\n.reg .b32 %r<{}>;\nld.param.u64 %rd1, [p];\nmov.u32 %r0, 3;\n{}{}{}"
      "st.global.u32 [%rd1], %r0;\nret;\n}}\n",
      name, values + 1, loads, upwards, downwards);
}

TEST_F(PlanTest, EveryNumberOfRegistersFromBaseToMinimum) {
  write("app", ".version 7.0\n.target sm_20\n.address_size 64\n" + ptxWith("large", 24) + ptxWith("little", 12));
  const auto numbersOf = [&](const std::string& kernels) {
    const std::string text = "programs = [{ run = \"./app\"" + kernels +
                             " }]\nmetrics = [\"launches\"]\nmachines = [\"fermi-avc\"]\n[sweep]\nmax_registers = \"base..minimum\"\n";
    Mistakes mistakes;
    const Plan whole = plan(parseExperiment(text, path("e.toml"), mistakes), {.version = "0", .revision = "r"}, mistakes);
    for (const Error& each : mistakes.found()) ADD_FAILURE() << each.what();
    std::vector<u32> numbers;
    for (const Cell& cell : whole.cells) {
      EXPECT_EQ(cell.run.options, cell.parameters);
      numbers.push_back(static_cast<u32>(std::stoul(cell.parameters.at(0).value)));
    }
    return numbers;
  };
  const std::string file = path("app");
  const config::Machine machine = config::loadMachine("fermi-avc");
  u32 minimum = 0;
  std::map<std::string, u32> base;
  for (const runtime::CodeUnit& unit : runtime::codeUnits(file, machine))
    for (const auto& kernel : compiler::reportRegisters(runtime::parseUnit(unit), runtime::optionsFor(unit, machine, isa::kMaxRegisters))) {
      base[kernel.name] = kernel.base;
      minimum = std::max(minimum, kernel.minimum);
    }
  ASSERT_GT(base["large"], base["little"] + 4);
  ASSERT_GT(base["little"], minimum);
  for (const auto& [kernels, first] : {std::pair{"", base["large"]}, std::pair{", kernels = [\"little\"]", base["little"]}}) {
    const std::vector<u32> numbers = numbersOf(kernels);
    ASSERT_EQ(numbers.size(), first - minimum + 1);
    EXPECT_EQ(numbers.front(), first);
    EXPECT_EQ(numbers.back(), minimum);
  }
}

TEST_F(PlanTest, ProgramsWithoutDeviceCodeHaveNoRegistersToCount) {
  fs::copy_file("/bin/true", path("app"), fs::copy_options::overwrite_existing);
  Mistakes mistakes;
  plan(parseExperiment(
           "programs = [\"./app\"]\nmetrics = [\"launches\"]\nmachines = [\"gtx480\"]\n[sweep]\nmax_registers = \"base..minimum\"\n",
           path("e.toml"), mistakes),
       {.version = "0", .revision = "r"}, mistakes);
  ASSERT_EQ(mistakes.found().size(), 1U);
  EXPECT_NE(mistakes.found()[0].message().find("holds no device code"), std::string::npos);
  EXPECT_EQ(mistakes.found()[0].where().text(), path("e.toml") + ":1:13");
}

TEST_F(PlanTest, AddressesOf32BitsHaveProgramsOfTheirOwn) {
  for (const char* folder : {"w", "w/m32"}) {
    fs::create_directory(path(folder));
    write(std::string(folder) + "/app", std::string("#!/bin/sh\n# ") + folder);
    fs::permissions(path(std::string(folder) + "/app"), fs::perms::owner_exec, fs::perm_options::add);
  }
  setenv("WARPWRIGHT_WORKLOADS", path("w").c_str(), 1);
  Mistakes mistakes;
  const Plan whole =
      plan(parseExperiment("programs = [\"app\"]\nmetrics = [\"launches\"]\nmachines = [\"gtx480\"]\n[sweep]\naddress_bits = [32, 64]\n",
                           path("e.toml"), mistakes),
           {.version = "0", .revision = "r"}, mistakes);
  fs::remove(path("w/m32/app"));
  plan(parseExperiment("programs = [\"app\"]\nmetrics = [\"launches\"]\nmachines = [\"gtx480\"]\n[options]\naddress_bits = 32\n",
                       path("e.toml"), mistakes),
       {.version = "0", .revision = "r"}, mistakes);
  unsetenv("WARPWRIGHT_WORKLOADS");
  ASSERT_EQ(whole.cells.size(), 2U);
  EXPECT_EQ(whole.cells[0].run.program, path("w/m32/app"));
  EXPECT_EQ(whole.cells[1].run.program, path("w/app"));
  EXPECT_NE(whole.cells[0].run.programHash, whole.cells[1].run.programHash);
  ASSERT_EQ(mistakes.found().size(), 1U) << "none of the first plan";
}

TEST_F(PlanTest, CommandsRepeatTheRun) {
  const Plan whole = planned("machines = [\"gtx480\"]\n[sweep]\n\"l1d.hit_latency\" = [20]\nfunctional = [true]\n");
  EXPECT_EQ(whole.cells.at(0).run.command,
            "warpwright run --machine gtx480 --set l1d.hit_latency=20 --functional " + path("app") + " " + path("in.bin") + " in.bin");
}

// Programs and machines of `warpwright spe`.
Plan plannedForSpes(const std::string& rest, Mistakes& mistakes) {
  return plan(parseExperiment("metrics = [\"spe.cycles\"]\n" + rest, "e.toml", mistakes), {.version = "0", .revision = "r"}, mistakes);
}

TEST(SpePlan, TakesProgramsMachinesKeysAndSweeps) {
  Mistakes mistakes;
  const Plan whole = plannedForSpes(
      "programs = [\"spe:transpose\", { run = \"spe:vector-matrix\", name = \"vm\" }]\n"
      "machines = [\"spe:sams\", { machine = \"spe:original\", name = \"late\", set = { \"spe.fetches_ahead\" = 0 } }]\n"
      "[sweep]\n\"spe.order\" = [\"program\", \"scheduled\"]\n",
      mistakes);
  EXPECT_TRUE(mistakes.empty());
  EXPECT_EQ(whole.cells.size(), 8U);
  std::set<std::string> keys;
  for (const Cell& cell : whole.cells) keys.insert(cell.run.key);
  EXPECT_EQ(keys.size(), 8U) << "each program on each machine is a run of its own";
  const RunSpec& last = whole.cells.back().run;
  EXPECT_EQ(last.program, "spe:vector-matrix");
  EXPECT_EQ(last.machine, "spe:original");
  EXPECT_NE(last.configuration.find("fetches_ahead = 0"), std::string::npos) << last.configuration;
  EXPECT_NE(last.configuration.find("order = \"scheduled\""), std::string::npos) << last.configuration;
  EXPECT_TRUE(last.command.starts_with("warpwright spe run vector-matrix --spe original ")) << last.command;
  EXPECT_NE(last.command.find("--set spe.fetches_ahead=0"), std::string::npos) << last.command;
}

TEST(SpePlan, RefusesWhatDoesNotGoTogether) {
  const auto mistakesOf = [](const std::string& rest) {
    Mistakes mistakes;
    plannedForSpes(rest, mistakes);
    std::string text;
    for (const Error& each : mistakes.found()) text += std::string(each.what()) + "\n";
    return text;
  };
  EXPECT_NE(mistakesOf("programs = [\"spe:transpose\"]\nmachines = [\"gtx480\"]\n").find("'gtx480' is a GPU"), std::string::npos);
  EXPECT_NE(mistakesOf("programs = [\"spe:transpos\"]\nmachines = [\"spe:sams\"]\n").find("did you mean 'transpose'?"), std::string::npos);
  EXPECT_NE(mistakesOf("programs = [\"spe:transpose\"]\nmachines = [\"spe:sam\"]\n").find("did you mean 'sams'?"), std::string::npos);
  EXPECT_NE(mistakesOf("programs = [\"spe:transpose\"]\nmachines = [\"spe:sams\"]\n[options]\nmax_registers = 16\n")
                .find("no option 'max_registers'"),
            std::string::npos);
  EXPECT_NE(mistakesOf("programs = [{ run = \"spe:transpose\", arguments = [\"--n\"] }]\nmachines = [\"spe:sams\"]\n")
                .find("takes no argument '--n'"),
            std::string::npos);
  EXPECT_NE(mistakesOf("programs = [\"spe:transpose\"]\nmachines = [\"spe:sams\"]\n[sweep]\n\"spe.fetches_ahead\" = [9]\n").find("0 to 4"),
            std::string::npos);
  EXPECT_NE(mistakesOf("programs = [\"spe:transpose\"]\nmachines = [\"spe:sams\"]\n[sweep]\n\"l1d.ways\" = [4]\n").find("l1d.ways"),
            std::string::npos);
}

}  // namespace
}  // namespace warpwright::lab
