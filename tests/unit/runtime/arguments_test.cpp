// Arguments that a launch lacks are named.
#include "runtime/arguments.hpp"

#include <gtest/gtest.h>

namespace warpwright::runtime {
namespace {

isa::Function kernelOfTwo() {
  isa::Function kernel;
  kernel.name = "_Z5scalePfj";
  kernel.parameters = {{"out", 0, 8}, {"count", 8, 4}};
  kernel.parameterBytes = 12;
  return kernel;
}

TEST(Arguments, AreGatheredAtTheirOffsets) {
  u64 out = 0x1122334455667788;
  u32 count = 7;
  void* arguments[] = {&out, &count};
  const ParameterBlock block = gatherArguments(kernelOfTwo(), arguments);
  EXPECT_EQ(block.problem, "");
  ASSERT_EQ(block.bytes.size(), 12u);
  EXPECT_EQ(block.bytes[0], 0x88);
  EXPECT_EQ(block.bytes[8], 7);
  EXPECT_EQ(copyArguments(kernelOfTwo(), block.bytes.data(), 16).bytes, block.bytes);
}

TEST(Arguments, ThatAreMissingAreNamed) {
  u64 out = 0;
  void* arguments[] = {&out, nullptr};
  const std::string missing = gatherArguments(kernelOfTwo(), arguments).problem;
  EXPECT_NE(missing.find("kernel 'scale(float*, unsigned int)' takes 2 arguments: number 2"), std::string::npos) << missing;
  EXPECT_NE(missing.find("remedy: "), std::string::npos) << missing;
  EXPECT_NE(gatherArguments(kernelOfTwo(), nullptr).problem, "");
  EXPECT_EQ(gatherArguments(isa::Function{}, nullptr).problem, "");
  const std::string tooShort = copyArguments(kernelOfTwo(), &out, 8).problem;
  EXPECT_NE(tooShort.find("has 8 bytes, and they need 12"), std::string::npos) << tooShort;
  EXPECT_NE(copyArguments(kernelOfTwo(), nullptr, 12).problem, "");
}

}  // namespace
}  // namespace warpwright::runtime
