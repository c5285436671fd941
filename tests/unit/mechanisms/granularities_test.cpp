// Sizes of accesses by instruction and, where they depend on the path, by address.
#include "mechanisms/granularities.hpp"

#include <gtest/gtest.h>

namespace warpwright::mechanisms {
namespace {

TEST(Granularities, SizesBecomeThoseOfBlocks) {
  const auto asBlocks = [](const compiler::GranularityLimits& limits, const std::vector<u32>& sizes) {
    std::vector<u32> blocks;
    for (const u32 bytes : sizes) blocks.push_back(asBlock(bytes, limits));
    return blocks;
  };
  EXPECT_EQ(asBlocks({32, 256}, {0, 1, 32, 48, 64, 192, 256, 300, 512}), (std::vector<u32>{32, 32, 32, 32, 64, 128, 256, 256, 256}));
  EXPECT_EQ(asBlocks({32, 128}, {256}), (std::vector<u32>{128}));
}

// Instruction 1 may access bytes 0 to 1023 of an array or 512 to 1535, at 256 and at 64 bytes; block (1, 0) 1024 bytes further.
TEST(Granularities, OfSeveralVersionsTheLeastThatItMayBe) {
  Granularities sizes{{32, 32}, {{}, {}}};
  sizes.versions[1] = {{.bytes = 256, .isBounded = true, .perX = 1024, .length = 1024},
                       {.bytes = 64, .isBounded = true, .first = 512, .perX = 1024, .length = 1024}};
  const auto bytesOf = [&](u32 pc, u64 address, u32 block) {
    return sizes.bytesOf({.pc = Pc(pc), .block = block}, GlobalAddress(address), 32, {2, 2, 1});
  };
  EXPECT_EQ(bytesOf(0, 0, 0), 32u);
  EXPECT_EQ(bytesOf(1, 0, 0), 256u);
  EXPECT_EQ(bytesOf(1, 512, 0), 64u);
  EXPECT_EQ(bytesOf(1, 1504, 0), 64u);
  EXPECT_EQ(bytesOf(1, 1536, 0), 32u) << "neither";
  EXPECT_EQ(bytesOf(1, 1024, 1), 256u);
  EXPECT_EQ(bytesOf(1, 2560, 1), 32u);
  EXPECT_EQ(bytesOf(1, 1024, 3), 256u) << "block (1, 1), which is no further";
}

}  // namespace
}  // namespace warpwright::mechanisms
