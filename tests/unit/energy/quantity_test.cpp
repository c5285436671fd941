#include "energy/quantity.hpp"

#include <gtest/gtest.h>

#include "energy/amount.hpp"

namespace warpwright::energy {
namespace {

TEST(Quantity, BoundsAddAndScale) {
  EXPECT_EQ((Energy{1, 2, 4} + Energy{3, 5, 8}), (Energy{4, 7, 12}));
  EXPECT_EQ(2 * (Energy{1, 2, 4}), (Energy{2, 4, 8}));
  EXPECT_EQ(scaled(Energy{1, 2, 4}, Factor{0.5, 1, 2}), (Energy{0.5, 2, 8}));
  EXPECT_EQ(within<Factor>(3, 1.5), (Factor{2, 3, 4.5}));
  EXPECT_EQ(exactly<Power>(7), (Power{7, 7, 7}));
}

TEST(Quantity, TimeMakesPowerAndProducts) {
  const Energy energy{1, 2, 4};
  EXPECT_EQ(powerOf(energy, 0.5), (Power{2, 4, 8}));
  EXPECT_EQ(energyOf(Power{2, 4, 8}, 0.5), energy);
  EXPECT_EQ(energyDelay(energy, 0.5), (EnergyDelay{0.5, 1, 2}));
  EXPECT_EQ(energyDelay2(energy, 0.5), (EnergyDelay2{0.25, 0.5, 1}));
}

TEST(Amount, IsExactWhateverTheOrder) {
  // Three times 0.1 pJ is not 0.3 pJ for doubles; for whole attojoules it is.
  const Energy tenth = picojoules(0.1, 0.1, 0.1);
  Amount one;
  for (int i = 0; i < 3; ++i) one += Amount(1, tenth);
  EXPECT_EQ(one, Amount(3, tenth));
  EXPECT_EQ(one, Amount(1, picojoules(0.3, 0.3, 0.3)));
  EXPECT_EQ(Amount(7, tenth).femtojoules(), 700u);
}

TEST(Amount, HoldsWhatMachinesTakeInHours) {
  // 2^40 events of 1 uJ: 1.1 MJ, and its low and high bounds.
  const Energy energy = Amount(u64{1} << 40, Energy{0.5e-6, 1e-6, 2e-6}).energy();
  EXPECT_DOUBLE_EQ(energy.low, 549755.813888);
  EXPECT_DOUBLE_EQ(energy.value, 1099511.627776);
  EXPECT_DOUBLE_EQ(energy.high, 2199023.255552);
}

}  // namespace
}  // namespace warpwright::energy
