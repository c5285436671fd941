// What routines keep in registers for their warp, what they know of the instruction that triggers them, and what of their memory is
// reported.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

// A routine that gives what it has in %r0 back in %r1.
std::string keeping(const std::string& made, const std::string& annotation, const std::string& name) {
  return ".visible .func (.param .b32 now) " + name + "(.param .b32 before)\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<2>;
  ld.param.b32 %r0, [before];
  )" + made +
         R"(
  st.param.b32 [now], %r1;
  ret;
}
)";
}

// Each store adds one; the last store of a warp, one line further, counts what was kept.
TEST(AssistKept, IsWhatTheInstanceBeforeLeft) {
  const std::string group = " group=steps";
  const std::string step = keeping("add.u32 %r1, %r0, 1;", "assist on=store priority=high in=kept:n out=kept:n" + group, "step");
  const std::string sum = keeping("mov.u32 %r1, %r0;", "assist on=atomic priority=high in=kept:n out=count" + group, "sum");
  const Ran ran = run(withAssistWarps(fermi(2)), kWork + step + sum);
  EXPECT_EQ(ran.counted.counted, u64{kAll} * (kRounds + 1)) << "of each lane, before the atomic at the end";
}

TEST(AssistKept, IsOfAGroup) {
  const std::string step = keeping("add.u32 %r1, %r0, 1;", "assist on=store priority=high in=kept:n out=kept:n", "step");
  const std::string sum = keeping("mov.u32 %r1, %r0;", "assist on=atomic priority=high in=kept:n out=count", "sum");
  EXPECT_EQ(run(withAssistWarps(fermi(2)), kWork + step + sum).counted.counted, 0u);
}

TEST(AssistKept, IsOfTheLanesThatRan) {
  const std::string group = " group=steps";
  const std::string step = keeping("add.u32 %r1, %r0, 1;", "assist on=store priority=high lanes=0xff in=kept:n out=kept:n" + group, "step");
  const std::string sum = keeping("mov.u32 %r1, %r0;", "assist on=atomic priority=high in=kept:n out=count" + group, "sum");
  EXPECT_EQ(run(withAssistWarps(fermi(2)), kWork + step + sum).counted.counted, u64{kAll} / 4 * (kRounds + 1));
}

TEST_F(AssistFile, AddsTheRegistersThatAreKept) {
  const auto with = device(keeping("add.u32 %r1, %r0, 1;", "assist on=store in=kept:n out=kept:n", "step"));
  const isa::Program& program = with->loadModule(std::string(kHead) + kWork, "work.ptx").loaded->program;
  const mechanisms::Mechanisms mechanisms = mechanisms::makeMechanisms(with->settings().machine);
  const mechanisms::BlockNeeds needs = mechanisms::needsOf(mechanisms, program, *program.findFunction("work"));
  EXPECT_EQ(needs.registers, program.findFunction("step")->registers + 1);
}

// Moves of what is given back may still be under way when the warp has ended: nothing is killed then.
TEST(AssistKept, IsMovedWhenTheWarpHasEnded) {
  const std::string last = keeping("add.u32 %r1, %r0, 1;", "assist on=atomic in=kept:n out=kept:n", "last");
  const auto slowly = [](Settings& settings) { settings.moveLatency = 100; };
  const Ran ran = run(withAssistWarps(fermi(2), slowly), kWork + last);
  EXPECT_EQ(ran.counted.triggered, kAll / 32);
  EXPECT_EQ(ran.memory, run(fermi(2), kWork).memory);
}

TEST_F(AssistFile, KeptRegistersHaveOneWidth) {
  const std::string two = keeping("mov.u32 %r1, %r0;", "assist on=store in=kept:n out=count group=g", "one") +
                          ".visible .func other(.param .b64 word)\n.pragma \"assist on=load in=kept:n group=g\";\n{ ret; }\n";
  EXPECT_NE(refusal(two).find("the kept register 'n' has"), std::string::npos) << refusal(two);
}

// --- reports
// Adds one to the word of its memory that its argument, modulo 64, says.
std::string tallying(const std::string& annotation) {
  return ".visible .func tallying(.param .b32 what, .param .b32 memory)\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<4>;
  ld.param.b32 %r0, [what];
  ld.param.b32 %r1, [memory];
  and.b32 %r0, %r0, 63;
  mad.lo.u32 %r2, %r0, 4, %r1;
  ld.shared.u32 %r3, [%r2];
  add.u32 %r3, %r3, 1;
  st.shared.u32 [%r2], %r3;
  ret;
}
)";
}

std::vector<u64> reportOf(const Ran& ran) { return ran.routines.at("assist_routine_tallying").reported.counts(); }

u32 numberOfLine(const std::string& text) { return static_cast<u32>(std::stoul(lineOf(kWork, text).substr(1))); }

TEST(AssistReport, OfBuffersIsTheSumOverWarpsAndBlocks) {
  const Ran ran =
      run(withAssistWarps(fermi(2)), kWork + tallying("assist on=divergence priority=high in=line,buffer buffer=256 report=buffer"));
  const std::vector<u64> lines = reportOf(ran);
  ASSERT_EQ(lines.size(), 64u);
  std::vector<u64> expected(64);
  expected[numberOfLine("@%p0 bra even") % 64] = kAll / 32 * kRounds;
  EXPECT_EQ(lines, expected);
}

