#include "machines/unit_loads.hpp"

#include <gtest/gtest.h>

#include "stats/json.hpp"

namespace warpwright::machines {
namespace {

TEST(UnitLoads, AreAddedAndSubtractedUnitByUnit) {
  const UnitLoads earlier{.smInstructions = {1, 2}}, later{.smInstructions = {5, 2}, .channelBytes = {64}};
  UnitLoads sum = delta(later, earlier);
  EXPECT_EQ(sum.smInstructions, (ByUnit{4, 0}));
  EXPECT_EQ(sum.channelBytes, ByUnit{64});
  merge(sum, later);
  EXPECT_EQ(sum.smInstructions, (ByUnit{9, 2}));
  EXPECT_EQ(delta(later, {}).smInstructions, later.smInstructions);
  EXPECT_EQ(toJson(sum)["channel_moved_bytes"], stats::Json::array({128}));
}

TEST(UnitLoads, TellWhoHasMost) {
  const Most most = mostOf({1, 6, 1});
  EXPECT_EQ(most.unit, 1u);
  EXPECT_EQ(most.count, 6u);
  EXPECT_DOUBLE_EQ(most.timesMean, 6.0 / (8.0 / 3));
  EXPECT_EQ(mostOf({}).count, 0u);
  EXPECT_EQ(mostOf({0, 0}).timesMean, 0);
}

}  // namespace
}  // namespace warpwright::machines
