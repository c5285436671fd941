#include "energy/calibration.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"

namespace warpwright::energy {
namespace {

// Micro-benchmarks that each stress one component and touch the others; measured power is that of the model times `factors`, and off by up
// to `noise` of it either way.
Measurements synthetic(const std::vector<double>& factors, int benchmarks, double noise) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0.5, 2), off(-noise, noise);
  Measurements result;
  for (std::size_t i = 0; i < factors.size(); ++i) result.components.push_back("unit" + std::to_string(i));
  for (int b = 0; b < benchmarks; ++b) {
    Measurement row{"bench" + std::to_string(b), 0, {}};
    for (std::size_t i = 0; i < factors.size(); ++i) {
      row.modelled.push_back(share(random) * (static_cast<std::size_t>(b) % factors.size() == i ? 20 : 2));
      row.watts += factors[i] * row.modelled.back();
    }
    row.watts *= 1 + off(random);
    result.rows.push_back(row);
  }
  return result;
}

TEST(Calibration, FindsFactorsExactlyWithoutNoise) {
  const std::vector<double> factors = {2.03, 0.52, 40, 0, 1};
  const Calibration calibration = calibrate(synthetic(factors, 20, 0));
  ASSERT_EQ(calibration.factors.size(), factors.size());
  for (std::size_t i = 0; i < factors.size(); ++i) EXPECT_NEAR(calibration.factors[i].factor, factors[i], 1e-6) << i;
  EXPECT_LT(calibration.worstError(), 1e-6);
}

TEST(Calibration, FindsFactorsThroughNoise) {
  const std::vector<double> factors = {2, 0.5, 4, 1};
  const Calibration calibration = calibrate(synthetic(factors, 200, 0.05));
  for (std::size_t i = 0; i < factors.size(); ++i) EXPECT_NEAR(calibration.factors[i].factor / factors[i], 1, 0.05) << i;
  // Errors of +-5 %, evenly spread, are 2.5 % in the mean.
  EXPECT_NEAR(calibration.meanError(), 0.025, 0.005);
  EXPECT_LT(calibration.worstError(), 0.06);
}

TEST(Calibration, TellsWhatEachBenchmarkIsOffBy) {
  // One component, two benchmarks that want 1 and 3: the least squares of the relative errors (x - 1)^2 + (x / 3 - 1)^2 are at x = 1.2.
  const Measurements measurements{{"pipe"}, {{"a", 10, {10}}, {"b", 30, {10}}}};
  const Calibration calibration = calibrate(measurements);
  EXPECT_NEAR(calibration.factors[0].factor, 1.2, 1e-9);
  EXPECT_NEAR(calibration.residuals[0].error(), 0.2, 1e-9);
  EXPECT_NEAR(calibration.residuals[1].error(), -0.6, 1e-9);
  EXPECT_DOUBLE_EQ(calibration.residuals[1].before, 10);
  EXPECT_NEAR(calibration.residuals[1].after, 12, 1e-9);
  EXPECT_NEAR(calibration.meanError(), 0.4, 1e-9);
  EXPECT_NEAR(calibration.worstError(), 0.6, 1e-9);
}

// x = 2 and x + y = 1 want y = -1; with y at 0, (x / 2 - 1)^2 + (x - 1)^2 is least at x = 1.2.
TEST(Calibration, KeepsFactorsAtNothingOrAbove) {
  const Measurements measurements{{"x", "y"}, {{"a", 2, {1, 0}}, {"b", 1, {1, 1}}}};
  const Calibration calibration = calibrate(measurements);
  EXPECT_EQ(calibration.factors[1].factor, 0);
  EXPECT_NEAR(calibration.factors[0].factor, 1.2, 1e-9);
}

TEST(Calibration, RefusesWhatBenchmarksDoNotTell) {
  const Measurements twins{{"x", "y"}, {{"a", 1, {1, 2}}, {"b", 1, {2, 4}}, {"c", 3, {3, 6}}}};
  const Measurements idle{{"x", "y"}, {{"a", 1, {1, 0}}, {"b", 1, {2, 0}}}};
  const Measurements few{{"x", "y"}, {{"a", 1, {1, 2}}}};
  const auto problem = [](const Measurements& measurements) {
    try {
      calibrate(measurements);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("none");
  };
  EXPECT_EQ(problem(twins), "the benchmarks do not tell 'y' from the other components");
  EXPECT_EQ(problem(idle), "the benchmarks do not tell 'y' from the other components");
  EXPECT_EQ(problem(few), "1 benchmarks cannot determine 2 components");
}

TEST(Measurements, AreReadFromCsv) {
  const Measurements measurements =
      parseMeasurements("# measured by hand\nbenchmark, watts, pipe, l2\n\nfma, 120.5, 30, 0\r\nstream,90,1e1,4\n", "m.csv");
  ASSERT_EQ(measurements.components, (std::vector<std::string>{"pipe", "l2"}));
  ASSERT_EQ(measurements.rows.size(), 2u);
  EXPECT_EQ(measurements.rows[0].benchmark, "fma");
  EXPECT_EQ(measurements.rows[0].watts, 120.5);
  EXPECT_EQ(measurements.rows[1].modelled, (std::vector<double>{10, 4}));
}

TEST(Measurements, RefuseMistakesWithTheirLine) {
  const auto error = [](const std::string& csv) {
    try {
      parseMeasurements(csv, "m.csv");
    } catch (const Error& found) {
      return found;
    }
    return Error("nothing is wrong");
  };
  const std::string header = "benchmark,watts,pipe\n";
  EXPECT_EQ(error(header + "a,1\n").message(), "the line has 2 cells, the header 3");
  EXPECT_EQ(error(header + "a,1\n").where().line, 2u);
  EXPECT_EQ(error(header + "a,1,x\n").message(), "'x' of pipe is no power");
  EXPECT_EQ(error(header + "a,1,-2\n").message(), "'-2' of pipe is no power");
  EXPECT_EQ(error(header + "a,0,2\n").message(), "'a' took no power");
  EXPECT_EQ(error("name,watts,pipe\n").message(), "this is no header of measurements");
  EXPECT_EQ(error("benchmark,watts,pipe,pipe\n").message(), "the component 'pipe' has no name, or one twice");
  EXPECT_EQ(error(header).message(), "there are no measurements");
}

}  // namespace
}  // namespace warpwright::energy
