// Registers of the program that assist warps change: live-outs.
#include <gtest/gtest.h>

#include <algorithm>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

// Gives `word`, of which the annotation says what it is, back as `made` of it, which has it in %r0 and leaves it in %r1.
std::string making(const std::string& made, const std::string& annotation, const std::string& name = "making") {
  return ".visible .func (.param .b32 given) " + name + "(.param .b32 word)\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<2>;
  ld.param.b32 %r0, [word];
  )" + made +
         R"(
  st.param.b32 [given], %r1;
  ret;
}
)";
}

// … out of nothing.
std::string giving(u32 word, const std::string& annotation) {
  return ".visible .func (.param .b32 given) giving()\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r0;
  mov.u32 %r0, )" +
         std::to_string(word) + R"(;
  st.param.b32 [given], %r0;
  ret;
}
)";
}

std::string atLine(const std::string& text, const std::string& kernel = kWork) {
  return "assist on=line" + lineOf(kernel, text) + " priority=high ";
}

// What the kernel `work` leaves, where threads have `before(word, round)` in %r6 when the line behind the load begins.
std::vector<u32> expected(std::vector<u32> memory, auto&& before) {
  for (u32 i = 0; i < kAll; ++i) {
    u32 sum = 0;
    for (u32 round = 0; round < kRounds; ++round) {
      const u32 word = before(memory[round * kAll + i], round), remainder = (word + round) % 3;
      memory[kRemainders + round * kAll + i] = remainder;
      if (word % 2 == 1) sum += remainder + memory[0];
    }
    memory[kSums + i] = sum;
  }
  memory[kWords - 1] += kAll;
  return memory;
}

std::vector<u32> atFirst() {
  std::vector<u32> memory(kWords);
  for (u32 i = 0; i < kWords; ++i) memory[i] = i * 7 % 11;
  return memory;
}

TEST(AssistLiveOuts, AreWhatTheProgramGoesOnWith) {
  const std::string twice = making("shl.b32 %r1, %r0, 1;", atLine("add.u32 %r7, %r6, %r5") + "in=reg:%r6 out=reg:%r6");
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + twice);
  EXPECT_EQ(run(fermi(2), kWork).memory, expected(atFirst(), [](u32 word, u32) { return word; }));
  EXPECT_EQ(ran.memory, expected(atFirst(), [](u32 word, u32) { return 2 * word; }));
  EXPECT_EQ(ran.counted.deployedHigh, kAll / 32 * kRounds);
  EXPECT_EQ(ran.counted.wordsOut, ran.counted.deployedHigh);
}

// Another's value: what is only read stays.
TEST(AssistLiveOuts, MayBeOfAnotherRegisterThanIsRead) {
  const std::string sum = making("add.u32 %r1, %r0, 20;", atLine("add.u32 %r7, %r6, %r5") + "in=reg:%r5 out=reg:%r6");
  EXPECT_EQ(run(withAssistWarps(fermi(2)), kWork + sum).memory, expected(atFirst(), [](u32, u32 round) { return round + 20; }));
}

// By lanes that come to the line, and of these by those that the routine has.
TEST(AssistLiveOuts, AreOfTheLanesThatRan) {
  const auto with = [](const std::string& lanes) {
    const std::string more = making("add.u32 %r1, %r0, 100;", atLine("add.u32 %r8, %r8, %r7") + "in=reg:%r8 out=reg:%r8" + lanes);
    return run(withAssistWarps(fermi(2)), kWork + more).memory;
  };
  const std::vector<u32> plain = run(fermi(2), kWork).memory;
  for (const char* lanes : {"", " lanes=0xffff"}) {
    std::vector<u32> memory = plain;
    for (u32 i = 0; i < kAll; ++i)
      for (u32 round = 0; round < kRounds; ++round)
        if (plain[round * kAll + i] % 2 == 1 && (*lanes == '\0' || i % 32 < 16)) memory[kSums + i] += 100;
    EXPECT_EQ(with(lanes), memory) << lanes;
  }
}

// What ends the loop is the routine's: it counts to four, and the first round says that it is the last.
TEST(AssistLiveOuts, MayEndALoop) {
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + giving(3, atLine("add.u32 %r5, %r5, 1") + "out=reg:%r5"));
  EXPECT_EQ(ran.counted.deployedHigh, kAll / 32);
  const u32 sums = kSums - (kRounds - 1) * kAll;
  for (u32 i = 0; i < kAll; ++i) {
    const u32 word = i * 7 % 11;
    ASSERT_EQ(ran.memory[kRemainders + i], word % 3) << i;
    ASSERT_EQ(ran.memory[sums + i], word % 2 == 1 ? word % 3 : 0) << i;
  }
}

