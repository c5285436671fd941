#include "cc/driver/static_name_repair.hpp"

#include <gtest/gtest.h>

namespace warpwright::cc {
namespace {

TEST(StaticNameRepair, UsesGetTheNameOfTheDefinition) {
  const std::string ptx =
      ".address_size 64\n"
      ".extern .global .align 4 .u32 _ZL6hidden;\n"
      ".extern .global .align 4 .u32 _ZL6hidden2;\n"
      ".visible .global .align 4 .u32 _ZL6hidden__static__8bb6 = 3;\n"
      "ld.global.u32 %r1, [_ZL6hidden];\n"
      "ld.global.u32 %r2, [_ZL6hidden2];\n"
      "st.global.u32 [_ZL6hidden], %r1;\n";
  EXPECT_EQ(repairStaticNames(ptx),
            ".address_size 64\n"
            ".extern .global .align 4 .u32 _ZL6hidden2;\n"
            ".visible .global .align 4 .u32 _ZL6hidden__static__8bb6 = 3;\n"
            "ld.global.u32 %r1, [_ZL6hidden__static__8bb6];\n"
            "ld.global.u32 %r2, [_ZL6hidden2];\n"
            "st.global.u32 [_ZL6hidden__static__8bb6], %r1;\n");
}

TEST(StaticNameRepair, OtherTextStaysAsItIs) {
  const std::string ptx = ".extern .global .align 4 .u32 counter;\nld.global.u32 %r1, [counter];\n";
  EXPECT_EQ(repairStaticNames(ptx), ptx);
  EXPECT_EQ(repairStaticNames(""), "");
}

}  // namespace
}  // namespace warpwright::cc
