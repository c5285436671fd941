#include "energy/technology.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warpwright::energy {
namespace {

TEST(LogicScale, IsNothingWithinANode) {
  for (const double node : {90.0, 45.0, 28.0, 7.0, 5.0}) {
    const Factor same = logicScale(node, node);
    EXPECT_DOUBLE_EQ(same.low, 1) << node;
    EXPECT_DOUBLE_EQ(same.value, 1) << node;
    EXPECT_DOUBLE_EQ(same.high, 1) << node;
  }
}

// Stillmaker and Baas: 45 nm at 1 V 1.103 - 0.362 + 0.2767 = 1.0177; 32 nm at 0.9 V 0.774279 - 0.70407 + 0.471 = 0.541209;
// 7 nm at 0.7 V 0.087024 - 0.063679 + 0.02447 = 0.047815.
TEST(LogicScale, FollowsTheEquationsForPlanarTransistors) {
  EXPECT_NEAR(logicScale(45, 32).value, 0.541209 / 1.0177, 1e-9);
  EXPECT_NEAR(logicScale(32, 45).value, 1.0177 / 0.541209, 1e-9);
}

// The chips of Jouppi and others: 45 nm over 7 nm is 2.6.
TEST(LogicScale, LiesBetweenEquationsAndChipsForFinFets) {
  const Factor factor = logicScale(45, 7);
  EXPECT_NEAR(factor.low, 0.047815 / 1.0177, 1e-9);
  EXPECT_NEAR(factor.high, 1 / 2.6, 1e-9);
  EXPECT_NEAR(factor.value, std::sqrt(0.047815 / 1.0177 / 2.6), 1e-9);
}

// TSMC: N5 takes 30 % less than N7; both laws go on so.
TEST(LogicScale, GoesOnBeyondTheEquations) {
  const Factor factor = logicScale(7, 5);
  EXPECT_NEAR(factor.low, 0.7, 1e-9);
  EXPECT_NEAR(factor.high, 0.7, 1e-9);
  EXPECT_LT(logicScale(7, kFinestNode).value, 0.7);
}

TEST(LogicScale, FallsWithTheNode) {
  const double nodes[] = {90, 65, 45, 40, 32, 28, 20, 16, 14, 10, 7, 5, 4};
  for (std::size_t i = 1; i < std::size(nodes); ++i) {
    const Factor factor = logicScale(nodes[i - 1], nodes[i]);
    EXPECT_LT(factor.high, 1) << nodes[i];
    EXPECT_LE(factor.low, factor.value) << nodes[i];
    EXPECT_LE(factor.value, factor.high) << nodes[i];
  }
}

TEST(ArrayTechnology, AgreesWithLogicForPlanarTransistors) {
  for (const double node : {40.0, 32.0, 28.0}) {
    const double ratio = arrayTechnology(node).energy.value / logicScale(45, node).value;
    EXPECT_NEAR(ratio, 1, 0.125) << node;
  }
}

TEST(ArrayTechnology, HasTheFoundriesCells) {
  EXPECT_NEAR(arrayTechnology(7).cellArea, 0.027, 1e-9);
  EXPECT_NEAR(arrayTechnology(5).cellArea, 0.021, 1e-9);
  // CACTI: 146 F^2.
  EXPECT_NEAR(arrayTechnology(45).cellArea, 146 * 0.045 * 0.045, 0.002);
}

TEST(ArrayTechnology, FallsWithTheNode) {
  const double nodes[] = {45, 40, 32, 28, 22, 16, 10, 7, 5, 4};
  for (std::size_t i = 1; i < std::size(nodes); ++i) {
    const ArrayTechnology coarse = arrayTechnology(nodes[i - 1]), fine = arrayTechnology(nodes[i]);
    EXPECT_LT(fine.energy.value, coarse.energy.value) << nodes[i];
    EXPECT_LT(fine.leakage, coarse.leakage) << nodes[i];
    EXPECT_LT(fine.cellArea, coarse.cellArea) << nodes[i];
  }
}

}  // namespace
}  // namespace warpwright::energy