// Stores 5, 6, 5 and 6, all of which a compiler knows.
const std::string kConstants = kernelOf("work", R"(
  mul.wide.u32 %d2, %r4, 16;
  add.u64 %d2, %d0, %d2;
  mov.u32 %r5, 5;
  add.u32 %r6, %r5, 1;
  st.global.u32 [%d2], %r5;
  st.global.u32 [%d2+4], %r6;
  st.global.u32 [%d2+8], %r5;
  add.u32 %r6, %r5, 1;
  st.global.u32 [%d2+12], %r6;
  ret;
)");

TEST(AssistLiveOuts, AreNoConstantsOfTheCompiler) {
  const Ran ran = run(withAssistWarps(fermi(1)), kConstants + giving(40, atLine("st.global.u32 [%d2+8]", kConstants) + "out=reg:%r5"));
  const std::vector<u32> first(ran.memory.begin(), ran.memory.begin() + 4);
  EXPECT_EQ(first, (std::vector<u32>{5, 6, 40, 41}));
}

// Of two words, as an address is; and several at once.
TEST(AssistLiveOuts, MayHaveTwoWords) {
  const std::string both = ".visible .func (.param .b64 address, .param .b32 word) both(.param .b32 old, .param .b64 at)\n.pragma \"" +
                           atLine("st.global.u32 [%d2+8]", kConstants) + "in=reg:%r5,reg:%d2 out=reg:%d2,reg:%r5\";\n" + R"({
  .reg .u32 %r0;
  .reg .u64 %d0;
  ld.param.b32 %r0, [old];
  ld.param.b64 %d0, [at];
  add.u32 %r0, %r0, 30;
  add.u64 %d0, %d0, 4096;
  st.param.b64 [address], %d0;
  st.param.b32 [word], %r0;
  ret;
}
)";
  const Ran ran = run(withAssistWarps(fermi(1)), kConstants + both);
  for (u32 i = 0; i < kAll; ++i) {
    const auto own = ran.memory.begin() + i * 4;
    ASSERT_EQ(std::vector<u32>(own, own + 2), (std::vector<u32>{5, 6})) << i;
    ASSERT_EQ(std::vector<u32>(own + 1024 + 2, own + 1024 + 4), (std::vector<u32>{35, 36})) << i;
  }
  EXPECT_EQ(ran.counted.wordsOut, 3 * ran.counted.deployedHigh);
}

// In the order of the file, each with what the one before has left.
TEST(AssistLiveOuts, OfSeveralRoutinesComeOneAfterTheOther) {
  const std::string says = atLine("add.u32 %r7, %r6, %r5") + "in=reg:%r6 out=reg:%r6";
  const std::string two = making("shl.b32 %r1, %r0, 1;", says, "twice") + making("add.u32 %r1, %r0, 1;", says, "more");
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + two);
  EXPECT_EQ(ran.memory, expected(atFirst(), [](u32 word, u32) { return 2 * word + 1; }));
  EXPECT_EQ(ran.counted.refusedLive, 0u);
}

TEST(AssistLiveOuts, StayAsTheyWereWhereAFaultEndsTheRoutine) {
  const std::string trapping = making("mov.u32 %r1, 9;\n  trap;", atLine("add.u32 %r7, %r6, %r5") + "in=reg:%r6 out=reg:%r6");
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + trapping);
  EXPECT_EQ(ran.memory, run(fermi(2), kWork).memory);
  EXPECT_EQ(ran.counted.abandoned, kAll / 32 * kRounds);
  EXPECT_EQ(ran.counted.wordsOut, 0u);
}

// The warp issues nothing until they are.
TEST(AssistLiveOuts, AreMovedInTheirTime) {
  constexpr u32 kLatency = 37;
  const std::string twice = making("shl.b32 %r1, %r0, 1;", atLine("add.u32 %r7, %r6, %r5") + "in=reg:%r6 out=reg:%r6");
  const Machine machine = withAssistWarps(fermi(1), [](Settings& settings) { settings.moveLatency = kLatency; });
  const Ran ran = run(machine, kWork + twice);
  std::map<u32, u64> ended;  // last completion of an instance, by slot
  u64 seen = 0;
  for (const Step& step : ran.steps) {
    u64& last = ended[step.what.slot];
    if (step.what.helper != Context::kParent) {
      last = std::max(last, step.completed);
    } else if (last != 0) {
      ASSERT_GE(step.issued, last + kLatency);
      last = 0;
      ++seen;
    }
  }
  EXPECT_EQ(seen, ran.counted.deployedHigh);
}