// One warp a block, so that nobody else uses the table.
TEST(AssistReport, OfTablesIsTheSumOverBlocks) {
  Subject subject{kHead + kWork + tallying("assist on=store priority=high in=line,table table=256 report=table"),
                  "work",
                  kBlocks,
                  32,
                  kWords,
                  [](const u32* array) { return std::vector{reinterpret_cast<u64>(array)}; }};
  const std::vector<u64> lines = reportOf(run(withAssistWarps(fermi(2)), subject));
  ASSERT_EQ(lines.size(), 64u);
  EXPECT_EQ(std::accumulate(lines.begin(), lines.end(), u64{0}), u64{kBlocks} * (kRounds + 1));
}

TEST(AssistReport, OfTwoTablesIsOfEach) {
  std::string other = tallying("assist on=load priority=high in=bytes,table table=256 report=table");
  for (std::size_t at = other.find("tallying"); at != std::string::npos; at = other.find("tallying", at)) other.replace(at, 8, "ofLoads");
  const std::string ofStores = tallying("assist on=store priority=high in=bytes,table table=256 report=table");
  Subject subject{kHead + kWork + other + ofStores,
                  "work",
                  kBlocks,
                  32,
                  kWords,
                  [](const u32* array) {
                    return std::vector{reinterpret_cast<u64>(array)}; }};
  const Ran ran = run(withAssistWarps(fermi(2)), subject);
  const std::vector<u64> stores = reportOf(ran), loads = ran.routines.at("assist_routine_ofLoads").reported.counts();
  EXPECT_EQ(std::accumulate(stores.begin(), stores.end(), u64{0}), ran.routines.at("assist_routine_tallying").deployed);
  EXPECT_EQ(std::accumulate(loads.begin(), loads.end(), u64{0}), ran.routines.at("assist_routine_ofLoads").deployed);
  EXPECT_NE(loads, stores);
}

TEST(AssistReport, IsTheSameOnAnyNumberOfThreads) {
  const std::string code = kWork + tallying("assist on=miss lanes=1 in=pc,buffer buffer=256 report=buffer");
  machines::TimingOptions four;
  four.threads = 4;
  EXPECT_EQ(run(withAssistWarps(fermi(4)), code).all, run(withAssistWarps(fermi(4)), code, four).all);
}

// A miss has the place in the code of the load that missed.
TEST(AssistReport, MissesKnowTheirInstruction) {
  const Ran ran =
      run(withAssistWarps(fermi(2)), kWork + tallying("assist on=miss priority=high lanes=1 in=line,buffer buffer=256 report=buffer"));
  const std::vector<u64> lines = reportOf(ran);
  std::vector<u64> others = lines;
  for (const char* load : {"ld.global.u32 %r6", "ld.global.u32 %r10"}) others[numberOfLine(load) % 64] = 0;
  EXPECT_GT(lines[numberOfLine("ld.global.u32 %r6") % 64], 0u);
  EXPECT_EQ(std::accumulate(others.begin(), others.end(), u64{0}), 0u);
}

// --- the examples of docs/assist-warps
u64 sumOf(const std::vector<u64>& words) { return std::accumulate(words.begin(), words.end(), u64{0}); }

TEST(AssistReport, OfTheExamplesCountsBranchesMissesAndValues) {
  const Ran plain = run(fermi(2), kWork);
  const auto reported = [&](const std::string& file, const std::string& routine) {
    const Ran ran = run(withAssistWarps(fermi(2)), kWork + example("profiling/" + file));
    EXPECT_EQ(ran.memory, plain.memory);
    return ran.routines.at("assist_routine_" + routine).reported.counts();
  };
  const std::vector<u64> branches = reported("branches.ptx", "divergenceByLine");
  EXPECT_EQ(branches.at(numberOfLine("@%p0 bra even")), u64{kAll} / 32 * kRounds);
  EXPECT_EQ(sumOf(branches), u64{kAll} / 32 * kRounds);
  EXPECT_GT(sumOf(reported("misses.ptx", "missesByRange")), 0u);
  std::vector<u64> lengths(33);  // of the remainders, and of the sums
  for (u32 i = 0; i < kAll; ++i) {
    for (u32 round = 0; round < kRounds; ++round) ++lengths[std::bit_width(plain.memory[kRemainders + round * kAll + i])];
    ++lengths[std::bit_width(plain.memory[kSums + i])];
  }
  EXPECT_EQ(reported("values.ptx", "valuesByLength"), lengths);
}

// Eight loads of a warp, one line behind the other.
TEST(AssistPrefetches, OfTheExamplesBringWhatIsLoadedNext) {
  const std::string walk = kernelOf("work", R"(
  mov.u32 %r5, 0;
  mov.u32 %r7, 0;
  mov.u64 %d2, %d1;
round:
  .pragma "nounroll";
  ld.global.u32 %r6, [%d2];
  add.u32 %r7, %r7, %r6;
  div.u32 %r8, %r7, 3;
  add.u32 %r7, %r8, %r7;
  add.u64 %d2, %d2, 3072;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p0, %r5, 16;
  @%p0 bra round;
  st.global.u32 [%d1+49152], %r7;
  ret;
)");
  const Ran plain = run(fermi(2), walk), ran = run(withAssistWarps(fermi(2)), walk + example("prefetching/strides.ptx"));
  EXPECT_EQ(ran.memory, plain.memory);
  const mem::PrefetchStats& lines = ran.result.stats.l1d.prefetched;
  EXPECT_GT(lines.used + lines.late, kAll / 32u);
  EXPECT_LE(lines.lines - lines.used - lines.late, kAll / 32u * 2) << "two strides behind the end of each warp";
}

}  // namespace
}  // namespace warpwright::assist_tests
