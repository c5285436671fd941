#include "sampling/code_lines.hpp"

#include <gtest/gtest.h>

namespace warpwright::sampling {
namespace {

using Executed = Signature::Executed;

// Sixteen instructions of 8 bytes are a line of 128.
TEST(CodeLines, AreThoseOfTheInstructionsExecuted) {
  const std::vector<Executed> executed{{Pc{3}, 1}, {Pc{4}, 1}, {Pc{15}, 2}, {Pc{16}, 1}, {Pc{50}, 1}};
  const std::vector<TouchedLine> expected{{GlobalAddress{4096}, 0xf}, {GlobalAddress{4224}, 0xf}, {GlobalAddress{4480}, 0xf}};
  EXPECT_EQ(codeLines(executed, GlobalAddress{4096}, 8, 128), expected);
}

TEST(CodeLines, ShorterOnesHaveFewerSectors) {
  const std::vector<Executed> executed{{Pc{0}, 1}, {Pc{4}, 1}};
  const std::vector<TouchedLine> expected{{GlobalAddress{4096}, 0x3}, {GlobalAddress{4160}, 0x3}};
  EXPECT_EQ(codeLines(executed, GlobalAddress{4096}, 16, 64), expected);
}

TEST(CodeLines, OfNothingAreNone) { EXPECT_TRUE(codeLines({}, GlobalAddress{4096}, 8, 128).empty()); }

}  // namespace
}  // namespace warpwright::sampling
