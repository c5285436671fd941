// Every policy of the warp schedulers lets every warp come to its end: at barriers, behind fences, with atomics; and however the machine is
// simulated, it takes the same cycles.
#include <gtest/gtest.h>

#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"
#include "stats/json.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using testing::fermi;
using testing::TimedMachine;

constexpr u32 kThreads = 256, kBlocks = 4;

// Four rounds: each thread adds what its mirror image in the block wrote in the round before. `done` counts the threads.
constexpr const char* kMirrored = R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in, .param .u64 done) {
  .reg .pred %p<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  .shared .b32 words[256];
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  ld.param.u64 %rd6, [done];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd2, %rd3;
  add.u64 %rd5, %rd1, %rd3;
  ld.global.u32 %r5, [%rd4];
  mov.u32 %r6, words;
  shl.b32 %r7, %r1, 2;
  add.u32 %r8, %r6, %r7;
  sub.u32 %r9, 1020, %r7;
  add.u32 %r9, %r6, %r9;
  mov.u32 %r10, 0;
again:
  st.shared.u32 [%r8], %r5;
  bar.sync 0;
  ld.shared.u32 %r11, [%r9];
  add.u32 %r5, %r5, %r11;
  bar.sync 0;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 4;
  @%p1 bra again;
  st.global.u32 [%rd5], %r5;
  membar.gl;
  atom.global.add.u32 %r11, [%rd6], 1;
  ret;
})";

config::Machine withScheduler(const char* policy, u32 activeWarps, u32 issueWidth) {
  config::Machine machine = fermi(2);
  machine.schedulersPerSm = 2;
  machine.sm.scheduler = policy;
  machine.sm.twoLevelActive = activeWarps;
  machine.sm.issueWidth = issueWidth;
  config::validate(machine);
  return machine;
}

// What the machine counted; checks the results.
std::string runMirrored(const config::Machine& config, bool skip) {
  machines::TimingOptions options;
  options.skip = skip;
  options.deadlockCycles = 20'000;
  TimedMachine machine(config, options);
  constexpr u32 kAll = kThreads * kBlocks;
  u32* in = machine.array<u32>(kAll);
  const u32* out = machine.array<u32>(kAll);
  const u32* done = machine.array<u32>(1);
  for (u32 i = 0; i < kAll; ++i) in[i] = i * i;
  const machines::TimedResult result = machine.run(compiler::compile(ptx::parse(kMirrored, "mirrored.ptx")), {kBlocks}, {kThreads},
                                                   {reinterpret_cast<u64>(out), reinterpret_cast<u64>(in), reinterpret_cast<u64>(done)});
  EXPECT_TRUE(result.violations.empty());
  EXPECT_EQ(*done, kAll);
  for (u32 i = 0; i < kAll; ++i) {
    const u32 mirrored = i / kThreads * kThreads + (kThreads - 1 - i % kThreads);
    // Both sums are the same after the first round, and double in each of the others.
    EXPECT_EQ(out[i], (in[i] + in[mirrored]) * 8) << i;
    if (::testing::Test::HasFailure()) break;
  }
  return stats::toJson(result.stats).dump(1);
}

struct Case {
  const char* policy;
  u32 activeWarps, issueWidth;
};

class EveryScheduler : public ::testing::TestWithParam<Case> {};

TEST_P(EveryScheduler, BringsAllWarpsToTheirEndInTheSameCyclesHoweverItIsSimulated) {
  const auto [policy, activeWarps, issueWidth] = GetParam();
  const config::Machine config = withScheduler(policy, activeWarps, issueWidth);
  const std::string skipping = runMirrored(config, true);
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(runMirrored(config, false), skipping);
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryScheduler,
                         ::testing::Values(Case{"loose_round_robin", 8, 1}, Case{"loose_round_robin", 8, 2},
                                           Case{"greedy_then_oldest", 8, 1}, Case{"greedy_then_oldest", 8, 2}, Case{"oldest_first", 8, 1},
                                           Case{"strict_barrel", 8, 1}, Case{"relaxed_barrel", 8, 1}, Case{"ccws", 8, 1},
                                           Case{"ccws", 8, 2}, Case{"cggty", 8, 1}, Case{"cggty", 8, 2}, Case{"switch_on_memory", 8, 1},
                                           Case{"switch_on_memory", 8, 2},
                                           // Active sets smaller than the part of a block that a scheduler has, and as large.
                                           Case{"two_level", 1, 1}, Case{"two_level", 2, 2}, Case{"two_level", 8, 1}));

// --- what cache-conscious scheduling is for

// Each of sixteen warps reads four lines of its own over and over, twice as many lines as the cache has.
constexpr const char* kOwnLines = R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .pred %p<2>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  shr.u32 %r2, %r1, 5;
  and.b32 %r3, %r1, 31;
  mul.lo.u32 %r4, %r2, 128;
  add.u32 %r4, %r4, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd1, %rd3;
  mov.u32 %r5, 0;
  mov.u32 %r10, 0;
again:
  ld.global.u32 %r6, [%rd4];
  add.u32 %r5, %r5, %r6;
  ld.global.u32 %r6, [%rd4+128];
  add.u32 %r5, %r5, %r6;
  ld.global.u32 %r6, [%rd4+256];
  add.u32 %r5, %r5, %r6;
  ld.global.u32 %r6, [%rd4+384];
  add.u32 %r5, %r5, %r6;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, 64;
  @%p1 bra again;
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd5, %rd2, %rd5;
  st.global.u32 [%rd5], %r5;
  ret;
})";

TEST(CacheConscious, WarpsKeepTheLinesThatTheyUseAgain) {
  const auto hitsWith = [](const char* policy) {
    config::Machine config = fermi();
    config.l1d.bytes = 32 * 128;
    config.l1d.ways = 8;
    config.sm.scheduler = policy;
    config::validate(config);
    TimedMachine machine(config);
    const u64 in = reinterpret_cast<u64>(machine.array<u32>(16 * 128)), out = reinterpret_cast<u64>(machine.array<u32>(512));
    const auto result = machine.run(compiler::compile(ptx::parse(kOwnLines, "own.ptx")), {1}, {512}, {in, out});
    EXPECT_TRUE(result.violations.empty());
    return result.stats.l1d.hits[mem::AccessType::globalRead];
  };
  const u64 inTurn = hitsWith("loose_round_robin"), conscious = hitsWith("ccws");
  EXPECT_LT(inTurn, 16u * 4 * 64 / 4) << "they sweep one another's lines";
  EXPECT_GT(conscious, 2 * inTurn);
}

}  // namespace
}  // namespace warpwright
