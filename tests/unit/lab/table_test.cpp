#include "lab/analysis/table.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/analysis/compare.hpp"
#include "lab/analysis/print.hpp"
#include "lab/store/kernel_rows.hpp"
#include "machines/metrics.hpp"
#include "unit/lab/temporary_file.hpp"

namespace warpwright::lab {
namespace {

using machines::isCounter, machines::isMetric;

TEST(Metrics, AreThoseOfTheProfilesJson) {
  for (const char* name : {"timing.counters.cycles", "counters.spills.warp_loads", "timing.figures.active", "registers_per_thread",
                           "timing.counters.gpu.sm.slots.issued"})
    EXPECT_TRUE(isMetric(name)) << name;
  EXPECT_FALSE(isMetric("timing.counters.cycle"));
  EXPECT_FALSE(isMetric("timing.counters"));
}

TEST(Metrics, KnowBinsOfHistograms) {
  EXPECT_TRUE(isMetric("counters.shared.loads.degree.bins.7"));
  EXPECT_FALSE(isMetric("counters.shared.bins.7"));
}

TEST(Metrics, TellCountersFromRatios) {
  EXPECT_TRUE(isCounter("timing.counters.cycles"));
  EXPECT_TRUE(isCounter("launches"));
  EXPECT_FALSE(isCounter("timing.figures.active"));
  EXPECT_FALSE(isCounter("registers_per_thread"));
  EXPECT_FALSE(isCounter("counters.shared.loads.degree.mean"));
}

TEST(Means, FollowTheirDefinitions) {
  const std::vector<double> values = {1, 2, 4}, alike = {1, 1, 1};
  EXPECT_DOUBLE_EQ(*meanOf(Mean::arithmetic, values, alike), 7.0 / 3);
  EXPECT_DOUBLE_EQ(*meanOf(Mean::geometric, values, alike), 2);
  EXPECT_DOUBLE_EQ(*meanOf(Mean::harmonic, values, alike), 3 / 1.75);
  EXPECT_DOUBLE_EQ(*meanOf(Mean::arithmetic, values, {0.5, 0.5, 1}), 2.75);
}

TEST(Means, AreNotDefinedForEverything) {
  EXPECT_EQ(meanOf(Mean::arithmetic, {}, {}), std::nullopt);
  EXPECT_EQ(meanOf(Mean::geometric, {1, 0}, {1, 1}), std::nullopt);
  EXPECT_EQ(meanOf(Mean::harmonic, {1, -1}, {1, 1}), std::nullopt);
}

constexpr const char* kExperiment = R"toml(
name = "made-up"
programs = ["one", "two"]
machines = ["a", "b"]
weights = "application"
[baseline]
machine = "a"
[[columns]]
name = "cycles"
value = "timing.counters.cycles"
means = ["arithmetic"]
[[columns]]
name = "speedup"
value = "baseline.cycles / cycles"
means = ["geometric"]
)toml";

std::string kernelJson(const std::string& name, u64 cycles) {
  return nlohmann::json{{"name", name},
                        {"signature", name + "(int)"},
                        {"lines", nlohmann::json::array()},
                        {"timing", {{"counters", {{"cycles", cycles}}}, {"lines", nlohmann::json::array()}}}}
      .dump();
}

// A store with the runs of kExperiment: "one" has two kernels, "two" has one.
class TableTest : public ::testing::Test {
 protected:
  Id fill(Store& store, u64 cyclesOfTwoOnB) {
    Mistakes mistakes;
    Plan plan{parseExperiment(kExperiment, "made-up.toml", mistakes), {.version = "0", .revision = "r"}, {}, "plan"};
    EXPECT_TRUE(mistakes.empty());
    for (const char* program : {"one", "two"})
      for (const char* machine : {"a", "b"}) {
        RunSpec run{.key = std::string(program) + machine, .program = program, .programHash = program, .machine = machine};
        run.configurationHash = machine;
        plan.cells.push_back({run, program, program, machine, {}});
      }
    const Id experiment = store.add(plan);
    const std::vector<std::string> kernels = {kernelJson("f", 100) + "," + kernelJson("g", 10),
                                              kernelJson("f", 50) + "," + kernelJson("g", 10), kernelJson("h", 40),
                                              kernelJson("h", cyclesOfTwoOnB)};
    for (const std::string& each : kernels) {
      const std::optional<Id> run = store.claim(experiment, "me");
      store.finish(*run, "me", {.profile = R"({"kernels": [)" + each + "]}"});
    }
    return experiment;
  }

