#include "lab/reproduction/hardware.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace warpwright::lab {
namespace {

// Section 3.2 of paper 002, whose numbers follow from 16 lines of 64 bytes with a control bit per half-word.
TEST(Hardware, IsThatOfSection32) {
  const Paper paper = loadPaper("002");
  const auto of = [&](const std::string& name) { return hardwareValue(paper, "tCbase", "tiny_cache." + name); };
  EXPECT_EQ(of("state_bits"), 2);
  EXPECT_EQ(of("tag_bits"), 79);
  EXPECT_EQ(of("entry_bits"), 81);      // 2 + 79
  EXPECT_EQ(of("control_bits"), 32);    // 64 / 2
  EXPECT_EQ(of("metadata_bits"), 113);  // 81 + 32
  EXPECT_EQ(of("metadata_bytes"), 15);  // 113 / 8, rounded up
  EXPECT_EQ(of("bytes"), 1264);         // 16 (64 + 15)
  EXPECT_NEAR(of("overhead").value_or(0), 15.0 / 79, 1e-12);
}

// Nothing of it is written down: lines of 32 bytes have 16 control bits, (97 + 7) / 8 = 13 bytes of metadata, and 8 of them 360 bytes.
TEST(Hardware, FollowsTheGeometry) {
  Paper paper = loadPaper("002");
  paper.machines = {{.name = "small",
                     .preset = "fermi-esesc",
                     .settings = {"mechanism.tiny-cache=true", "mechanism.tiny-cache.lines=8", "mechanism.tiny-cache.line_bytes=32"}}};
  EXPECT_EQ(hardwareValue(paper, "small", "tiny_cache.metadata_bits"), 97);
  EXPECT_EQ(hardwareValue(paper, "small", "tiny_cache.metadata_bytes"), 13);
  EXPECT_EQ(hardwareValue(paper, "small", "tiny_cache.bytes"), 360);
}

TEST(Hardware, HasTheArraysOfTheChip) {
  const Paper paper = loadPaper("002");
  const auto of = [&](const std::string& expression) { return hardwareValue(paper, "tCbase", expression); };
  // Four SMs with 48 KB of shared memory; 128 lanes with 1024 bytes of data and 16 x 113 bits beside them.
  EXPECT_EQ(of("bytes.shared_memory"), 4 * 48 * 1024);
  EXPECT_EQ(of("bytes.tiny_cache"), 128 * (1024 + 226));
  // Data of the caches, and their tags and MSHRs beside them.
  EXPECT_GT(of("bytes.l2").value_or(0), 256 * 1024);
  EXPECT_LT(of("bytes.l2").value_or(0), 1.2 * 256 * 1024);
  for (const char* unit : {"tiny_cache", "l1d", "coalescer", "shared_memory", "l1c", "texture_cache", "l2", "llc"}) {
    EXPECT_GT(of(std::string("area.") + unit).value_or(0), 0) << unit;
    EXPECT_GT(of(std::string("leakage.") + unit).value_or(0), 0) << unit;
  }
  // More bits, more area.
  EXPECT_GT(*of("area.llc"), *of("area.l2"));
  EXPECT_GT(*of("area.shared_memory / area.l1d"), 1);
}

TEST(Hardware, NothingIsMadeUp) {
  const Paper paper = loadPaper("002");
  for (const char* wrong : {"tiny_cache.ways", "avc.bytes", "area.avc", "area.dram", "area", "tiny_cache"})
    EXPECT_EQ(hardwareValue(paper, "tCbase", wrong), std::nullopt) << wrong;
  EXPECT_EQ(hardwareValue(paper, "fermi-esesc", "tiny_cache.bytes"), std::nullopt);  // without the mechanism
  EXPECT_THROW(hardwareValue(paper, "fermi-essec", "bytes.l2"), Error);
}

}  // namespace
}  // namespace warpwright::lab
