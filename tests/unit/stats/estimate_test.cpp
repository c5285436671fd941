#include "stats/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stats/student.hpp"

namespace warpwright::stats {
namespace {

// Of the table in every textbook.
TEST(Student, HasItsQuantiles) {
  EXPECT_NEAR(studentQuantile(1), 12.7062, 1e-4);
  EXPECT_NEAR(studentQuantile(2), 4.30265, 1e-5);
  EXPECT_NEAR(studentQuantile(3), 3.18245, 1e-5);
  EXPECT_NEAR(studentQuantile(10), 2.22814, 1e-5);
  EXPECT_NEAR(studentQuantile(120), 1.97993, 1e-5);
  EXPECT_NEAR(studentQuantile(2e6), 1.95996, 1e-5);
  EXPECT_NEAR(studentQuantile(kEndless), 1.95996, 1e-5);
}

// With one degree it is Cauchy's distribution, with two there is a closed form: t = (2p - 1) sqrt(2 / (4p (1 - p))).
TEST(Student, AgreesWithClosedForms) {
  EXPECT_NEAR(studentQuantile(1), std::tan(M_PI * (0.975 - 0.5)), 1e-9);
  EXPECT_NEAR(studentQuantile(2), 0.95 * std::sqrt(2 / (4 * 0.975 * 0.025)), 1e-9);
  EXPECT_LT(studentQuantile(3.5), studentQuantile(3));
  EXPECT_GT(studentQuantile(3.5), studentQuantile(4));
}

TEST(Estimate, TheIntervalIsSoManyStandardErrors) {
  const Estimate estimate{100, 4, 10};
  EXPECT_NEAR(estimate.error(), 2.22814 * 2, 1e-4);
  EXPECT_NEAR(estimate.relativeError(), 2.22814 * 2 / 100, 1e-6);
  EXPECT_NEAR(estimate.interval().low, 100 - 4.45628, 1e-4);
  EXPECT_NEAR(estimate.interval().high, 100 + 4.45628, 1e-4);
  EXPECT_EQ((Estimate{1, 100, 10}.interval().low), 0);
  EXPECT_EQ((Estimate{100, 0}.error()), 0);
  EXPECT_EQ((Estimate{100, kEndless}.error()), kEndless);
}

TEST(Estimate, SumsJoinTheirDegrees) {
  // Equal variances of n degrees each: 2n.
  const Estimate sum = Estimate{1, 3, 5} + Estimate{2, 3, 5};
  EXPECT_DOUBLE_EQ(sum.value, 3);
  EXPECT_DOUBLE_EQ(sum.variance, 6);
  EXPECT_DOUBLE_EQ(sum.degrees, 10);
  // What is exact changes nothing but the value.
  const Estimate shifted = Estimate{1, 3, 5} + Estimate{10};
  EXPECT_DOUBLE_EQ(shifted.value, 11);
  EXPECT_DOUBLE_EQ(shifted.degrees, 5);
  EXPECT_TRUE((Estimate{1} + Estimate{2}).isExact());
  EXPECT_FALSE((Estimate{1} + Estimate{2, 0, kEndless, true}).isExact());
  EXPECT_EQ((Estimate{1, 3, 5} + Estimate{2, kEndless}).error(), kEndless);
}

std::vector<Measurement> ofEqualSize(const std::vector<double>& values) {
  std::vector<Measurement> result;
  for (const double value : values) result.push_back({2, {value}});
  return result;
}

// Parts of which others go like them, to their size.
std::vector<Representative> standingFor(double size, const std::vector<Measurement>& measured) {
  double all = 0;
  for (const Measurement& each : measured) all += each.size;
  std::vector<Representative> result;
  for (const Measurement& each : measured) result.push_back({each, size * each.size / all});
  return result;
}

// N = 20 parts, n = 4 of them with 10, 12, 14, 16: the textbook's N mean, and N (N - n) s² / n of it (Cochran, theorem 2.2).
TEST(Prediction, OfEqualPartsIsThatOfRandomSampling) {
  const auto measured = ofEqualSize({10, 12, 14, 16});
  const double squares = (9 + 1 + 1 + 9) / 3.0;
  const Estimate whole = predictWhole(standingFor(16 * 2, measured));
  EXPECT_NEAR(whole.value, 20 * 13, 1e-9);
  EXPECT_NEAR(whole.variance, 20 * 16 * squares / 4, 1e-9);
  EXPECT_EQ(whole.degrees, 3);
  const Estimate rest = predictRest(measured, 16 * 2);
  EXPECT_NEAR(rest.value, 16 * 13, 1e-9);
  EXPECT_NEAR(rest.variance, whole.variance, 1e-9);
  EXPECT_NEAR(predictOthers(standingFor(16 * 2, measured)).value, rest.value, 1e-9);
  EXPECT_NEAR(predictOthers(standingFor(16 * 2, measured)).variance, rest.variance, 1e-9);
}

// Parts of 2 with 10, 14 and 12, whose mean is 12; 3 and 5 further ones go like the first two. Of each part's s² = 4, the rest's error has
// one for each of the eight, and 3² + 5² for what they go like.
TEST(Prediction, OthersGoLikeTheirOwn) {
  const std::vector<Representative> parts{{{2, {10, 1}}, 6}, {{2, {14, 2}}, 10}, {{2, {12}}, 0}};
  const Estimate others = predictOthers(parts), whole = predictWhole(parts);
  EXPECT_NEAR(others.value, 3 * 10 + 5 * 14, 1e-9);
  EXPECT_NEAR(others.variance, 4 * (8 + 9 + 25) + 1 * 9 + 2 * 25, 1e-9);
  EXPECT_NEAR(whole.value, others.value + 36, 1e-9);
  EXPECT_NEAR(whole.variance, 4 * (8 + 9 + 25) + 1 * 16 + 2 * 36, 1e-9);
  EXPECT_TRUE(predictOthers(standingFor(0, {parts.begin(), parts.end()})).isExact());
}

// Of a part that nothing goes like it does not matter to others that nothing is known of its error.
TEST(Prediction, OthersGoLikeTheirOwnAlone) {
  const std::vector<Representative> parts{{{2, {10}}, 2}, {{2, {14, kEndless}}, 0}};
  EXPECT_NEAR(predictOthers(parts).variance, 8 * 2, 1e-9);
  EXPECT_EQ(predictWhole(parts).variance, kEndless);
}

TEST(Prediction, FollowsTheSize) {
  const std::vector<Measurement> measured{{1, {10}}, {3, {30}}, {5, {50}}};
  const Estimate rest = predictRest(measured, 100);
  EXPECT_NEAR(rest.value, 1000, 1e-9);
  EXPECT_NEAR(rest.error(), 0, 1e-6);
  EXPECT_FALSE(rest.isExact()) << "it was not measured, though no spread was seen";
}

TEST(Prediction, OfOnePartKnowsNoError) {
  const std::vector<Measurement> one{{2, {10}}};
  EXPECT_NEAR(predictRest(one, 4).value, 20, 1e-9);
  EXPECT_EQ(predictRest(one, 4).error(), kEndless);
  EXPECT_EQ(predictWhole(standingFor(4, one)).error(), kEndless);
  EXPECT_TRUE(predictWhole(standingFor(0, one)).isExact());
  EXPECT_DOUBLE_EQ(predictWhole(standingFor(0, one)).value, 10);
  EXPECT_EQ(predictRest({}, 4).error(), kEndless);
  EXPECT_TRUE(predictRest({}, 0).isExact());
}

// Each of two parts of the same size and value is known with a variance of 3; as many parts were not measured. An error of one part then
// counts twice: 4 x (3 + 3).
TEST(Prediction, TakesTheErrorsOfMeasurementsAlong) {
  const std::vector<Measurement> measured{{1, {10, 3, 4}}, {1, {10, 3, 4}}};
  const Estimate whole = predictWhole(standingFor(2, measured));
  EXPECT_NEAR(whole.value, 40, 1e-9);
  EXPECT_NEAR(whole.variance, 24, 1e-9);
  EXPECT_NEAR(whole.degrees, 8, 1e-9);
  EXPECT_NEAR(predictRest(measured, 2).variance, 6, 1e-9);
  EXPECT_NEAR(predictWhole(standingFor(0, measured)).variance, 6, 1e-9);
}

// Of random wholes with their own spread, the interval holds the truth 19 times of 20.
TEST(Prediction, TheIntervalHoldsTheTruth) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> error;
  std::uniform_real_distribution<double> sizes(90, 110);
  constexpr int kWholes = 4000, kParts = 50, kMeasured = 5;
  int held = 0;
  for (int whole = 0; whole < kWholes; ++whole) {
    std::vector<Measurement> measured;
    double truth = 0, rest = 0;
    for (int part = 0; part < kParts; ++part) {
      const double size = sizes(random), value = 7 * size + std::sqrt(size) * error(random);
      truth += value;
      if (part < kMeasured) measured.push_back({size, {value}});
      if (part >= kMeasured) rest += size;
    }
    const Interval interval = predictWhole(standingFor(rest, measured)).interval();
    held += interval.low <= truth && truth <= interval.high ? 1 : 0;
  }
  // Three standard errors of such a count.
  EXPECT_NEAR(held / double{kWholes}, 0.95, 3 * std::sqrt(0.95 * 0.05 / kWholes));
}

}  // namespace
}  // namespace warpwright::stats