TEST(AssistLiveOuts, AreTheSameHoweverTheyAreSimulated) {
  const std::string says = atLine("add.u32 %r8, %r8, %r7") + "in=reg:%r7 out=reg:%r8";
  const std::string routines = making("add.u32 %r1, %r0, 3;", says) +
                               making("add.u32 %r1, %r0, 1;", atLine("add.u32 %r5, %r5, 1") + "in=reg:%r5 out=reg:%r5", "faster");
  const Machine machine = withAssistWarps(fermi(3));
  const Ran ran = run(machine, kWork + routines);
  machines::TimingOptions options;
  options.threads = 3;
  const Ran parallel = run(machine, kWork + routines, options);
  EXPECT_EQ(parallel.all, ran.all);
  EXPECT_EQ(parallel.memory, ran.memory);
  options = {};
  options.skip = false;
  EXPECT_EQ(run(machine, kWork + routines, options).all, ran.all);
}

TEST(AssistLiveOuts, OfTheExampleSpareWhatItKnows) {
  const auto parameters = [](const u32* array) { return std::vector{reinterpret_cast<u64>(array)}; };
  const auto with = [&](const std::string& routines) {
    const Subject subject{exampleFile("steps.ptx") + routines, "steps", kBlocks, kThreads, kWords, parameters};
    return run(withAssistWarps(fermi(2)), subject);
  };
  const Ran counted = with(""), known = with(example("memoise.ptx"));
  const auto stepsOf = [](u32 left) {
    u32 steps = 0;
    for (; left > 1; ++steps) left = left % 2 == 1 ? 3 * left + 1 : left / 2;
    return steps;
  };
  std::vector<u32> memory = atFirst();
  for (u32 i = 0; i < kRounds * kAll; ++i) memory[i] = stepsOf(memory[i]);
  EXPECT_EQ(counted.memory, memory);
  EXPECT_EQ(known.memory, memory);
  EXPECT_LT(2 * known.result.stats.sm.warpInstructions, counted.result.stats.sm.warpInstructions);
  EXPECT_EQ(known.counted.deployedHigh, 2 * kAll / 32 * kRounds);
}

class AssistLiveOutFile : public AssistFile {};

TEST_F(AssistLiveOutFile, IsRefusedWhereTheyDoNotFit) {
  const auto said = [&](const std::string& live) { return refusal(giving(1, atLine("add.u32 %r7, %r6, %r5") + live)); };
  EXPECT_EQ(said("out=reg:%r6"), "");
  EXPECT_EQ(said("out=reg:%r66 kernel=other"), "") << "of another kernel";
  EXPECT_NE(said("out=reg:%r66").find("wants the register '%r66' of kernel 'work', which has none of that name"), std::string::npos)
      << said("out=reg:%r66");
  EXPECT_NE(said("out=reg:%r66").find("did you mean '%r6'?"), std::string::npos) << said("out=reg:%r66");
  EXPECT_NE(said("out=reg:%p0").find("predicate"), std::string::npos) << said("out=reg:%p0");
  EXPECT_NE(said("out=reg:%d1").find("has a result of 4 bytes for the register '%d1' of kernel 'work', which has 8"), std::string::npos)
      << said("out=reg:%d1");
  EXPECT_NE(said("out=reg").find("the live-out 'reg' names no register"), std::string::npos) << said("out=reg");
  EXPECT_NE(said("out=count:%r6").find("has a name"), std::string::npos) << said("out=count:%r6");
  EXPECT_NE(said("out=reg:%r6,reg:%r6").find("two results go to the register '%r6'"), std::string::npos) << said("out=reg:%r6,reg:%r6");
  EXPECT_NE(said("out=reg:%r6,count").find("names 2 results, and it has 1"), std::string::npos) << said("out=reg:%r6,count");
  const std::string line = "assist on=line" + lineOf(kWork, "add.u32 %r7, %r6, %r5") + " out=reg:%r6";
  for (const char* priority : {"", " priority=normal", " priority=low"})
    EXPECT_NE(refusal(giving(1, line + priority)).find("before its result is there"), std::string::npos) << priority;
  EXPECT_NE(refusal(giving(1, "assist on=store priority=high out=reg:%r6")).find("at its lines and labels alone"), std::string::npos);
}

