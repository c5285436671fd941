// What the timed machine computes is what the functional one computes; and it takes the same cycles however it is simulated.
#include <gtest/gtest.h>

#include <random>

#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"
#include "random_program.hpp"
#include "sm/instruction_info.hpp"
#include "stats/json.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using testing::fermi;
using testing::TimedMachine;

std::string statisticsOf(const machines::TimedResult& result) { return stats::toJson(result.stats).dump(1); }

isa::Program compiled(const std::string& ptx, const compiler::Options& options = {}) {
  return compiler::compile(ptx::parse(ptx, "test.ptx"), options);
}

// Two SMs, several schedulers and caches so small that they overflow.
config::Machine crowded() {
  config::Machine machine = fermi(2);
  machine.schedulersPerSm = 2;
  machine.l1d.bytes = 2048;
  machine.l1i.bytes = 512;
  machine.sm.fetchWidth = 2;
  machine.sm.instructionBuffer = 2;
  machine.sm.scheduler = "greedy_then_oldest";
  config::validate(machine);
  return machine;
}

// How a program is simulated.
struct Way {
  machines::TimingOptions timing{};
  bool isFunctional = false;
  bool isHeard = false;  // each instruction, which is then executed when it issues and never before
};

struct Outcome {
  std::vector<u8> memory;
  std::string statistics;
  u64 warpInstructions = 0;
};

constexpr u32 kThreads = 96, kBlocks = 6;

Outcome runRandom(const isa::Program& program, u32 outputBytes, u64 seed, const config::Machine& config, const Way& way) {
  TimedMachine machine(config, way.timing);
  machine.isHeard = way.isHeard;
  const u64 bytes = u64{kThreads} * kBlocks * outputBytes;
  auto* in = machine.array<u32>(kThreads * kBlocks * testing::kInputWords);
  auto* out = machine.array<u8>(bytes);
  std::mt19937_64 random(seed);
  for (u32 i = 0; i < kThreads * kBlocks * testing::kInputWords; ++i) in[i] = static_cast<u32>(random() >> random() % 64);
  const std::vector<u64> parameters{reinterpret_cast<u64>(out), reinterpret_cast<u64>(in)};
  Outcome outcome;
  if (way.isFunctional) {
    outcome.warpInstructions = machine.runFunctionally(program, {kBlocks}, {kThreads}, parameters).warpInstructions;
  } else {
    const machines::TimedResult result = machine.run(program, {kBlocks}, {kThreads}, parameters);
    outcome.statistics = statisticsOf(result);
    outcome.warpInstructions = result.functional.warpInstructions;
  }
  outcome.memory.assign(out, out + bytes);
  return outcome;
}

void expectSame(u64 seed, const testing::RandomProgramOptions& shape, const config::Machine& config,
                const compiler::Options& options = {}) {
  const std::string ptx = testing::randomProgram(seed, shape);
  const isa::Program program = compiled(ptx, options);
  const u32 bytes = testing::outputBytes(shape);
  const Outcome functional = runRandom(program, bytes, seed, config, {.isFunctional = true});
  const Outcome timed = runRandom(program, bytes, seed, config, {});
  ASSERT_EQ(timed.memory, functional.memory) << "seed " << seed << "\n" << ptx;
  machines::TimingOptions otherwise;
  otherwise.skip = false;
  for (const Way& way : {Way{.timing = otherwise}, Way{.isHeard = true}}) {
    const Outcome again = runRandom(program, bytes, seed, config, way);
    ASSERT_EQ(again.memory, functional.memory) << "seed " << seed;
    ASSERT_EQ(again.statistics, timed.statistics) << "seed " << seed;
    ASSERT_EQ(again.warpInstructions, timed.warpInstructions) << "seed " << seed;
  }
}

TEST(TimedAgainstFunctional, RandomPrograms) {
  for (u64 seed = 1; seed <= 4; ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, crowded()));
}

TEST(TimedAgainstFunctional, RandomProgramsWithIndependentThreads) {
  config::Machine config = crowded();
  config.reconvergence = "independent";
  for (u64 seed = 101; seed <= 103; ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, config));
}

// One in-order pipeline in each of two SMs, with the memory stages in both forms and with both barrels.
TEST(TimedAgainstFunctional, RandomProgramsInOrder) {
  config::Machine config = config::loadMachine("gt200-elastic");
  config.multiprocessors = 2;
  for (u64 seed = 201; seed <= 204; ++seed) {
    config.sm.splitMemoryStages = seed % 2 == 0;
    config.sm.scheduler = seed < 203 ? "strict_barrel" : "relaxed_barrel";
    config::validate(config);
    ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, config));
  }
}