  TemporaryFile file_;
};

TEST_F(TableTest, ComparesWithTheBaselineAndWeighsApplicationsAlike) {
  Store store(file_.path(), {.access = Access::create});
  fill(store, 10);
  const Table table = tableOf(store, store.find(""));
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(table.rows[2].kernel, "f");
  EXPECT_EQ(table.rows[2].machine, "b");
  EXPECT_EQ(table.rows[2].values, (std::vector<Value>{50, 2}));
  EXPECT_EQ(table.rows[5].values, (std::vector<Value>{10, 4}));
  ASSERT_EQ(table.means.size(), 4U);
  // Kernels f (50) and g (10) weigh a half each, h (10) one.
  EXPECT_DOUBLE_EQ(*table.means[1].values[0], (0.5 * 50 + 0.5 * 10 + 10) / 2);
  EXPECT_NEAR(*table.means[3].values[1], std::sqrt(std::sqrt(2.0) * 4), 1e-12);
}

// What a kernel has not counted is not zero.
TEST_F(TableTest, ASumOverKernelsNeedsTheCounterOfEach) {
  constexpr const char* kByProgram = R"toml(
name = "sums"
rows = "program"
programs = ["one", "two"]
machines = ["a"]
[[columns]]
name = "cycles"
value = "timing.counters.cycles"
)toml";
  Store store(file_.path(), {.access = Access::create});
  Mistakes mistakes;
  Plan plan{parseExperiment(kByProgram, "sums.toml", mistakes), {.version = "0", .revision = "r"}, {}, "plan"};
  ASSERT_TRUE(mistakes.empty());
  for (const char* program : {"one", "two"}) {
    RunSpec run{.key = program, .program = program, .programHash = program, .machine = "a"};
    run.configurationHash = "a";
    plan.cells.push_back({run, program, program, "a", {}});
  }
  const Id experiment = store.add(plan);
  const std::string untimed = R"json({"name": "g", "signature": "g", "lines": []})json";
  for (const std::string& each : {kernelJson("f", 100) + "," + kernelJson("h", 10), kernelJson("f", 100) + "," + untimed}) {
    const std::optional<Id> run = store.claim(experiment, "me");
    store.finish(*run, "me", {.profile = R"({"kernels": [)" + each + "]}"});
  }
  const Table table = tableOf(store, store.find(""));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].values, (std::vector<Value>{110}));
  EXPECT_EQ(table.rows[1].values, (std::vector<Value>{std::nullopt}));
}

TEST_F(TableTest, IsWrittenAsCsvAndJson) {
  Store store(file_.path(), {.access = Access::create});
  fill(store, 10);
  const Table table = tableOf(store, store.find("made-up"));
  EXPECT_TRUE(asCsv(table).starts_with("program,application,kernel,machine,state,message,cycles,speedup\none,one,f,a,done,,100,1\n"));
  const nlohmann::json json = nlohmann::json::parse(asJson(table));
  EXPECT_EQ(json["rows"][2]["values"]["speedup"], 2.0);
  EXPECT_EQ(json["means"].size(), 4U);
}

