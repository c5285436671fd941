#include "cc/driver/rotation_repair.hpp"

#include <gtest/gtest.h>

namespace warpwright::cc {
namespace {

// As clang 14 writes a rotation: the amount may be 64 or more.
TEST(RotationRepair, ReducesTheAmount) {
  const std::string left =
      "\t{\n\t.reg .b64 %lhs;\n\t.reg .b64 %rhs;\n\t.reg .u32 %amt2;\n\tshl.b64 \t%lhs, %rd3, %r1;\n\tsub.u32 \t%amt2, 64, %r1;\n"
      "\tshr.b64 \t%rhs, %rd3, %amt2;\n\tadd.u64 \t%rd4, %lhs, %rhs;\n\t}\n";
  EXPECT_EQ(repairRotations(left),
            "\t{\n\t.reg .b64 %lhs;\n\t.reg .b64 %rhs;\n\t.reg .u32 %amt2;\n\t.reg .u32 %amt1;\n\tand.b32 \t%amt1, %r1, 63;\n"
            "\tshl.b64 \t%lhs, %rd3, %amt1;\n\tsub.u32 \t%amt2, 64, %amt1;\n"
            "\tshr.b64 \t%rhs, %rd3, %amt2;\n\tadd.u64 \t%rd4, %lhs, %rhs;\n\t}\n");
}

TEST(RotationRepair, ReducesEachOfSeveral) {
  const std::string one = "\t.reg .u32 %amt2;\n\tshr.b64 \t%lhs, %rd3, %r7;\n\tsub.u32 \t%amt2, 64, %r7;\n";
  const std::string repaired = repairRotations(one + one);
  EXPECT_EQ(repaired.find("%lhs, %rd3, %r7"), std::string::npos);
  EXPECT_NE(repaired.find("and.b32 \t%amt1, %r7, 63;", repaired.find("and.b32") + 1), std::string::npos);
}

TEST(RotationRepair, LeavesOtherTextAlone) {
  const std::string text = "\tshl.b64 \t%rd1, %rd2, %r1;\n\tsub.u32 \t%r2, 64, %r1;\n";
  EXPECT_EQ(repairRotations(text), text);
}

}  // namespace
}  // namespace warpwright::cc
