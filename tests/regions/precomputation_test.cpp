// Speculative precomputation: slices of loops that run ahead of them.
#include <gtest/gtest.h>

#include "assist_programs.hpp"
#include "mechanisms/precomputation/settings.hpp"

namespace warpwright::assist_tests {
namespace {

namespace precomputation = mechanisms::precomputation;

Machine withPrecomputation(const std::function<void(precomputation::Settings&)>& change = {}) {
  Machine machine = withAssistWarps(fermi(2));
  machine.mechanisms.add(config::mechanismKind("precomputation"));
  if (change) change(*std::any_cast<precomputation::Settings>(machine.mechanisms.find("precomputation")));
  return machine;
}

// Eight rounds, in each of which a thread loads a number, and with it what it stands for: `between` the two, `behind` both.
std::string gathering(const std::string& between = "", const std::string& behind = "") {
  return kernelOf("work", R"(
  mov.u32 %r5, 0;
  mov.u32 %r8, 0;
  mov.u64 %d3, %d1;
round:
  .pragma "nounroll";
  ld.global.u32 %r6, [%d3];
  mul.wide.u32 %d2, %r6, 256;)" +
                              between + R"(
  add.u64 %d2, %d0, %d2;
  ld.global.u32 %r7, [%d2+8192];
  add.u32 %r8, %r8, %r7;
  add.u64 %d3, %d3, 512;)" + behind +
                              R"(
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 8;
  @%p1 bra round;
  st.global.u32 [%d1+40960], %r8;
  ret;
)");
}

u64 prefetches(const Ran& ran) {
  const auto of = [](const auto& counter) { return counter[mem::AccessType::prefetch]; };
  const auto& l1 = ran.result.stats.l1d;
  return of(l1.hits) + of(l1.misses) + of(l1.merges);
}

TEST(Precomputation, FetchesWhatTheLoopWillLoadAndChangesNothing) {
  const Ran plain = run(fermi(2), gathering()), ran = run(withPrecomputation(), gathering());
  EXPECT_EQ(ran.memory, plain.memory);
  EXPECT_EQ(ran.counted.triggered, kAll / 32 * 8);
  EXPECT_GT(ran.counted.deployedLow, 0u);
  EXPECT_EQ(prefetches(plain), 0u);
  EXPECT_GT(prefetches(ran), 0u);
}

// A step that no address can hold.
TEST(Precomputation, RunsTheLoopsOwnStepsAhead) {
  const std::string code = gathering("", "xor.b64 %d3, %d3, 4;");
  const Ran near = run(withPrecomputation([](auto& each) { each.distance = 1; }), code);
  const Ran far = run(withPrecomputation([](auto& each) { each.distance = 5; }), code);
  EXPECT_EQ(near.routines.size(), 1u);
  EXPECT_GT(far.counted.instructions / far.counted.deployedLow, near.counted.instructions / near.counted.deployedLow + 2);
}

TEST(Precomputation, LeavesAloneWhatNeedsNoLoadUnlessItIsAskedTo) {
  const std::string code = gathering("mul.wide.u32 %d2, %r5, 256;");
  EXPECT_TRUE(run(withPrecomputation(), code).routines.empty());
  EXPECT_EQ(run(withPrecomputation([](auto& each) { each.direct = true; }), code).routines.size(), 2u)
      << "their registers are too many for one";
  EXPECT_TRUE(run(withPrecomputation([](auto& each) { each.kernels = "other"; }), gathering()).routines.empty());
}

// What an iteration computes in some of its ways alone is no part of a slice.
TEST(Precomputation, TakesWhatEachIterationComputesAlone) {
  const std::string branch = "and.b32 %r9, %r6, 1;\n setp.eq.u32 %p0, %r9, 0;\n @%p0 bra even;\n";
  EXPECT_EQ(run(withPrecomputation(), gathering("", branch + "add.u32 %r8, %r8, 1;\neven:")).routines.size(), 1u);
  EXPECT_TRUE(run(withPrecomputation(), gathering(branch + "add.u64 %d2, %d2, 4;\neven:")).routines.empty());
  EXPECT_TRUE(run(withPrecomputation(), gathering("", branch + "add.u64 %d3, %d3, 4;\neven:")).routines.empty());
  EXPECT_TRUE(run(withPrecomputation(), gathering("setp.eq.u32 %p0, %r6, 0;\n @%p0 add.u64 %d2, %d2, 4;\n")).routines.empty());
}

TEST(Precomputation, IsTheSameAtAnyNumberOfThreads) {
  machines::TimingOptions several;
  several.threads = 3;
  EXPECT_EQ(run(withPrecomputation(), gathering()).all, run(withPrecomputation(), gathering(), several).all);
}

}  // namespace
}  // namespace warpwright::assist_tests
