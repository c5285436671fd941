// What the compiler knows of addresses, at the final pc, with the numbers of a launch.
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/compiler.hpp"
#include "compiler/patterns/access_pattern.hpp"
#include "compiler/patterns/launch_pattern.hpp"
#include "compiler/patterns/pattern_text.hpp"
#include "ptx/parser.hpp"

namespace warpwright::compiler {
namespace {

constexpr u64 kA = 0x1000'0000, kB = 0x2000'0000;
constexpr s32 kN = 640;

// Parameters: addresses a and b, a number n.
std::string kernel(const std::string& body) {
  return ".version 7.8\n.target sm_70\n.address_size 64\n.global .align 4 .b8 table[4096];\n"
         ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"
         "  .reg .pred %p<9>;\n  .reg .b32 %r<40>;\n  .reg .b64 %d<40>;\n  .reg .b16 %h<9>;\n  .reg .f32 %f<9>;\n"
         "  ld.param.u64 %d0, [a];\n  ld.param.u64 %d1, [b];\n  ld.param.u32 %r0, [n];\n"
         "  mov.u32 %r1, %tid.x;\n  mov.u32 %r2, %tid.y;\n  mov.u32 %r3, %ctaid.x;\n  mov.u32 %r4, %ctaid.y;\n  mov.u32 %r5, %ntid.x;\n" +
         body + "  ret;\n}\n";
}

// The first access to global memory, in blocks of 64 x 4 and a grid of 10 x 3.
class Launched {
 public:
  explicit Launched(const std::string& body) {
    Options options;
    options.analyses = {&kAccessPatterns};
    program_ = compile(ptx::parse(kernel(body), "test.ptx"), options);
    parameters_.resize(20);
    std::memcpy(parameters_.data(), &kA, 8);
    std::memcpy(parameters_.data() + 8, &kB, 8);
    std::memcpy(parameters_.data() + 16, &kN, 4);
  }

  const AccessPattern& code() const {
    for (Pc pc{0}; pc < program_.code.size(); ++pc)
      if (const AccessPattern* pattern = patternAt(program_, pc)) return *pattern;
    throw Error("no access");
  }
  std::vector<LaunchPattern> versions() const { return evaluateVersions(code(), values()); }
  // Of all accesses.
  std::vector<LaunchPattern> patterns() const {
    std::vector<LaunchPattern> all;
    for (Pc pc{0}; pc < program_.code.size(); ++pc)
      if (const AccessPattern* pattern = patternAt(program_, pc)) all.push_back(evaluate(*pattern, values()));
    return all;
  }
  LaunchPattern pattern() const { return evaluate(code(), values()); }
  std::string text() const { return textOf(code(), program_, *program_.findFunction("k")); }