TEST(TimedAgainstFunctional, RandomProgramsWithControlBits) {
  config::Machine config = crowded();
  config.sm.collectors = 0;
  config.sm.dependences = config::Dependences::controlBits;
  config.sm.scheduler = "cggty";
  config.sm.memoryQueue = 10;
  config.sm.loadStore.count = 2;
  config.sm.registerBanks = 4;
  compiler::Options options;
  options.issueTiming = sm::issueTimingOf(config.sm);
  options.issueTiming->operandBanks = 2;
  for (u64 seed = 301; seed <= 304; ++seed) {
    config.sm.operandWindow = seed % 2 == 0 ? 3 : 0;
    config.sm.operandCache = seed % 4 == 0;
    config.sm.subCoreQueue = seed > 302 ? 5 : 0;
    config::validate(config);
    ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, config, options));
  }
}

TEST(TimedAgainstFunctional, RandomProgramsWithCallsAndSpills) {
  ASSERT_NO_FATAL_FAILURE(expectSame(201, {.fuel = 10, .calls = true}, crowded(), {.maxRegisters = 32}));
}

// --- effects between threads

constexpr const char* kHeader = ".version 6.0\n.target sm_60\n.address_size 64\n";

// A histogram: every thread adds to word 3 * thread modulo 64, and appends itself to a list.
constexpr const char* kAtomics = R"(
.visible .entry k(.param .u64 out, .param .u64 list) {
  .reg .b32 %r<10>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [list];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r1, %r2, %r3, %r1;
  mul.lo.u32 %r4, %r1, 3;
  and.b32 %r4, %r4, 63;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd3, %rd1, %rd3;
  red.global.add.u32 [%rd3], 1;
  atom.global.add.u32 %r5, [%rd2], 1;
  mul.wide.u32 %rd4, %r5, 4;
  add.u64 %rd4, %rd2, %rd4;
  st.global.u32 [%rd4+4], %r1;
  ret;
})";

TEST(TimedAgainstFunctional, AtomicsAddUpAndGiveEachThreadItsOwnPlace) {
  constexpr u32 kAll = 128 * 10;
  TimedMachine machine(crowded());
  auto* counts = machine.array<u32>(64);
  auto* list = machine.array<u32>(kAll + 1);
  const auto result =
      machine.run(compiled(std::string(kHeader) + kAtomics), {10}, {128}, {reinterpret_cast<u64>(counts), reinterpret_cast<u64>(list)});
  for (u32 bin = 0; bin < 64; ++bin) EXPECT_EQ(counts[bin], kAll / 64);
  EXPECT_EQ(list[0], kAll);
  std::vector<u32> sorted(list + 1, list + 1 + kAll);
  std::sort(sorted.begin(), sorted.end());
  for (u32 thread = 0; thread < kAll; ++thread) ASSERT_EQ(sorted[thread], thread);
}

// Words [thread] ← thread, a fence, then a flag; the other block waits for the flag.
constexpr const char* kFlag = R"(
.visible .entry k(.param .u64 flag, .param .u64 data) {
  .reg .b32 %r<10>;
  .reg .b64 %rd<10>;
  .reg .pred %p<4>;
  ld.param.u64 %rd1, [flag];
  ld.param.u64 %rd2, [data];
  mov.u32 %r1, %ctaid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra WAIT;
  st.global.u32 [%rd2], 42;
  membar.gl;
  st.volatile.global.u32 [%rd1], 1;
  bra DONE;
WAIT:
  ld.volatile.global.u32 %r2, [%rd1];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra WAIT;
  membar.gl;
  ld.volatile.global.u32 %r3, [%rd2];
  st.global.u32 [%rd2+4], %r3;
DONE:
  ret;
})";

TEST(TimedAgainstFunctional, AStoreBeforeAFenceIsSeenBeforeTheFlagBehindIt) {
  TimedMachine machine(crowded());
  auto* flag = machine.array<u32>(1);
  auto* data = machine.array<u32>(2);
  machine.run(compiled(std::string(kHeader) + kFlag), {2}, {1}, {reinterpret_cast<u64>(flag), reinterpret_cast<u64>(data)});
  EXPECT_EQ(data[1], 42u);
}

// One block computes for a while and stores where no memory is, while the others are in the midst of what they compute.
constexpr const char* kFault = R"(
.visible .entry k(.param .u32 culprit) {
  .reg .b32 %r<10>;
  .reg .b64 %rd<4>;
  .reg .pred %p<4>;
  ld.param.u32 %r1, [culprit];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.lo.u32 %r4, %r4, %r4;
  setp.ne.u32 %p1, %r2, %r1;
  selp.u32 %r6, 64, 5, %p1;
  bar.sync 0;
  mov.u32 %r5, 0;
LOOP:
  mad.lo.u32 %r4, %r4, %r4, %r2;
  mad.lo.u32 %r4, %r4, %r3, %r1;
  mad.lo.u32 %r4, %r4, %r4, %r3;
  mad.lo.u32 %r4, %r4, %r2, %r4;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r5, %r6;
  @%p2 bra LOOP;
  @%p1 bra DONE;
  mov.u64 %rd1, 64;
  st.global.u32 [%rd1], %r4;
DONE:
  ret;
})";

