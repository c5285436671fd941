#include "energy/dram.hpp"

#include <gtest/gtest.h>

#include "energy/table.hpp"

namespace warpwright::energy {
namespace {

// By hand, as TN-41-01 has it. mA ns V are femtojoules times a thousand: picojoules.
TEST(Dram, CommandsAreDifferencesOfCurrents) {
  const DramCurrents currents{.volts = 1.5,
                              .idd0 = 490,
                              .idd2n = 250,
                              .idd3n = 450,
                              .idd4r = 1080,
                              .idd4w = 1160,
                              .idd5 = 500,
                              .tRC = 40,
                              .tRAS = 28,
                              .tRFC = 65,
                              .burstNanoseconds = 1.5,
                              .bitsPerBurst = 256,
                              .widthBits = 32,
                              .interfacePerBit = picojoules(2, 3, 4),
                              .uncertainty = {0.5, 1, 2}};
  const DramEnergies energies = dramEnergies(currents);
  // 490 x 40 - 450 x 28 - 250 x 12 = 4000 mA ns.
  EXPECT_NEAR(energies.activate.value, 6000e-12, 1e-18);
  EXPECT_NEAR(energies.activate.low, 3000e-12, 1e-18);
  EXPECT_NEAR(energies.activate.high, 12000e-12, 1e-18);
  // (1080 - 450) x 1.5 x 1.5 V = 1417.5 pJ, and 256 bits at 3 pJ.
  EXPECT_NEAR(energies.read.value, (1417.5 + 768) * 1e-12, 1e-18);
  EXPECT_NEAR(energies.read.low, (708.75 + 512) * 1e-12, 1e-18);
  // (1160 - 450) x 1.5 x 1.5 = 1597.5 pJ.
  EXPECT_NEAR(energies.write.value, (1597.5 + 768) * 1e-12, 1e-18);
  // (500 - 250) x 65 x 1.5 = 24375 pJ.
  EXPECT_NEAR(energies.refresh.value, 24375e-12, 1e-17);
  EXPECT_NEAR(energies.open.value, 0.675, 1e-12);
  EXPECT_NEAR(energies.precharged.value, 0.375, 1e-12);
}

TEST(Dram, RoundedCurrentsGiveNoNegativeEnergy) {
  const DramCurrents currents{.volts = 1, .idd0 = 10, .idd2n = 20, .idd3n = 20, .tRC = 40, .tRAS = 30};
  EXPECT_EQ(dramEnergies(currents).activate.value, 0);
}

// O'Connor and others, "Fine-Grained DRAM" (MICRO 2017): 3.9 pJ a bit of HBM2 in all. With a row opened for each burst of 64 bytes the
// currents and the interface give 828 + 804 + 409.6 pJ for 512 bits.
TEST(Dram, Hbm2IsNearItsPublishedEnergy) {
  const Table table = loadTable(std::string(WARPWRIGHT_SOURCE_DIR) + "/configs/energy/45nm.toml");
  const DramEnergies energies = dramEnergies(table.dram.at("hbm2").currents);
  const double perBit = (energies.activate.value + energies.read.value) / 512;
  EXPECT_NEAR(perBit, (828 + 804 + 409.6) * kPico / 512, 1e-15);
  EXPECT_NEAR(perBit / (3.9 * kPico), 1, 0.05);
}

}  // namespace
}  // namespace warpwright::energy