TEST_F(TableTest, SaysWhichKernelsItLooksForInVain) {
  Store store(file_.path(), {.access = Access::create});
  const std::string text = "programs = [{ run = \"one\", kernels = [\"f\", \"nothing\"] }]\nmachines = [\"a\"]\nmetrics = [\"launches\"]\n";
  Mistakes mistakes;
  Plan plan{parseExperiment(text, "named.toml", mistakes), {.version = "0", .revision = "r"}, {}, "plan"};
  plan.cells.push_back({{.key = "k"}, "one", "one", "a", {}});
  const Id experiment = store.add(plan);
  EXPECT_TRUE(tableOf(store, store.find("")).remarks.empty());
  store.finish(*store.claim(experiment, "me"), "me",
               {.profile = R"({"kernels": [)" + kernelJson("f", 1) + "," + kernelJson("g", 1) + "]}"});
  const Table table = tableOf(store, store.find(""));
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.remarks, std::vector<std::string>{"'one' launched no kernel called 'nothing'; it launched f, g"});
  EXPECT_NE(asText(table).find("note: 'one' launched no kernel called 'nothing'"), std::string::npos);
}

// Rows are found by their labels, those of the baseline too.
TEST(KernelRows, HaveLabelsOfTheirOwn) {
  const auto kernel = [](const std::string& name, const std::string& signature) {
    return nlohmann::json{{"name", name}, {"signature", signature}, {"lines", nlohmann::json::array()}}.dump();
  };
  const std::string profile = R"({"kernels": [)" + kernel("a", "over(int*)") + "," + kernel("b", "over(float*)") + "," +
                              kernel("c", "void (anonymous namespace)::tmpl<(Op)1>(int*)") + "," + kernel("d", "plain") + "," +
                              kernel("d", "plain") + "]}";
  std::vector<std::string> labels;
  for (const KernelRow& row : kernelRows(profile)) labels.push_back(row.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"over(int*)", "over(float*)", "(anonymous namespace)::tmpl<(Op)1>", "plain", "plain #2"}));
}

TEST_F(TableTest, OfUnfinishedRunsSaysSo) {
  Store store(file_.path(), {.access = Access::create});
  Mistakes mistakes;
  Plan plan{parseExperiment(kExperiment, "made-up.toml", mistakes), {.version = "0", .revision = "r"}, {}, "plan"};
  plan.cells.push_back({{.key = "k"}, "one", "one", "a", {}});
  store.add(plan);
  EXPECT_NE(asText(tableOf(store, store.find(""))).find("waiting"), std::string::npos);
}

TEST_F(TableTest, ComparisonTakesRunsWithoutStatisticsForWhatTheyAre) {
  Store store(file_.path(), {.access = Access::create});
  Mistakes mistakes;
  Plan plan{parseExperiment(kExperiment, "made-up.toml", mistakes), {.version = "0", .revision = "r"}, {}, "plan"};
  plan.cells.push_back({{.key = "k"}, "one", "one", "a", {}});
  store.add(plan);
  const Comparison found = compare(store, store.find(""), store, store.find(""));
  EXPECT_EQ(found.same, 0U);
  EXPECT_EQ(found.without, 1U);
  EXPECT_NE(asText(found, 0).find("1 runs have no statistics in either"), std::string::npos);
}

TEST_F(TableTest, ComparisonNamesWhatDiffers) {
  const TemporaryFile other;
  Store left(file_.path(), {.access = Access::create}), right(other.path(), {.access = Access::create});
  fill(left, 10);
  fill(right, 15);
  const Comparison same = compare(left, left.find(""), left, left.find(""));
  EXPECT_TRUE(same.changes.empty());
  EXPECT_EQ(same.same, 4U);
  EXPECT_EQ(same.without, 0U);
  const Comparison found = compare(left, left.find(""), right, right.find(""));
  EXPECT_EQ(found.same, 3U);
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].point, "two on b");
  EXPECT_EQ(found.changes[0].kernel, "h");
  ASSERT_EQ(found.changes[0].metrics.size(), 1U);
  EXPECT_EQ(found.changes[0].metrics[0].metric, "timing.counters.cycles");
  EXPECT_EQ(found.changes[0].metrics[0].before, 10);
  EXPECT_EQ(found.changes[0].metrics[0].after, 15);
}

}  // namespace
}  // namespace warpwright::lab
