#include "lab/experiment/experiment.hpp"

#include <gtest/gtest.h>

#include "lab/experiment/run_options.hpp"

namespace warpwright::lab {
namespace {

std::vector<std::string> mistakesIn(const std::string& text) {
  Mistakes mistakes;
  parseExperiment(text, "e.toml", mistakes);
  std::vector<std::string> texts;
  for (const Error& each : mistakes.found()) texts.emplace_back(each.what());
  return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(Experiment, IsRead) {
  Mistakes mistakes;
  const Experiment experiment = parseExperiment(R"toml(
name = "x"
size = "small"
programs = ["saxpy", { run = "./app", name = "mine", arguments = ["-n", 3], kernels = ["f"] }]
machines = ["v100", { machine = "gtx480", name = "big", set = { "l1d.ways" = 8, sm.warp_size = 32 } }]
metrics = ["timing.counters.cycles"]
rows = "program"
[sweep]
max_registers = [16, 32]
"--seed" = [1, 2, 3]
[options]
check = "races"
[baseline]
machine = "big"
max_registers = 32
)toml",
                                                "x.toml", mistakes);
  for (const Error& each : mistakes.found()) ADD_FAILURE() << each.what();
  ASSERT_EQ(experiment.programs.size(), 2U);
  EXPECT_EQ(experiment.programs[0].arguments, (std::vector<std::string>{"--size", "small"}));
  EXPECT_EQ(experiment.programs[1].label, "mine");
  EXPECT_EQ(experiment.programs[1].application, "app");
  EXPECT_EQ(experiment.programs[1].arguments, (std::vector<std::string>{"-n", "3"}));
  EXPECT_EQ(experiment.machines[1].settings, (Settings{{"l1d.ways", "8"}, {"sm.warp_size", "32"}}));
  ASSERT_EQ(experiment.sweeps.size(), 2U);
  EXPECT_EQ(experiment.sweeps[0].values.size() * experiment.sweeps[1].values.size(), 6U);
  EXPECT_EQ(experiment.baseline.size(), 2U);
  EXPECT_FALSE(experiment.byKernel);
}

TEST(Experiment, ASweepFromBaseToMinimumIsAWord) {
  const std::string begin = "programs = [\"a\"]\nmachines = [\"m\"]\nmetrics = [\"launches\"]\n[sweep]\n";
  const std::string range = begin + "max_registers = \"base..minimum\"\n[baseline]\nmax_registers = ";
  EXPECT_TRUE(mistakesIn(range + "32\n").empty());
  EXPECT_TRUE(has(mistakesIn(range + "256\n"), "a thread has at most 255 registers"));
  EXPECT_TRUE(has(mistakesIn(begin + "max_registers = \"base\"\n"), "remedy: write \"base..minimum\""));
  EXPECT_TRUE(has(mistakesIn(begin + "max_registers = [\"base..minimum\"]\n"), "is not a positive number"));
  EXPECT_TRUE(has(mistakesIn(begin + "interval = \"base..minimum\"\n"), "'interval' must be an array"));
}

TEST(Experiment, AllMistakesAreFoundAtOnceWithTheirPositions) {
  const auto found = mistakesIn(R"toml(programs = ["a", "a"]
machines = [{ machine = "m", set = { "l1d.way" = 1 } }]
metrics = ["timing.counters.cycle"]
weight = "row"
[sweep]
max_register = [1]
address_bits = [48]
[options]
spill_first = "nearest"
[baseline]
machin = "m"
[[columns]]
value = "1 +"
means = ["median"]
)toml");
  EXPECT_EQ(found.size(), 10U) << ::testing::PrintToString(found);
  EXPECT_TRUE(has(found, "e.toml:1:18: error: two programs are called 'a'"));
  EXPECT_TRUE(has(found, "e.toml:2:38: error: unknown key of a machine 'l1d.way'\n  remedy: did you mean 'l1d.ways'?"));
  EXPECT_TRUE(has(found, "e.toml:3:12: error: unknown metric 'timing.counters.cycle'\n  remedy: did you mean 'timing.counters.cycles'?"));
  EXPECT_TRUE(has(found, "e.toml:4:1: error: unknown key 'weight'\n  remedy: did you mean 'weights'?"));
  EXPECT_TRUE(has(found, "e.toml:6:1: error: unknown parameter 'max_register'\n  remedy: did you mean 'max_registers'?"));
  EXPECT_TRUE(has(found, "e.toml:7:17: error: address_bits: addresses have 32 or 64 bits, not 48"));
  EXPECT_TRUE(has(found, "e.toml:9:15: error: spill_first"));
  EXPECT_TRUE(has(found, "e.toml:11:1: error: unknown axis 'machin'"));
  EXPECT_TRUE(has(found, "e.toml:13:9: error: '1 +'"));
  EXPECT_TRUE(has(found, "e.toml:14:9: error: unknown mean 'median'"));
}

TEST(Experiment, NothingThatIsWrittenIsPassedOver) {
  const auto found = mistakesIn(R"toml(size = "tset"
programs = ["a", { run = "b", size = "huge" }, { run = "./c", size = "huge" }]
machines = [{ machine = "m", set = "l1d.ways=4" }]
metrics = ["timing.counters.cycles", "timing.counters.cycles"]
[sweep]
max_registers = [16, 32, 16]
[columns]
name = "twice"
)toml");
  EXPECT_EQ(found.size(), 6U) << ::testing::PrintToString(found);
  EXPECT_TRUE(has(found, "e.toml:1:8: error: unknown size 'tset'\n  remedy: did you mean 'test'?"));
  EXPECT_TRUE(has(found, "e.toml:2:38: error: unknown size 'huge'\n  remedy: one of test, small, paper"));
  EXPECT_TRUE(has(found, "e.toml:3:36: error: 'set' is a table"));
  EXPECT_TRUE(has(found, "e.toml:4:38: error: two columns are called 'timing.counters.cycles'"));
  EXPECT_TRUE(has(found, "e.toml:6:26: error: 'max_registers' has the value 16 twice"));
  EXPECT_TRUE(has(found, "e.toml:7:1: error: 'columns' must be an array of tables\n  remedy: write each as [[columns]]"));
}

TEST(Experiment, KernelsOfInterestAreCalledByTheirNames) {
  EXPECT_TRUE(isCalled("f", "f"));
  EXPECT_TRUE(isCalled("f(float*)", "f"));
  EXPECT_TRUE(isCalled("f #2", "f"));
  EXPECT_FALSE(isCalled("fg", "f"));
}

TEST(Experiment, SyntaxHasAPosition) { EXPECT_TRUE(has(mistakesIn("name = \n"), "e.toml:1:")); }

TEST(Experiment, RefusesWhatItDoesNotSay) {
  const auto found = mistakesIn("name = \"x\"");
  EXPECT_TRUE(has(found, "'programs' is missing"));
  EXPECT_TRUE(has(found, "'machines' is missing"));
  EXPECT_TRUE(has(found, "neither 'metrics' nor 'columns'"));
}

TEST(Experiment, RefusesABaselineThatIsNotThere) {
  constexpr const char* kText = R"toml(
programs = ["a"]
machines = ["m"]
[[columns]]
value = "baseline.timing.counters.cycles / timing.counters.cycles"
)toml";
  EXPECT_TRUE(has(mistakesIn(kText), "there is none\n  remedy: add a section [baseline]"));
  EXPECT_TRUE(has(mistakesIn(kText + std::string("[baseline]\nmachine = \"n\"")), "unknown value of 'machine' 'n'"));
  EXPECT_TRUE(mistakesIn(kText + std::string("[baseline]\nmachine = \"m\"")).empty());
}

TEST(Experiment, RefusesToSumRatiosOverKernels) {
  constexpr const char* kText = R"toml(
programs = ["a"]
machines = ["m"]
rows = "program"
metrics = ["timing.figures.active"]
)toml";
  EXPECT_TRUE(has(mistakesIn(kText), "'timing.figures.active' is no counter"));
}

TEST(RunOptions, BecomeWordsOfTheCommand) {
  EXPECT_EQ(wordsOf({{"max_registers", "16"}, {"functional", "true"}, {"interval", "500"}}, "s.csv"),
            (std::vector<std::string>{"--max-registers", "16", "--functional", "--interval", "500", "--series", "s.csv"}));
  EXPECT_EQ(wordsOf({{"pc_histogram", "0:3"}, {"pc_interval", "64"}}, "s.csv"),
            (std::vector<std::string>{"--pc-histogram", "0:3", "--pc-interval", "64"}));
  EXPECT_TRUE(wordsOf({{"functional", "false"}}, "s.csv").empty());
}

}  // namespace
}  // namespace warpwright::lab
