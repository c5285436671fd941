// Routines at labels of PTX.
#include <gtest/gtest.h>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

// Counts what it is given, a register of 32 bits.
std::string counting(const std::string& annotation) {
  return ".visible .func (.param .b32 sum) counting(.param .b32 word)\n.pragma \"assist priority=high out=count " + annotation + "\";\n" +
         R"({
  .reg .u32 %r0;
  ld.param.b32 %r0, [word];
  st.param.b32 [sum], %r0;
  ret;
}
)";
}

// The kernel `work` has a label in front of its rounds, of which it counts four in %r5, and one behind a branch.
TEST(AssistLabels, TriggerEachTimeThatAWarpComesThere) {
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + counting("on=label:round in=reg:%r5"));
  EXPECT_EQ(ran.memory, run(fermi(2), kWork).memory);
  EXPECT_EQ(ran.counted.triggered, kAll / 32 * kRounds);
  EXPECT_EQ(ran.counted.counted, kAll * (0 + 1 + 2 + 3));
}

TEST(AssistLabels, MayBeSeveral) {
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + counting("on=label:round,label:even in=reg:%r5"));
  EXPECT_EQ(ran.counted.triggered, 2 * kAll / 32 * kRounds);
}

TEST(AssistLabels, ThatAKernelDoesNotHaveTriggerNothing) {
  EXPECT_EQ(run(withAssistWarps(fermi(2)), kWork + counting("on=label:nowhere in=reg:%r5")).counted.triggered, 0u);
}

TEST(AssistLabels, HaveNames) {
  try {
    run(withAssistWarps(fermi(2)), kWork + counting("on=label in=reg:%r5"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the trigger 'label' needs a name"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace warpwright::assist_tests