 private:
  LaunchValues values() const {
    static constexpr GlobalAddress kTable{0x3000'0000};
    return {{10, 3, 1}, {64, 4, 1}, parameters_, {&kTable, 1}, 64};
  }

  isa::Program program_;
  std::vector<u8> parameters_;
};

std::string load(const std::string& address) { return "  ld.global.f32 %f0, [" + address + "];\n  st.shared.f32 [0], %f0;\n"; }

// a[ctaid.x ntid.x + tid.x]
TEST(AccessPatterns, FollowPairsThroughWideMultiplications) {
  const Launched launched("  mad.lo.s32 %r6, %r3, %r5, %r1;\n  mul.wide.s32 %d2, %r6, 4;\n  add.s64 %d3, %d0, %d2;\n" + load("%d3+8"));
  const LaunchPattern pattern = launched.pattern();
  ASSERT_TRUE(pattern.isKnown()) << textOf(pattern);
  EXPECT_EQ(pattern.y, (IndexSum{0, 0, 0, 256, 4, s64{kA} + 8}));
  EXPECT_FALSE(pattern.isSkewed());
  EXPECT_EQ(pattern.addressOf({5, 0, 0}, {2, 1, 0}), kA + 8 + 4 * (2 * 64 + 5));
  EXPECT_TRUE(launched.code().isLoad);
  EXPECT_EQ(launched.code().bytes, 4U);
}

// b[(ctaid.y 4 + tid.y) n + tid.x], with an addend in its high word: 4 (n (4 ctaid.y + tid.y) + tid.x).
TEST(AccessPatterns, HaveParametersAsFactors) {
  const Launched launched(
      "  shl.b32 %r6, %r4, 2;\n  add.s32 %r6, %r6, %r2;\n  mad.lo.s32 %r7, %r6, %r0, %r1;\n  cvt.s64.s32 %d2, %r7;\n"
      "  shl.b64 %d2, %d2, 2;\n  add.s64 %d3, %d1, %d2;\n" +
      load("%d3"));
  EXPECT_EQ(launched.pattern().y, (IndexSum{0, 16 * kN, 4 * kN, 0, 4, s64{kB}}));
}

// 64-bit sums word by word, with a carry between them.
TEST(AccessPatterns, FollowCarries) {
  const Launched launched(
      "  shl.b32 %r6, %r1, 3;\n  mov.b64 {%r7, %r8}, %d0;\n  add.cc.u32 %r9, %r7, %r6;\n  addc.u32 %r10, %r8, 0;\n"
      "  mov.b64 %d3, {%r9, %r10};\n" +
      load("%d3"));
  const LaunchPattern pattern = launched.pattern();
  ASSERT_TRUE(pattern.isKnown()) << textOf(pattern);
  EXPECT_EQ(pattern.y, (IndexSum{0, 0, 0, 0, 8, s64{kA}}));
}

// Section 6.3.2: + - * / << >> & | and the logical ones.
TEST(AccessPatterns, KnowTheTransitionOperations) {
  // (tid.x 48 / 3 | 5) - (~tid.y) = 16 tid.x + 5 + tid.y + 1
  const Launched launched(
      "  mul.lo.u32 %r6, %r1, 48;\n  div.u32 %r6, %r6, 3;\n  or.b32 %r6, %r6, 5;\n  not.b32 %r7, %r2;\n"
      "  sub.s32 %r6, %r6, %r7;\n  mul.wide.s32 %d2, %r6, 4;\n  add.s64 %d3, %d0, %d2;\n" +
      load("%d3"));
  const LaunchPattern pattern = launched.pattern();
  ASSERT_TRUE(pattern.isKnown()) << textOf(pattern);
  EXPECT_EQ(pattern.y, (IndexSum{0, 0, 4, 0, 64, s64{kA} + 24}));
  // (4 tid.x ^ 3) >> 1 is no sum, but (8 tid.x ^ 4) >> 2 is: 2 tid.x + 1.
  const Launched shifted(
      "  shl.b32 %r6, %r1, 3;\n  xor.b32 %r6, %r6, 4;\n  shr.u32 %r6, %r6, 2;\n  mul.wide.u32 %d2, %r6, 4;\n"
      "  add.s64 %d3, %d0, %d2;\n" +
      load("%d3"));
  EXPECT_EQ(shifted.pattern().y, (IndexSum{0, 0, 0, 0, 8, s64{kA} + 4}));
}

// A butterfly's lower element, with a stride that is a parameter: ((x - (x & (s - 1))) << 2) + (x & (s - 1)), s = 2^7 here.
TEST(AccessPatterns, SkewedOnesHaveTwoSectionsOfASum) {
  const Launched launched(
      "  mad.lo.s32 %r6, %r3, %r5, %r1;\n  div.s32 %r7, %r0, 5;\n  sub.s32 %r8, %r7, 1;\n  and.b32 %r9, %r6, %r8;\n"
      "  sub.s32 %r10, %r6, %r9;\n  shl.b32 %r10, %r10, 2;\n  add.s32 %r10, %r10, %r9;\n  mul.wide.s32 %d2, %r10, 4;\n"
      "  add.s64 %d3, %d0, %d2;\n" +
      load("%d3"));
  const LaunchPattern pattern = launched.pattern();
  ASSERT_TRUE(pattern.isKnown()) << textOf(pattern);
  ASSERT_EQ(pattern.sections.size(), 2U) << textOf(pattern);
  EXPECT_EQ(pattern.y, (IndexSum{0, 0, 0, 64, 1, 0}));
  EXPECT_EQ(pattern.sections[0], (BitSection{6, 0, 0}));
  EXPECT_EQ(pattern.sections[1], (BitSection{9, 7, 9}));  // y has ten bits: 640 threads in a row of blocks
  EXPECT_EQ(pattern.alpha, 4);
  EXPECT_EQ(pattern.beta, s64{kA});
  const u64 x = 9 * 64 + 17;
  EXPECT_EQ(pattern.addressOf({17, 0, 0}, {9, 0, 0}), kA + 4 * ((x - x % 128) * 4 + x % 128));
}

// A mask that holds all there is leaves a sum: blocks are 64 wide.
TEST(AccessPatterns, MasksThatHoldAllThreadsAreNone) {
  const Launched launched("  and.b32 %r6, %r1, 127;\n  mul.wide.u32 %d2, %r6, 4;\n  add.s64 %d3, %d0, %d2;\n" + load("%d3"));
  EXPECT_EQ(launched.pattern().y, (IndexSum{0, 0, 0, 0, 4, s64{kA}}));
  EXPECT_FALSE(launched.pattern().isSkewed());
}

constexpr const char* kLoop =
    "  mul.wide.u32 %d2, %r1, 4;\n  add.s64 %d3, %d0, %d2;\n  mul.wide.s32 %d4, %r0, 8;\n  mov.u32 %r6, 0;\n"
    "L:\n  ld.global.f32 %f0, [%d3];\n  st.shared.f32 [0], %f0;\n  add.s64 %d3, %d3, %d4;\n  add.s32 %r6, %r6, 1;\n"
    "  setp.lt.s32 %p0, %r6, %r0;\n  @%p0 bra L;\n";

TEST(AccessPatterns, LoopsMoveTheSumByASteps) {
  const Launched launched(kLoop);
  const LaunchPattern pattern = launched.pattern();
  ASSERT_TRUE(pattern.isKnown()) << textOf(pattern);
  EXPECT_EQ(pattern.y, (IndexSum{0, 0, 0, 0, 4, s64{kA}}));
  EXPECT_EQ(pattern.steps, (std::vector<s64>{4 * 8 * kN})) << "four times unrolled";
}

// What is left of an unrolled loop goes on where that has ended.
TEST(AccessPatterns, LoopsBehindLoopsAddTheirSteps) {
  const Launched launched(kLoop);
  const LaunchPattern last = launched.patterns().back();
  ASSERT_TRUE(last.isKnown()) << textOf(last);
  EXPECT_EQ(last.y, (IndexSum{0, 0, 0, 0, 4, s64{kA}}));
  EXPECT_EQ(last.steps, (std::vector<s64>{8 * kN, 4 * 8 * kN}));
}

// What a register held before a loop, what it holds before and behind its update, and what a copy of it has of an iteration before.
TEST(AccessPatterns, SumsAreOfTheIterationInWhichTheyAreMade) {
  const auto steps = [](const std::string& body) {
    const std::string head = "  mov.u32 %r6, %r1;\n  mov.u32 %r7, 0;\n  mul.lo.s32 %r8, %r6, 3;\n  bar.sync 0;\nL:\n";
    return Launched(head + body + "  setp.ne.s32 %p0, %r7, 99;\n  bar.sync 0;\n  @%p0 bra L;\n").pattern();
  };
  const std::string grow = "  add.s32 %r6, %r6, 5;\n  add.s32 %r7, %r7, 7;\n";
  const std::string use = "  mul.wide.s32 %d2, %r9, 4;\n  add.s64 %d3, %d0, %d2;\n" + load("%d3");
  const LaunchPattern start = steps("  add.s32 %r9, %r8, %r7;\n" + use + grow);
  EXPECT_EQ(start.y, (IndexSum{0, 0, 0, 0, 12, s64{kA}}));
  EXPECT_EQ(start.steps, (std::vector<s64>{4 * 28})) << "four times unrolled";
  EXPECT_EQ(steps("  add.s32 %r9, %r6, %r7;\n" + use + grow).y.f, s64{kA});
  EXPECT_EQ(steps(grow + "  add.s32 %r9, %r6, %r7;\n" + use).y.f, s64{kA} + 4 * 12);
  EXPECT_EQ(steps("  add.s32 %r6, %r6, 5;\n  add.s32 %r9, %r6, %r7;\n  add.s32 %r7, %r7, 7;\n" + use).y.f, s64{kA} + 4 * 5);
}

TEST(AccessPatterns, PathsThroughTheProgramGiveVersions) {
  const Launched launched(
      "  mov.u64 %d4, %d0;\n  setp.eq.s32 %p0, %r0, 7;\n  @%p0 bra L;\n  mov.u64 %d4, %d1;\nL:\n"
      "  mul.wide.u32 %d2, %r1, 4;\n  add.s64 %d3, %d4, %d2;\n" +
      load("%d3"));
  const std::vector<LaunchPattern> versions = launched.versions();
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_EQ(versions[0].y.e, 4);
  EXPECT_EQ(versions[0].y.f + versions[1].y.f, s64{kA + kB});
  EXPECT_EQ(launched.pattern().failure, PatternFailure::versions);
}

TEST(AccessPatterns, VariablesHaveAddressesAtTheLaunch) {
  const Launched launched("  mul.wide.u32 %d2, %r1, 4;\n  mov.u64 %d4, table;\n  add.s64 %d3, %d4, %d2;\n" + load("%d3+16"));
  EXPECT_EQ(launched.pattern().y, (IndexSum{0, 0, 0, 0, 4, 0x3000'0010}));
}

PatternFailure failureOf(const std::string& body) { return Launched(body).pattern().failure; }
const std::string kIndexed = "  mul.wide.s32 %d2, %r6, 4;\n  add.s64 %d3, %d0, %d2;\n" + load("%d3");

TEST(AccessPatterns, SayWhyTheyAreNotKnown) {
  EXPECT_EQ(failureOf("  ld.shared.u32 %r6, [16];\n" + kIndexed), PatternFailure::loaded);
  EXPECT_EQ(failureOf("  mov.u32 %r6, %laneid;\n" + kIndexed), PatternFailure::exchanged);
  EXPECT_EQ(failureOf("  min.s32 %r6, %r1, %r0;\n" + kIndexed), PatternFailure::operation);
  EXPECT_EQ(failureOf("  mul.lo.s32 %r6, %r1, %r2;\n" + kIndexed), PatternFailure::product);
  EXPECT_EQ(failureOf("  and.b32 %r6, %r1, 15;\n  and.b32 %r7, %r2, 1;\n  add.s32 %r6, %r6, %r7;\n" + kIndexed),
            PatternFailure::composition);
  EXPECT_EQ(failureOf("  sub.s32 %r7, %r1, 3;\n  cvt.u64.u32 %d2, %r7;\n  add.s64 %d3, %d0, %d2;\n" + load("%d3")), PatternFailure::wraps);
  const std::string head = "  mov.u32 %r6, 1;\n  mov.u32 %r7, 0;\nL:\n", tail = "  add.s32 %r7, %r7, 1;\n  setp.lt.s32 %p0, %r7, ";
  EXPECT_EQ(failureOf(head + kIndexed + "  mul.lo.s32 %r6, %r6, 5;\n" + tail + "%r0;\n  @%p0 bra L;\n"), PatternFailure::step);
  EXPECT_EQ(failureOf(head + kIndexed + "  setp.gt.s32 %p1, %r1, %r7;\n  @%p1 add.s32 %r6, %r6, 5;\n" + tail + "%r0;\n  @%p0 bra L;\n"),
            PatternFailure::step);
  EXPECT_EQ(Launched("  min.s32 %r6, %r1, %r0;\n" + kIndexed).code().obstacle, isa::Opcode::min);
}

TEST(AccessPatterns, ReadLikeSums) {
  const Launched launched("  mad.lo.s32 %r6, %r3, %r5, %r1;\n  mul.wide.s32 %d2, %r6, 4;\n  add.s64 %d3, %d0, %d2;\n" + load("%d3+8"));
  EXPECT_EQ(launched.text(), "4 tid.x + param0 + 4 ntid.x ctaid.x + 8");
  EXPECT_EQ(textOf(launched.pattern()), "256 ctaid.x + 4 tid.x + 0x10000008");
  EXPECT_EQ(textOf(Launched(kLoop).pattern()), "4 tid.x + 0x10000000, by 20480 in each iteration");
}

}  // namespace
}  // namespace warpwright::compiler
