// Sections 3 and 5 of the affine vector cache study, computed from runs whose numbers are made up here.
#include "lab/reproduction/pressure.hpp"

#include <gtest/gtest.h>

#include "lab/experiment/experiment.hpp"

namespace warpwright::lab {
namespace {

// Two kernels of one application and one of another. Counts of registers, and the traffic of the baseline and of all other configurations,
// in accesses per 100,000 instructions, at the counts from the minimum on; the last number is that of all further counts.
struct Known {
  u32 base, minimum;
  std::vector<double> before, after;
};
const std::map<StudiedKernel, Known> kKernels = {
    {{"hotspot", "step"}, {18, 8, {400, 400, 100, 10, 9}, {208, 9, 40, 10, 0}}},  // after: 9 registers hold all, 10 and 11 do not
    {{"srad", "first"}, {16, 10, {50, 10, 10, 9}, {25, 10, 5}}},
    {{"srad", "second"}, {14, 10, {40, 0}, {40, 40, 40, 0}}},
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class PressureTest : public ::testing::Test {
 protected:
  std::optional<double> count(const std::string& program, const std::string& kernel, const std::string& name) const {
    if (kernel.empty() && name == "fermi32.minimum") return program == "hotspot" ? 8 : 10;
    const auto found = std::find_if(kKernels.begin(), kKernels.end(),
                                    [&](const auto& each) { return each.first.program == program && each.first.kernel == kernel; });
    if (found == kKernels.end()) return std::nullopt;
    return name == "fermi32.base" ? std::optional<double>(found->second.base) : std::nullopt;
  }

  // A table as the experiment's file asks for.
  Table run(const std::string& text) {
    Mistakes mistakes;
    const Experiment experiment = parseExperiment(text, "pressure.toml", mistakes);
    for (const Error& mistake : mistakes.found()) ADD_FAILURE() << mistake.what() << text;
    texts.push_back(text);
    Table table;
    for (const Column& column : experiment.columns) table.columns.push_back(column.name);
    const bool isBaseline = has(text, "name = \"B");
    for (const auto& [kernel, known] : kKernels) {
      if (!has(text, "run = \"" + kernel.program + '"')) continue;
      for (const std::string& registers : experiment.sweeps.at(0).values) {
        Row row;
        row.program = kernel.program;
        row.kernel = has(text, "wide\"") ? kernel.kernel + "32" : kernel.kernel;
        row.parameters = {{kMaxRegisters, registers}};
        const std::vector<double>& traffic = isBaseline ? known.before : known.after;
        const std::size_t place = std::min<std::size_t>(std::stoul(registers) - known.minimum, traffic.size() - 1);
        const std::map<std::string, double> values = {{"traffic", traffic[place] / 100'000},
                                                      {"cycles", isBaseline ? 1200 : 1000},
                                                      {"dram", isBaseline ? 800 : 200},
                                                      {"energy", isBaseline ? 50 : 40},
                                                      {"energy_low", isBaseline ? 20 : 22},
                                                      {"energy_high", isBaseline ? 100 : 70},
                                                      {"affine", has(text, "wide\"")         ? 70
                                                                 : has(text, "affine_first") ? 90
                                                                                             : 60},
                                                      {"floats", 30}};
        for (const std::string& column : table.columns) {
          const auto found = values.find(column);
          row.values.push_back(found == values.end() ? Value(0) : Value(found->second));
        }
        table.rows.push_back(row);
      }
    }
    return table;
  }

  std::string registersAsked() const {
    const std::string& text = texts.back();
    const std::size_t begin = text.find("max_registers = [") + 17;
    return text.substr(begin, text.find(']', begin) - begin);
  }

  const Paper paper = loadPaper("000");
  std::vector<std::string> texts;  // of the experiments, in the order in which they were asked for
  Pressure pressure{[this](const auto&... names) { return count(names...); }, paper, "test",
                    [this](const std::string& text) { return run(text); }};
  const StudiedKernel step{"hotspot", "step"}, first{"srad", "first"}, second{"srad", "second"};
};

TEST_F(PressureTest, TheSmallestCachedNumberOfRegistersIsFoundAmongAll) {
  EXPECT_EQ(pressure.value(step, "cache.B"), 12);
  EXPECT_EQ(pressure.value(step, "cache.2"), 9) << "though ten and eleven have more traffic";
  EXPECT_EQ(pressure.value(first, "cache.B"), 13);
  EXPECT_EQ(pressure.value(first, "cache.2"), 12);
  EXPECT_EQ(pressure.value(second, "cache.2"), 13);
  EXPECT_EQ(registersAsked(), "10, 11, 12, 13, 14");
  EXPECT_EQ(pressure.value({"hotspot", "absent"}, "cache.B"), std::nullopt);
}

TEST_F(PressureTest, NothingIsCachedWhereNoNumberSuffices) {
  const StudiedKernel never{"srad", "first"};
  Pressure leaking([this](const auto&... names) { return count(names...); }, paper, "test",
                   [this](const std::string& text) {
                     Table table = run(text);
                     for (Row& row : table.rows) row.values.assign(row.values.size(), 1.0);
                     return table;
                   });
  EXPECT_EQ(leaking.value(never, "cache.B"), std::nullopt);
}

TEST_F(PressureTest, TrafficIsComparedAtEqualRegisters) {
  // 8 … 18 registers: 400 + 400 + 100 + 10 + 7 x 9, and 208 + 9 + 40 + 10.
  EXPECT_DOUBLE_EQ(pressure.value(step, "ratio.2").value(), 267.0 / 973);
  EXPECT_DOUBLE_EQ(pressure.value(second, "ratio.2").value(), 3);
  // 50 + 2 x 10 + 4 x 9, and 25 + 10 + 5 x 5.
  EXPECT_DOUBLE_EQ(pressure.value(first, "ratio.2").value(), 60.0 / 106);
  // Of the second of srad: 40, and 3 x 40.
  EXPECT_DOUBLE_EQ(pressure.mean({step, first, second}, "ratio.2").value(), (267 + (60 + 120) / 2.0) / (973 + (106 + 40) / 2.0));
}

TEST_F(PressureTest, TrafficIsCountedOnTheFirstBlocksOfTheInputThatThePaperNames) {
  pressure.value(step, "cache.2");
  EXPECT_TRUE(has(texts.back(), "sample_blocks = 1") && !has(texts.back(), "--variant")) << texts.back();
  Pressure withInput([](const auto&...) { return 10; }, paper, "test", [this](const std::string& text) { return run(text); });
  withInput.value({"fdtd3d", "finiteDifferences3D"}, "cache.2");
  EXPECT_TRUE(has(texts.back(), "\"--variant\", \"whole\"")) << texts.back();
  withInput.value({"fdtd3d", "finiteDifferences3D"}, "speedup.0.5");
  EXPECT_TRUE(!has(texts.back(), "--variant") && !has(texts.back(), "sample_blocks")) << texts.back();
}

TEST_F(PressureTest, SharesOfRBaseAreRoundedAndNotBelowTheMinimum) {
  pressure.value(first, "affine.0.78");
  EXPECT_EQ(registersAsked(), "12");
  pressure.value(first, "affine.0.25");
  EXPECT_EQ(registersAsked(), "10");
  pressure.value(step, "affine.0.75");
  EXPECT_EQ(registersAsked(), "14");
}

TEST_F(PressureTest, ClassesOfPrivateMemory) {
  EXPECT_EQ(pressure.value(step, "affine.0.5"), 60);
  EXPECT_EQ(pressure.value(step, "floats.0.5"), 30);
  EXPECT_EQ(pressure.value(step, "affine_wide.0.5"), 70);
  EXPECT_TRUE(has(texts.back(), "mechanism.memory-classes") && has(texts.back(), "address_bits = 32")) << texts.back();
  EXPECT_TRUE(has(texts.back(), "\"--variant\", \"wide\"")) << texts.back();
  pressure.value({"hotspot", "step", "control"}, "affine_wide.0.5");
  EXPECT_TRUE(has(texts.back(), "\"--variant\", \"control-wide\"")) << texts.back();
  EXPECT_EQ(pressure.value(step, "affine_first.0.5"), 90);
  EXPECT_TRUE(has(texts.back(), "spill_first = \"affine\"")) << texts.back();
}

TEST_F(PressureTest, GainsAreRelativeToTheBaseline) {
  EXPECT_NEAR(pressure.value(step, "speedup.0.5").value(), 20, 1e-9);      // 1200 to 1000 cycles
  EXPECT_NEAR(pressure.value(step, "energy.0.5").value(), 20, 1e-9);       // 50 to 40 J
  EXPECT_NEAR(pressure.value(step, "energy_low.0.5").value(), -10, 1e-9);  // 20 to 22 J
  EXPECT_NEAR(pressure.value(step, "energy_high.0.5").value(), 30, 1e-9);  // 100 to 70 J
  EXPECT_TRUE(has(texts.back(), "energy = \"40nm\"")) << texts.back();
  EXPECT_NEAR(pressure.value(step, "dram.0.5").value(), 0.25, 1e-9);  // 800 to 200 bytes
  EXPECT_NEAR(pressure.value(step, "speedup.joint.0.5").value(), 20, 1e-9);
  EXPECT_TRUE(has(texts.back(), "mechanism.avc.joint_tags")) << texts.back();
  EXPECT_FALSE(has(texts.back(), "spill_first")) << texts.back();
  EXPECT_NEAR(pressure.value(step, "dram.affine_first.0.5").value(), 0.25, 1e-9);
  EXPECT_TRUE(has(texts.back(), "spill_first = \"affine\"")) << texts.back();
}

TEST_F(PressureTest, AMachineMayHaveABaselineOfItsOwn) {
  pressure.value(step, "speedup.share.0.5");
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_TRUE(has(texts[0], "name = \"B_share\"")) << texts[0];
  for (const std::string& text : texts) EXPECT_TRUE(has(text, "\"dram.t_ccd\" = 5")) << text;
}

TEST_F(PressureTest, ApplicationsWeighAlikeInMeans) {
  const std::vector<StudiedKernel> all = {step, first, second};
  // Three registers for hotspot; one and minus two, minus a half in the mean, for srad.
  EXPECT_DOUBLE_EQ(pressure.mean(all, "gain.2").value(), 1.25);
  // What the baseline holds: six; three and three.
  EXPECT_DOUBLE_EQ(pressure.mean(all, "capacity.2").value(), 100 * 1.25 / 4.5);
  EXPECT_DOUBLE_EQ(pressure.mean(all, "cache.B").value(), (12 + (13 + 11) / 2.0) / 2);
  EXPECT_EQ(pressure.mean({{"hotspot", "absent"}}, "gain.2"), std::nullopt);
}

}  // namespace
}  // namespace warpwright::lab
