// Sections 3 and 5 of the affine vector cache study, computed from runs whose numbers are made up here.
#include "lab/reproduction/pressure.hpp"

#include <gtest/gtest.h>

#include "lab/experiment/experiment.hpp"

namespace warpwright::lab {
namespace {

// Two kernels of one application and one of another. Counts of registers, and from how many on a configuration holds all that is spilled.
struct Known {
  u32 base, minimum, cachedBy, cachedBy2;
};
const std::map<StudiedKernel, Known> kKernels = {
    {{"hotspot", "step"}, {40, 8, 30, 20}}, {{"srad", "first"}, {20, 10, 18, 17}}, {{"srad", "second"}, {64, 10, 50, 41}}};

u32 registersIn(const std::string& text) { return static_cast<u32>(std::stoul(text.substr(text.find("max_registers = [") + 17))); }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class PressureTest : public testing::Test {
 protected:
  std::optional<double> count(const std::string& program, const std::string& kernel, const std::string& name) const {
    if (kernel.empty() && name == "fermi32.minimum") return program == "hotspot" ? 8 : 10;
    const auto found = kKernels.find({program, kernel});
    if (found == kKernels.end()) return std::nullopt;
    return name == "fermi32.base" ? std::optional<double>(found->second.base) : std::nullopt;
  }

  // A table as the experiment's file asks for.
  Table run(const std::string& text) {
    Mistakes mistakes;
    const Experiment experiment = parseExperiment(text, "pressure.toml", mistakes);
    for (const Error& mistake : mistakes.found()) ADD_FAILURE() << mistake.what();
    texts.push_back(text);
    const u32 registers = registersIn(text);
    Table table;
    for (const Column& column : experiment.columns) table.columns.push_back(column.name);
    for (const auto& [kernel, known] : kKernels) {
      if (!has(text, "run = \"" + kernel.program + '"')) continue;
      const u32 cached = has(text, "name = \"2\"") ? known.cachedBy2 : known.cachedBy;
      const double traffic = registers >= cached ? 0.00009 : 0.0001;
      // fills, write-backs, traffic, cycles, energy; or affine, floats
      const bool isBaseline = has(text, "name = \"B\"");
      std::vector<Value> values = {0, 0, traffic, isBaseline ? 1200 : 1000, isBaseline ? 50.0 : 40.0};
      if (has(text, "name = \"classes\"")) values = {isWide(text) ? 70 : 60, 30};
      Row row;
      row.program = kernel.program;
      row.kernel = isWide(text) ? kernel.kernel + "32" : kernel.kernel;
      row.values = values;
      table.rows.push_back(row);
    }
    return table;
  }
  static bool isWide(const std::string& text) { return has(text, "\"--variant\", \"wide\""); }

  const Paper paper = loadPaper("000");
  std::vector<std::string> texts;  // of the experiments, in the order in which they were asked for
  Pressure pressure{[this](const auto&... names) { return count(names...); }, paper, "test",
                    [this](const std::string& text) { return run(text); }};
  const StudiedKernel step{"hotspot", "step"}, first{"srad", "first"}, second{"srad", "second"};
};

TEST_F(PressureTest, TheSmallestCachedNumberOfRegistersIsFoundByBisection) {
  for (const auto& [kernel, known] : kKernels) {
    EXPECT_EQ(pressure.value(kernel, "cache.B"), known.cachedBy) << kernel.kernel;
    EXPECT_EQ(pressure.value(kernel, "cache.2"), known.cachedBy2) << kernel.kernel;
  }
  for (const std::string& text : texts) EXPECT_GE(registersIn(text), has(text, "\"hotspot\"") ? 8U : 10U);
  EXPECT_LT(texts.size(), 2 * 3 * 8U) << "each number is tried once";
  EXPECT_EQ(pressure.value({"hotspot", "absent"}, "cache.B"), std::nullopt);
}

TEST_F(PressureTest, SharesOfRBaseAreRoundedAndNotBelowTheMinimum) {
  pressure.value(first, "affine.0.75");
  EXPECT_EQ(registersIn(texts.back()), 15U);
  pressure.value(first, "affine.0.25");
  EXPECT_EQ(registersIn(texts.back()), 10U);
  pressure.value(step, "affine.0.33");
  EXPECT_EQ(registersIn(texts.back()), 13U);
}

TEST_F(PressureTest, ClassesOfPrivateMemory) {
  EXPECT_EQ(pressure.value(step, "affine.0.5"), 60);
  EXPECT_EQ(pressure.value(step, "floats.0.5"), 30);
  EXPECT_EQ(pressure.value(step, "affine_wide.0.5"), 70);
  EXPECT_TRUE(has(texts.back(), "mechanism.memory-classes") && has(texts.back(), "address_bits = 32")) << texts.back();
}

TEST_F(PressureTest, GainsAreRelativeToTheBaseline) {
  EXPECT_NEAR(pressure.value(step, "speedup.0.5").value(), 20, 1e-9);  // 1200 to 1000 cycles
  EXPECT_NEAR(pressure.value(step, "energy.0.5").value(), 20, 1e-9);   // 50 to 40 nJ
  EXPECT_NEAR(pressure.value(step, "speedup.joint.0.5").value(), 20, 1e-9);
  EXPECT_TRUE(has(texts.back(), "mechanism.avc.joint_tags")) << texts.back();
}

TEST_F(PressureTest, ApplicationsWeighAlikeInMeans) {
  const std::vector<StudiedKernel> all = {step, first, second};
  // Ten registers for hotspot; one and nine, five in the mean, for srad.
  EXPECT_DOUBLE_EQ(pressure.mean(all, "gain.2").value(), 7.5);
  // What the baseline holds: ten; two and fourteen.
  EXPECT_DOUBLE_EQ(pressure.mean(all, "capacity.2").value(), 100 * 7.5 / 9);
  EXPECT_DOUBLE_EQ(pressure.mean(all, "cache.B").value(), (30 + (18 + 50) / 2.0) / 2);
  EXPECT_EQ(pressure.mean({{"hotspot", "absent"}}, "gain.2"), std::nullopt);
}

}  // namespace
}  // namespace warpwright::lab
