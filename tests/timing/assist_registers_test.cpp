// Registers of the program that assist warps have as live-ins.
#include <gtest/gtest.h>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

// Counts the word that it is given, and where it has an address as well, what lies there.
std::string summing(const std::string& annotation, bool hasAddress = false) {
  return ".visible .func (.param .b32 sum) summing(.param .b32 word" + std::string(hasAddress ? ", .param .b64 address" : "") +
         ")\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<3>;
  .reg .u64 %d0;
  ld.param.b32 %r0, [word];
  )" + (hasAddress ? "ld.param.b64 %d0, [address];\n  ld.global.u32 %r1, [%d0];" : "mov.u32 %r1, 0;") +
         R"(
  add.u32 %r2, %r0, %r1;
  st.param.b32 [sum], %r2;
  ret;
}
)";
}

std::string atLine(const std::string& text) { return "assist on=line" + lineOf(kWork, text) + " out=count "; }

// What thread `i` of the grid has loaded in a round, and what it makes of it.
u32 loaded(u32 i, u32 round) { return (round * kAll + i) * 7 % 11; }
u32 remainder(u32 i, u32 round) { return (loaded(i, round) + round) % 3; }

u64 overAll(auto&& each) {
  u64 sum = 0;
  for (u32 i = 0; i < kAll; ++i)
    for (u32 round = 0; round < kRounds; ++round) sum += each(i, round);
  return sum;
}

class AssistRegisters : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, AssistRegisters, ::testing::Values("high", "normal"));

// At the line that stores it.
TEST_P(AssistRegisters, HaveTheirValueWhereTheLineBegins) {
  const std::string priority = std::string("priority=") + GetParam();
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + summing(atLine("st.global.u32 [%d1+32768]") + priority + " in=reg:%r7"));
  EXPECT_EQ(ran.memory, run(fermi(2), kWork).memory);
  if (ran.counted.refusedLive == 0) {
    EXPECT_EQ(ran.counted.counted, overAll(remainder));
  }
  EXPECT_GT(ran.counted.counted, 0u);
  EXPECT_EQ(ran.counted.triggered, kAll / 32 * kRounds);
}

// The line adds to the register: what it has before is read.
TEST(AssistRegisters, AreReadBeforeTheLineChangesThem) {
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + summing(atLine("add.u32 %r5, %r5, 1") + "priority=high in=reg:%r5"));
  EXPECT_EQ(ran.counted.counted, overAll([](u32, u32 round) { return round; }));
}

// Of lanes that come there, in the branch that only odd numbers take.
TEST(AssistRegisters, AreOfTheLanesThatComeToTheLine) {
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + summing(atLine("add.u32 %r8, %r8, %r7") + "priority=high in=reg:%r6"));
  EXPECT_EQ(ran.counted.counted, overAll([](u32 i, u32 round) { return loaded(i, round) % 2 == 1 ? loaded(i, round) : 0; }));
}

// One of a word and one of two; what still has to be loaded is waited for.
TEST(AssistRegisters, MayBeSeveral) {
  const std::string says = atLine("add.u32 %r7, %r6, %r5") + "priority=high in=reg:%r6,reg:%d1";
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + summing(says, true));
  EXPECT_EQ(ran.counted.counted, 2 * overAll(loaded));
  machines::TimingOptions options;
  options.threads = 2;
  EXPECT_EQ(run(withAssistWarps(fermi(2)), kWork + summing(says, true), options).all, ran.all);
  options = {};
  options.skip = false;
  EXPECT_EQ(run(withAssistWarps(fermi(2)), kWork + summing(says, true), options).all, ran.all);
}

class AssistRegisterFile : public AssistFile {};

TEST_F(AssistRegisterFile, IsRefusedWhereTheKernelHasNone) {
  const auto said = [&](const std::string& live) { return refusal(summing(atLine("add.u32 %r7, %r6, %r5") + live)); };
  EXPECT_EQ(said("in=reg:%r6"), "");
  EXPECT_NE(said("in=reg:%r66").find("wants the register '%r66' of kernel 'work', which has none of that name"), std::string::npos)
      << said("in=reg:%r66");
  EXPECT_NE(said("in=reg:%p0").find("predicate"), std::string::npos) << said("in=reg:%p0");
  EXPECT_NE(said("in=reg:%d1").find("which has 2"), std::string::npos) << said("in=reg:%d1");
  EXPECT_NE(said("in=reg").find("names no register"), std::string::npos) << said("in=reg");
  EXPECT_NE(said("in=value:%r6").find("has a name"), std::string::npos) << said("in=value:%r6");
  EXPECT_NE(refusal(summing("assist on=store in=reg:%r6 out=count")).find("at its lines and labels alone"), std::string::npos);
  EXPECT_EQ(said("in=reg:%r66 kernel=other"), "") << "of another kernel";
}

}  // namespace
}  // namespace warpwright::assist_tests
