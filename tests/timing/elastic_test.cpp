// The elastic pipeline and conflict-aware scheduling in a whole machine (Gou, "Customizable Memory Schemes for Data Parallel Accelerators",
// chapter 5). Kernels whose cycles can be counted by hand: those of in_order_test.cpp.
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "mechanisms/mechanism.hpp"
#include "ptx/parser.hpp"
#include "random_program.hpp"
#include "stats/json.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using machines::TimedResult;
using sm::Slot;
using testing::Assembler;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::second;
using testing::TimedMachine;
using testing::twice;

constexpr u32 kSubWarps = 4;
using Settings = std::vector<std::string>;

Machine barrel(const Settings& settings = {}) {
  Machine machine = config::loadMachine("gt200-elastic", settings);
  machine.multiprocessors = 1;
  machine.l1i.bytes = 64 * 1024;
  config::validate(machine);
  return machine;
}

const Settings kElastic = {"mechanism.elastic-pipeline=true"};
const Settings kBoth = {"mechanism.elastic-pipeline=true", "mechanism.conflict-aware=true"};
Settings with(Settings settings, const std::string& more) {
  settings.push_back(more);
  return settings;
}

// Each lane loads from shared memory with a stride in words, then the warp adds `adds` times.
isa::Program loadsAndAdds(u32 strideWords, u32 adds) {
  isa::Program program = twice([&](Assembler& code) {
    code.special(2, isa::SpecialRegister::laneid);
    code.emit(Opcode::mul_lo, DataType::u32, {R(2)}, {R(2), imm(u64{strideWords} * 4)});
    auto& load = code.load(Space::shared, DataType::u32, 4, R(2));
    load.modifiers.wordAddress = true;
    for (u32 i = 0; i < adds; ++i) code.emit(Opcode::add, DataType::u32, {R(5)}, {R(6), R(7)});
  });
  program.functions.front().sharedBytes = 32 * 8 * 4 + 4;
  return program;
}

TimedResult run(const Machine& machine, const isa::Program& program, u32 warps, machines::TimingOptions options = {}) {
  return TimedMachine(machine, options).run(program, {1}, {warps * 32});
}

std::string statisticsOf(const TimedResult& result) { return stats::toJson(result.stats).dump(1); }

// --- single warps

TEST(ElasticMachine, NonMemoryInstructionsAreFourStagesShorter) {
  TimedMachine machine(barrel(kElastic));
  machine.run(loadsAndAdds(1, 4), {1}, {32});
  EXPECT_EQ(second(machine, kBegin + 5).issued - second(machine, kBegin + 4).issued, 20u);
  EXPECT_EQ(second(machine, kBegin + 3).issued - second(machine, kBegin + 2).issued, 24u);
}

TEST(ElasticMachine, AWarpsOwnConflictsTakeTheirTimeWithoutAStall) {
  for (const auto& [stride, degree] : {std::pair{1u, 1u}, {2u, 2u}, {4u, 4u}, {8u, 8u}}) {
    TimedMachine machine(barrel(kElastic));
    const auto result = machine.run(loadsAndAdds(stride, 1), {1}, {32});
    EXPECT_EQ(second(machine, kBegin + 3).issued - second(machine, kBegin + 2).issued, 24 + (degree - 1) * kSubWarps) << stride;
    EXPECT_EQ(result.stats.sm.slots[Slot::bankConflict], 0u);
  }
}

// --- many warps

// Sixteen warps, a load of degree 4 among sixteen additions. The loads of the first round are not known.
TEST(ElasticMachine, HidesConflictsThatLeaveRoom) {
  const isa::Program program = loadsAndAdds(4, 16);
  const u64 conflicts = 2 * 16 * 3 * kSubWarps;
  const TimedResult baseline = run(barrel(), program, 16), both = run(barrel(kBoth), program, 16);
  EXPECT_EQ(baseline.stats.sm.slots[Slot::bankConflict], conflicts);
  EXPECT_LT(both.cycles, baseline.cycles - conflicts / 4);
}

// Once each load has been seen, no access meets another at the banks.
TEST(ElasticMachine, SchedulingRemovesTheStallsThatThePipelineLeaves) {
  const isa::Program program = loadsAndAdds(8, 4);
  const TimedResult elastic = run(barrel(kElastic), program, 16), both = run(barrel(kBoth), program, 16);
  EXPECT_GT(elastic.stats.sm.slots[Slot::bankConflict], 100u);
  EXPECT_EQ(elastic.stats.sm.slots[Slot::heldBack], 0u);
  EXPECT_GT(both.stats.sm.slots[Slot::heldBack], 0u);
  // The first round is not known.
  EXPECT_LT(both.stats.sm.slots[Slot::bankConflict], elastic.stats.sm.slots[Slot::bankConflict] * 2 / 3);
  const TimedResult oracle = run(barrel(with(kBoth, "mechanism.conflict-aware.predictor=oracle")), program, 16);
  EXPECT_EQ(oracle.stats.sm.slots[Slot::bankConflict], 0u);
}

