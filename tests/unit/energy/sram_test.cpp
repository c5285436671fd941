// CACTI 7.0.3 (github.com/HewlettPackard/cacti at 1ffd8df), its cache.cfg with: cache type "ram", one bank, one port for reading and
// writing, no ECC, 350 K, bus and block as wide as the word, everything else as the file has it (high-performance transistors, ED^2).
#include "energy/sram.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace warpwright::energy {
namespace {

struct Point {
  u64 bytes;
  u32 wordBits;
  double read, write, leakage, area;  // pJ, pJ, mW, mm2
};

constexpr std::array<Point, 24> kCacti45 = {{
    {512, 32, 0.748, 1.484, 0.603, 0.00189},    {1024, 32, 1.168, 1.751, 1.066, 0.00343},   {4096, 32, 2.541, 3.148, 4.732, 0.01320},
    {16384, 32, 8.870, 5.855, 16.62, 0.05003},  {65536, 32, 16.04, 10.14, 65.86, 0.1993},   {262144, 32, 26.35, 18.43, 240.0, 0.8217},
    {1048576, 32, 41.29, 35.40, 1054, 3.192},   {1024, 64, 1.434, 2.906, 1.071, 0.00360},   {4096, 64, 2.924, 5.345, 4.740, 0.01352},
    {8192, 64, 5.288, 6.502, 8.753, 0.02629},   {16384, 64, 9.994, 8.794, 16.55, 0.05075},  {32768, 64, 14.92, 12.69, 32.86, 0.09492},
    {65536, 64, 28.98, 17.19, 59.68, 0.1837},   {262144, 64, 40.63, 28.83, 238.7, 0.7963},  {1048576, 64, 67.69, 55.89, 954.9, 3.170},
    {2048, 128, 3.111, 6.056, 2.411, 0.00831},  {16384, 128, 9.107, 18.98, 17.35, 0.05070}, {131072, 128, 40.53, 36.06, 119.4, 0.4135},
    {1048576, 128, 115.0, 91.45, 905.2, 3.247}, {4096, 256, 7.894, 13.78, 4.495, 0.01925},  {16384, 256, 11.62, 36.14, 17.41, 0.05378},
    {65536, 256, 41.71, 51.89, 59.81, 0.1989},  {262144, 256, 86.71, 107.5, 238.2, 0.8766}, {1048576, 256, 180.0, 171.0, 907.2, 3.675},
}};

// CACTI picks from few organisations, so that its energy jumps where the best one changes: 64 KB with words of 64 bits cost twice as much
// as 32 KB, and 128 KB a seventh more. The formula has no such steps.
TEST(Sram, ReadsAreWithinAFactorOfTwoOfCacti) {
  double deviations = 0;
  for (const Point& point : kCacti45) {
    const double ratio = estimate({point.bytes, point.wordBits}, 45).read.value / kPico / point.read;
    EXPECT_GT(ratio, 0.5) << point.bytes << " B, " << point.wordBits;
    EXPECT_LT(ratio, 1.5) << point.bytes << " B, " << point.wordBits;
    deviations += std::abs(ratio - 1);
  }
  EXPECT_LT(deviations / kCacti45.size(), 0.25);
}

TEST(Sram, WritesLeakageAndAreaFollowCacti) {
  for (const Point& point : kCacti45) {
    const SramEstimate sram = estimate({point.bytes, point.wordBits}, 45);
    EXPECT_NEAR(sram.write.value / kPico / point.write, 1, 0.3) << point.bytes << " B, " << point.wordBits;
    EXPECT_NEAR(sram.leakage.value * 1e3 / point.leakage, 1, 0.25) << point.bytes << " B, " << point.wordBits;
    EXPECT_NEAR(sram.area.value / point.area, 1, 0.3) << point.bytes << " B, " << point.wordBits;
  }
}

// 16 KB with words of 64 bits, and 64 KB with words of 256.
TEST(Sram, NodesFollowCacti) {
  struct Node {
    double nanometres, small, large, leakage, area;
  };
  for (const Node& node :
       {Node{90, 22.94, 126.3, 6.155, 0.1971}, Node{65, 16.66, 72.30, 18.31, 0.1060}, Node{40, 8.068, 33.88, 11.31, 0.04012},
        Node{32, 5.533, 23.66, 5.023, 0.02569}, Node{28, 4.385, 19.26, 3.830, 0.01965}, Node{22, 2.887, 12.88, 2.402, 0.01211}}) {
    const SramEstimate small = estimate({16384, 64}, node.nanometres), at45 = estimate({16384, 64}, 45);
    const SramEstimate large = estimate({65536, 256}, node.nanometres), large45 = estimate({65536, 256}, 45);
    EXPECT_NEAR(small.read.value / at45.read.value / (node.small / 9.994), 1, 0.2) << node.nanometres;
    EXPECT_NEAR(large.read.value / large45.read.value / (node.large / 41.71), 1, 0.15) << node.nanometres;
    EXPECT_NEAR(small.leakage.value / at45.leakage.value / (node.leakage / 16.55), 1, 0.05) << node.nanometres;
    EXPECT_NEAR(small.area.value / at45.area.value / (node.area / 0.05075), 1, 0.05) << node.nanometres;
  }
}

// 16 KB, 64 bits, 45 nm: one port; one to read and one to write; two and one; three and one; four and two.
TEST(Sram, PortsFollowCacti) {
  struct Ports {
    u32 ports;
    double read, write, leakage, area;
  };
  const SramEstimate one = estimate({16384, 64, 1, 1}, 45);
  for (const Ports& many : {Ports{2, 12.37, 10.90, 20.23, 0.1022}, Ports{3, 14.67, 12.94, 23.96, 0.1720},
                            Ports{4, 17.07, 15.06, 27.72, 0.2615}, Ports{6, 21.76, 19.21, 33.79, 0.4831}}) {
    const SramEstimate estimated = estimate({16384, 64, 1, many.ports}, 45);
    EXPECT_NEAR(estimated.read.value / one.read.value / (many.read / 9.994), 1, 0.03) << many.ports;
    EXPECT_NEAR(estimated.write.value / one.write.value / (many.write / 8.794), 1, 0.03) << many.ports;
    EXPECT_NEAR(estimated.leakage.value / one.leakage.value / (many.leakage / 16.55), 1, 0.03) << many.ports;
    EXPECT_NEAR(estimated.area.value / one.area.value / (many.area / 0.05075), 1, 0.03) << many.ports;
  }
}

// Collange and Kouyoumdjian, "Affine Vector Cache for memory bandwidth savings", section 5.2, by CACTI: 10 pJ, 16 KB, 64 bits, 45 nm.
// Horowitz, ISSCC 2014, figure 1.1.9, caches with 64 bits at 45 nm: 8 KB 10 pJ, 32 KB 20 pJ, 1 MB 100 pJ.
TEST(Sram, PublishedArraysLieInTheRange) {
  struct Published {
    u64 bytes;
    double picojoules;
  };
  for (const Published& point : {Published{16384, 10}, Published{8192, 10}, Published{32768, 20}, Published{1048576, 100}}) {
    const Energy read = estimate({point.bytes, 64}, 45).read;
    EXPECT_LE(read.low, point.picojoules * kPico) << point.bytes;
    EXPECT_GE(read.high, point.picojoules * kPico) << point.bytes;
  }
}

// CACTI's other transistors, 16 KB with words of 64 bits at 45 nm: low operating power 6.03 pJ and 0.219 + 0.840 mW.
TEST(Sram, TransistorsOfLowOperatingPowerLieInTheRange) {
  const SramEstimate sram = estimate({16384, 64}, 45);
  EXPECT_LE(sram.read.low, 6.03 * kPico);
  EXPECT_LE(sram.leakage.low, 1.06e-3 * 1.01);
  EXPECT_GE(sram.leakage.value, 1.06e-3);
}

TEST(Sram, BanksLeakTogetherAndAreReadAlone) {
  const SramEstimate one = estimate({4096, 32, 1}, 45), all = estimate({32768, 32, 8}, 45);
  EXPECT_DOUBLE_EQ(all.read.value, one.read.value);
  EXPECT_DOUBLE_EQ(all.leakage.value, 8 * one.leakage.value);
  EXPECT_DOUBLE_EQ(all.area.value, 8 * one.area.value);
}

TEST(Sram, WideWordsLieInSeveralArrays) {
  const SramEstimate part = estimate({4096, 256}, 45), wide = estimate({16384, 1024}, 45);
  EXPECT_DOUBLE_EQ(wide.read.value, 4 * part.read.value);
  EXPECT_DOUBLE_EQ(wide.write.value, 4 * part.write.value);
  EXPECT_DOUBLE_EQ(wide.leakage.value, 4 * part.leakage.value);
}

// CACTI 7, 45 nm: a CAM of 64 entries of 32 bits 4.81 pJ a search; a cache of 64 lines, fully associative, 39 bits of tag: 7.55 pJ.
TEST(Sram, SearchesFollowCacti) {
  EXPECT_NEAR(searchEnergy(64 * 32, 45).value / (4.81 * kPico), 1, 0.15);
  EXPECT_NEAR(searchEnergy(64 * 39, 45).value / (7.55 * kPico), 1, 0.15);
}

}  // namespace
}  // namespace warpwright::energy