// What was executed ahead of its issue counts only where it has issued, also when a fault ends the launch.
TEST(TimedAgainstFunctional, AtAFaultThoseInstructionsCountThatHaveIssued) {
  const isa::Program program = compiled(std::string(kHeader) + kFault);
  const auto result = [&](bool isHeard) {
    TimedMachine machine(crowded());
    machine.isHeard = isHeard;
    machine.expected = exec::LaunchStatus::illegalAddress;
    return machine.run(program, {kBlocks}, {kThreads}, {2});
  };
  const machines::TimedResult heard = result(true), unheard = result(false);
  EXPECT_EQ(statisticsOf(unheard), statisticsOf(heard));
  EXPECT_EQ(unheard.functional.threadInstructions, heard.functional.threadInstructions);
  ASSERT_EQ(unheard.functional.counts.size(), heard.functional.counts.size());
  for (Pc pc{0}; pc < heard.functional.counts.size(); ++pc) {
    EXPECT_EQ(unheard.functional.counts[pc].warps, heard.functional.counts[pc].warps) << pc;
    EXPECT_EQ(unheard.functional.counts[pc].active, heard.functional.counts[pc].active) << pc;
  }
}

// --- however it is simulated

std::string statisticsOf(const config::Machine& config, const machines::TimingOptions& options) {
  TimedMachine machine(config, options);
  auto* counts = machine.array<u32>(64);
  auto* list = machine.array<u32>(128 * 10 + 1);
  const isa::Program program = compiled(std::string(kHeader) + kAtomics);
  const std::vector<u64> parameters{reinterpret_cast<u64>(counts), reinterpret_cast<u64>(list)};
  std::string text;
  for (u32 launch = 0; launch < 2; ++launch) {
    std::fill_n(list, 128 * 10 + 1, 0);
    text += statisticsOf(machine.run(program, {10}, {128}, parameters));
  }
  text.append(reinterpret_cast<const char*>(list), (128 * 10 + 1) * sizeof(u32));  // who came when
  return text;
}

void expectTheSame(const config::Machine& config) {
  const std::string expected = statisticsOf(config, machines::TimingOptions{});
  for (const bool skip : {true, false}) {
    for (const u32 threads : {1u, 2u, 3u, 8u}) {
      machines::TimingOptions options;
      options.threads = threads;
      options.skip = skip;
      EXPECT_EQ(statisticsOf(config, options), expected) << threads << " threads, " << (skip ? "skipping" : "every cycle");
    }
  }
}

TEST(HoweverSimulated, StatisticsAndTheOrderOfAtomicsAreTheSame) { expectTheSame(crowded()); }

// What a scheduler waits for, and when it may go on, is told by each part in its own way.
TEST(HoweverSimulated, WithEverySchedulerAndWithoutCollectors) {
  for (const char* scheduler :
       {"loose_round_robin", "oldest_first", "two_level", "strict_barrel", "relaxed_barrel", "ccws", "switch_on_memory"}) {
    config::Machine config = crowded();
    config.sm.scheduler = scheduler;
    config.sm.twoLevelActive = 2;
    ASSERT_NO_FATAL_FAILURE(expectTheSame(config)) << scheduler;
    config.sm.collectors = 0;
    ASSERT_NO_FATAL_FAILURE(expectTheSame(config)) << scheduler << " without collectors";
  }
}

TEST(HoweverSimulated, WithPoliciesThatLearnByInstruction) {
  for (const char* policy : {"ship", "pc_bypass"}) {
    config::Machine config = crowded();
    config.l1d.replacement = config.l2.replacement = policy;
    ASSERT_NO_FATAL_FAILURE(expectTheSame(config)) << policy;
    for (u64 seed = 301; seed <= 302; ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, config)) << policy;
  }
}

TEST(HoweverSimulated, WithPerfectMemory) {
  config::Machine config = crowded();
  config.sm.perfectLatency = 40;
  ASSERT_NO_FATAL_FAILURE(expectTheSame(config));
  for (u64 seed = 321; seed <= 322; ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, config));
}

TEST(HoweverSimulated, WithASchedulerThatFollowsTheCache) {
  config::Machine config = crowded();
  config.sm.scheduler = "ccws";
  for (u64 seed = 311; seed <= 313; ++seed) ASSERT_NO_FATAL_FAILURE(expectSame(seed, {}, config));
}

}  // namespace
}  // namespace warpwright