// Section 5.5.3: scheduling alone cannot.
TEST(ElasticMachine, SchedulingAloneRemovesNothing) {
  const isa::Program program = loadsAndAdds(8, 4);
  const TimedResult baseline = run(barrel(), program, 16);
  const TimedResult scheduling = run(barrel({"mechanism.conflict-aware=true"}), program, 16);
  EXPECT_EQ(scheduling.stats.sm.slots[Slot::bankConflict], baseline.stats.sm.slots[Slot::bankConflict]);
}

TEST(ElasticMachine, ViolationsTradeSchedulingFailsForConflicts) {
  const isa::Program program = loadsAndAdds(8, 1);
  const TimedResult strict = run(barrel(kBoth), program, 16);
  const TimedResult lax = run(barrel(with(kBoth, "mechanism.conflict-aware.let_violate_when_idle=true")), program, 16);
  EXPECT_LT(lax.stats.sm.slots[Slot::heldBack], strict.stats.sm.slots[Slot::heldBack]);
  EXPECT_GT(lax.stats.sm.slots[Slot::bankConflict], strict.stats.sm.slots[Slot::bankConflict]);
}

// --- what holds for all of them

TEST(ElasticMachine, NullSettingsGiveTheBaseline) {
  const isa::Program program = loadsAndAdds(4, 3);
  const TimedResult baseline = run(barrel(), program, 16);
  const TimedResult noQueues = run(barrel(with(kElastic, "mechanism.elastic-pipeline.queues=given")), program, 16);
  const TimedResult noHistory = run(barrel({"mechanism.conflict-aware=true", "mechanism.conflict-aware.sets=0"}), program, 16);
  for (const TimedResult* result : {&noQueues, &noHistory}) {
    EXPECT_EQ(result->cycles, baseline.cycles);
    EXPECT_EQ(stats::toJson(result->stats.sm).dump(), stats::toJson(baseline.stats.sm).dump());
  }
}

TEST(ElasticMachine, NeedsAnInOrderPipeline) {
  EXPECT_THROW(config::loadMachine("gtx480", kElastic), Error);
  EXPECT_THROW(config::loadMachine("gtx480", Settings{"mechanism.conflict-aware=true"}), Error);
}

TEST(ElasticMachine, NoOracleKnowsWhatACacheHolds) {
  const Settings oracle = with(kBoth, "mechanism.conflict-aware.predictor=oracle");
  EXPECT_NO_THROW(barrel(oracle));
  EXPECT_THROW(barrel(with(oracle, "mechanism.conflict-aware.scope=memory")), Error);
}

const Settings kMachines[] = {
    kElastic,
    kBoth,
    with(kBoth, "mechanism.conflict-aware.let_violate_when_idle=true"),
    with(with(kBoth, "mechanism.conflict-aware.scope=memory"), "mechanism.conflict-aware.predictor=two_level"),
    with(with(kBoth, "sm.pipeline.scheduler=relaxed_barrel"), "mechanism.conflict-aware.predictor=mean"),
    with(with(with(kBoth, "sm.pipeline.scheduler=relaxed_barrel"), "mechanism.elastic-pipeline.commit=in_order"),
         "mechanism.conflict-aware.one_access_per_warp=true"),
};

// Values are those of the functional machine; cycles the same however they are simulated; counters add up.
TEST(ElasticMachine, RandomProgramsKeepTheirResults) {
  constexpr u32 kThreads = 64, kBlocks = 4;
  u64 seed = 300;
  for (const Settings& settings : kMachines) {
    Machine config = barrel(settings);
    config.multiprocessors = 2;
    const testing::RandomProgramOptions shape{.fuel = 8};
    const isa::Program program = compiler::compile(ptx::parse(testing::randomProgram(++seed, shape), "test.ptx"), {});
    const u64 bytes = u64{kThreads} * kBlocks * testing::outputBytes(shape);
    const auto outcome = [&](const machines::TimingOptions& options, bool functionally) {
      TimedMachine machine(config, options);
      auto* in = machine.array<u32>(kThreads * kBlocks * testing::kInputWords);
      auto* out = machine.array<u8>(bytes);
      std::mt19937_64 random(seed);
      for (u32 i = 0; i < kThreads * kBlocks * testing::kInputWords; ++i) in[i] = static_cast<u32>(random() >> random() % 64);
      const std::vector<u64> parameters{reinterpret_cast<u64>(out), reinterpret_cast<u64>(in)};
      std::string statistics;
      if (functionally) {
        machine.runFunctionally(program, {kBlocks}, {kThreads}, parameters);
      } else {
        const TimedResult result = machine.run(program, {kBlocks}, {kThreads}, parameters);
        EXPECT_TRUE(result.violations.empty());
        statistics = statisticsOf(result);
      }
      return std::pair(std::vector<u8>(out, out + bytes), statistics);
    };
    const auto timed = outcome({}, false);
    ASSERT_EQ(timed.first, outcome({}, true).first) << "seed " << seed;
    machines::TimingOptions slowly, together;
    slowly.skip = false;
    together.threads = 2;
    ASSERT_EQ(outcome(slowly, false), timed) << "seed " << seed << ", without skipping";
    ASSERT_EQ(outcome(together, false), timed) << "seed " << seed << ", two threads";
  }
}

}  // namespace
}  // namespace warpwright