// A register of 16 bits lies in a word, whose upper half is none of the routine's business.
TEST_F(AssistLiveOutFile, IsRefusedForRegistersOfLessThanAWord) {
  const std::string narrow = R"(
.visible .entry narrow(.param .u64 out)
{
  .reg .u16 %h0;
  .reg .u64 %d0;
  ld.param.u64 %d0, [out];
  ld.global.u16 %h0, [%d0];
  st.global.u16 [%d0+2], %h0;
  ret;
}
)";
  const auto with = device(giving(1, atLine("st.global.u16", narrow) + "out=reg:%h0"));
  try {
    with->loadModule(kHead + narrow, "narrow.ptx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("name one of 32 bits or more"), std::string::npos) << error.what();
  }
}

constexpr u32 kSumsOfAThread = 7;

// A kernel that makes seven sums of the thread's number and more, does `work`, which leaves something in %r5, and stores that and the sums:
// 8 words a thread. %d2 is its place, and %r14 is 0, for all that a compiler knows after the last of the sums.
std::string amongSums(const std::string& work) {
  const auto sum = [](u32 i) { return "%r" + std::to_string(6 + i); };
  std::string sums, together, stores;
  for (u32 i = 0; i < kSumsOfAThread; ++i) {
    sums += "  add.u32 " + sum(i) + ", %r4, " + std::to_string(100 + i) + ";\n";
    together += "  or.b32 %r14, %r14, " + sum(i) + ";\n";
    stores += "  st.global.u32 [%d2+" + std::to_string(4 + 4 * i) + "], " + sum(i) + ";\n";
  }
  const std::string place = "\n  mul.wide.u32 %d2, %r4, 32;\n  add.u64 %d2, %d0, %d2;\n";
  return kernelOf("work", place + sums + "  mov.u32 %r14, %r4;\n" + together + "  shr.u32 %r14, %r14, 20;\n" + work +
                              "  st.global.u32 [%d2], %r5;\n" + stores + "  ret;\n");
}

void expectSums(const Ran& ran, const std::function<u32(u32)>& first) {
  EXPECT_EQ(ran.counted.deployedHigh, kAll / 32);
  for (u32 i = 0; i < kAll; ++i) {
    ASSERT_EQ(ran.memory[8 * i], first(i)) << i;
    for (u32 sum = 0; sum < kSumsOfAThread; ++sum) ASSERT_EQ(ran.memory[8 * i + 1 + sum], i + 100 + sum) << i;
  }
}

// The register behind that of the load is a sum's, as the thread's number keeps the first one.
TEST(AssistLiveOuts, WiderThanALoadLeaveTheRegistersBehindItsOwn) {
  const std::string wide = R"(
.visible .func (.param .b64 given) wide()
.pragma "assist on=load priority=high out=value";
{
  .reg .u64 %d0;
  mov.u64 %d0, 0x700000007;
  st.param.b64 [given], %d0;
  ret;
}
)";
  const std::string load = R"(
  mul.wide.u32 %d3, %r14, 4;
  add.u64 %d3, %d2, %d3;
  ld.global.u32 %r5, [%d3+28];
  add.u32 %r5, %r5, %r4;
)";
  expectSums(run(withAssistWarps(fermi(1)), amongSums(load) + wide), [](u32 i) { return 7 + i; });
}

// A copy to shared memory loads, too. The last sum is in the first register.
TEST(AssistLiveOuts, OfALoadWithoutARegisterGoNowhere) {
  const std::string copy = R"(
  mov.u32 %r13, tile;
  mad.lo.u32 %r13, %r1, 4, %r13;
  cp.async.ca.shared.global [%r13], [%d2+28], 4;
  cp.async.wait_all;
  mov.u32 %r5, 3;
)";
  const Subject subject{".version 7.5\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 tile[512];\n" + amongSums(copy) +
                            giving(7, "assist on=load priority=high out=value"),
                        "work",
                        kBlocks,
                        kThreads,
                        kWords,
                        [](const u32* array) { return std::vector{reinterpret_cast<u64>(array)}; }};
  expectSums(run(withAssistWarps(fermi(1)), subject), [](u32) { return 3u; });
}

}  // namespace
}  // namespace warpwright::assist_tests
