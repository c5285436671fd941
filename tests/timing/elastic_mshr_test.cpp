// Elastic MSHRs in whole machines (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", chapter 6).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "compiler/compiler.hpp"
#include "mechanisms/elastic_mshr/statistics.hpp"
#include "mechanisms/granularities.hpp"
#include "mechanisms/mechanism.hpp"
#include "ptx/parser.hpp"
#include "random_program.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using machines::TimedResult;
using testing::TimedMachine;
using Settings = std::vector<std::string>;

config::Machine machineWith(Settings settings = {}, u32 multiprocessors = 2) {
  settings.push_back(fmt::format("chip.multiprocessors={}", multiprocessors));
  return config::loadMachine("gt200-granularity", settings);
}

Settings elastic(u32 bytes, Settings more = {}) {
  more.insert(more.begin(), {"mechanism.elastic-mshr=true", fmt::format("mechanism.elastic-mshr.bytes={}", bytes)});
  return more;
}

isa::Program compiled(const std::string& ptx) { return compiler::compile(ptx::parse(ptx, "test.ptx"), {}); }

u64 counted(const TimedResult& result, const char* name) {
  const stats::AnyStatistics* all = result.stats.mechanisms.find("elastic_mshr");
  return all ? all->json().at(name).get<u64>() : 0;
}

// Thread t of a block of 256 reads word t of the block's row, and of a second array the word that is `stride` times as far; their sum is
// stored, and added to a counter.
constexpr const char* kSum = R"(
.version 6.0
.target sm_13
.address_size 64
.visible .entry sum(.param .u64 out, .param .u64 in, .param .u64 other, .param .u64 stride) {
  .reg .b32 %r<12>;
  .reg .b64 %d<12>;
  ld.param.u64 %d0, [out];
  ld.param.u64 %d1, [in];
  ld.param.u64 %d2, [other];
  ld.param.u32 %r0, [stride];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %d3, %r4, 4;
  add.u64 %d4, %d1, %d3;
  ld.global.u32 %r5, [%d4];
  mul.lo.u32 %r6, %r4, %r0;
  mul.wide.u32 %d5, %r6, 4;
  add.u64 %d6, %d2, %d5;
  ld.global.u32 %r7, [%d6];
  add.u32 %r8, %r5, %r7;
  add.u64 %d7, %d0, %d3;
  st.global.u32 [%d7+4], %r8;
  red.global.add.u32 [%d0], 1;
  ret;
})";

constexpr u32 kBlocks = 12, kThreads = 256, kAll = kBlocks * kThreads;

struct Summed {
  TimedResult result;
  std::vector<u32> out;
};

Summed runSum(TimedMachine& machine, u32 stride, const isa::Program& program = compiled(kSum)) {
  auto* out = machine.array<u32>(kAll + 1);
  auto* in = machine.array<u32>(kAll);
  auto* other = machine.array<u32>(u64{kAll} * stride);
  for (u32 i = 0; i < kAll; ++i) {
    in[i] = 3 * i;
    other[u64{i} * stride] = i ^ 5;
  }
  const std::vector<u64> parameters{reinterpret_cast<u64>(out), reinterpret_cast<u64>(in), reinterpret_cast<u64>(other), stride};
  Summed run{machine.run(program, {kBlocks}, {kThreads}, parameters), {}};
  EXPECT_EQ(run.result.functional.status, exec::LaunchStatus::completed) << run.result.functional.message;
  EXPECT_TRUE(run.result.violations.empty()) << run.result.violations.front();
  run.out.assign(out, out + kAll + 1);
  for (u32 i = 0; i < kAll; ++i) EXPECT_EQ(run.out[i + 1], 3 * i + (i ^ 5));
  EXPECT_EQ(run.out[0], kAll);
  return run;
}
Summed runSum(const config::Machine& config, u32 stride, const machines::TimingOptions& options = {}) {
  TimedMachine machine(config, options);
  return runSum(machine, stride);
}

// All that has nothing to do with who keeps the loads in flight: cycles, slots, networks, DRAM.
std::string timeOf(const TimedResult& result) {
  return fmt::format("{} cycles\n{}\n{}", result.cycles, stats::toJson(result.stats.sm).dump(1),
                     stats::toJson(result.stats.memory).dump(1));
}

// --- nothing but normal blocks: the baseline's cycles, bit by bit

TEST(ElasticMshrMachine, WithNormalBlocksTakesTheCyclesOfTheBaseline) {
  for (const u32 stride : {1u, 3u, 16u}) {
    const Summed baseline = runSum(machineWith(), stride), same = runSum(machineWith(elastic(32)), stride);
    EXPECT_EQ(timeOf(same.result), timeOf(baseline.result)) << stride;
    EXPECT_EQ(counted(same.result, "primaries"), baseline.result.stats.l1d.fetches);
    EXPECT_EQ(counted(same.result, "secondaries"), baseline.result.stats.l1d.merges.total());
    EXPECT_GT(counted(same.result, "primaries"), kAll / 8);
  }
}

TEST(ElasticMshrMachine, WithNormalBlocksTakesTheCyclesOfTheBaselineInRandomPrograms) {
  constexpr u32 kRandomBlocks = 6, kRandomThreads = 96;
  for (u64 seed = 401; seed <= 406; ++seed) {
    const testing::RandomProgramOptions shape;
    const isa::Program program = compiled(testing::randomProgram(seed, shape));
    const auto time = [&](const config::Machine& config) {
      TimedMachine machine(config, {});
      auto* in = machine.array<u32>(kRandomThreads * kRandomBlocks * testing::kInputWords);
      auto* out = machine.array<u8>(u64{kRandomThreads} * kRandomBlocks * testing::outputBytes(shape));
      std::mt19937_64 random(seed);
      for (u32 i = 0; i < kRandomThreads * kRandomBlocks * testing::kInputWords; ++i) in[i] = static_cast<u32>(random());
      return timeOf(machine.run(program, {kRandomBlocks}, {kRandomThreads}, {reinterpret_cast<u64>(out), reinterpret_cast<u64>(in)}));
    };
    ASSERT_EQ(time(machineWith(elastic(32))), time(machineWith())) << "seed " << seed;
  }
}

// --- hyper blocks

// Neighbours' words fill every hyper block: as many bytes come as without them, in fewer packets.
TEST(ElasticMshrMachine, HyperBlocksOfNeighboursWasteLittle) {
  const TimedResult normal = runSum(machineWith(elastic(32)), 1).result;
  for (const u32 bytes : {64u, 128u, 256u}) {
    const TimedResult hyper = runSum(machineWith(elastic(bytes)), 1).result;
    EXPECT_LT(counted(hyper, "primaries"), counted(normal, "primaries") * 40 / bytes) << bytes;
    EXPECT_LE(counted(hyper, "bytes_dropped"), counted(hyper, "bytes_loaded") / 10) << bytes;
    EXPECT_LT(hyper.stats.memory.responses.ejectedFlits, normal.stats.memory.responses.ejectedFlits) << bytes;
    EXPECT_LT(hyper.cycles, normal.cycles) << bytes;
  }
}

// A word in each 256 bytes: seven blocks of eight come for nothing.
TEST(ElasticMshrMachine, HyperBlocksOfScatteredWordsAreDropped) {
  const TimedResult normal = runSum(machineWith(elastic(32)), 64).result, hyper = runSum(machineWith(elastic(256)), 64).result;
  EXPECT_GT(counted(hyper, "bytes_dropped"), u64{kAll} * 200);
  EXPECT_GT(hyper.cycles, normal.cycles);
}

// --- sizes by instruction

// In place of what the mechanism itself says of a launch.
class Chooser final : public mechanisms::Mechanism {
 public:
  explicit Chooser(u16 first, u16 second) : first_(first), second_(second) {}
  void launchBegins(const exec::LaunchRequest& request, sm::LaunchNotes& into) override {
    mechanisms::Granularities notes;
    bool isFirst = true;
    for (const isa::Instruction& each : request.launch->program->program.code) {
      const bool isLoad = each.opcode == isa::Opcode::ld && each.modifiers.space == isa::Space::global;
      notes.bytes.push_back(!isLoad ? 32 : std::exchange(isFirst, false) ? first_ : second_);
    }
    into.add(std::move(notes));
  }

 private:
  u16 first_, second_;
};

TEST(ElasticMshrMachine, EachInstructionHasItsSize) {
  const config::Machine config = machineWith(elastic(32));
  const auto runWith = [&](u16 first, u16 second) {
    mechanisms::Mechanisms all = mechanisms::makeMechanisms(config);
    all.push_back(std::make_unique<Chooser>(first, second));
    TimedMachine machine(config, {}, std::move(all));
    return runSum(machine, 64).result;
  };
  const TimedResult large = runWith(256, 256), chosen = runWith(256, 32), small = runWith(32, 32);
  EXPECT_EQ(counted(small, "fired_8"), 0u);
  EXPECT_EQ(counted(chosen, "fired_1"), kAll);  // a block for each scattered word
  EXPECT_GT(counted(chosen, "fired_8"), 0u);
  EXPECT_LT(chosen.cycles, large.cycles);
  EXPECT_LT(counted(chosen, "bytes_dropped"), counted(large, "bytes_dropped") / 10);
}

// --- sizes that nobody says

// Neighbours' words make the table ask for more; scattered ones leave it at normal blocks, so that nothing is dropped.
TEST(ElasticMshrMachine, APredictorLearnsWhichLoadsHaveNeighbours) {
  const Settings predicted = elastic(32, {"mechanism.elastic-mshr.granularity=predicted"});
  const TimedResult normal = runSum(machineWith(elastic(32)), 1).result, dense = runSum(machineWith(predicted), 1).result;
  EXPECT_LT(counted(dense, "primaries"), counted(normal, "primaries") * 3 / 4);
  EXPECT_LT(dense.cycles, normal.cycles);
  const TimedResult scattered = runSum(machineWith(predicted), 64).result, large = runSum(machineWith(elastic(256)), 64).result;
  EXPECT_LT(counted(scattered, "bytes_dropped"), counted(large, "bytes_dropped") / 10);
}

// --- stores

// Blocks of 256 threads store 1024 bytes each: four writes in place of 32, and one where a block begins or ends within 256 bytes (the
// array is a word behind its beginning).
TEST(ElasticMshrMachine, StoresOfNeighboursGoOnTogether) {
  const TimedResult apart = runSum(machineWith(elastic(256)), 1).result;
  const TimedResult together = runSum(machineWith(elastic(256, {"mechanism.elastic-mshr.combine_stores=true"})), 1).result;
  const stats::Json counts = together.stats.mechanisms.find("elastic_mshr")->json().at("combined");
  EXPECT_GE(counts.at("writes").get<u64>(), kAll * 4 / 256);
  EXPECT_LT(counts.at("writes").get<u64>(), kAll * 4 / 256 * 3);
  EXPECT_LT(together.stats.memory.requests.packets, apart.stats.memory.requests.packets);
}

TEST(ElasticMshrMachine, StoresByPatternGoOnTogether) {
  const Settings byPattern = elastic(256, {"mechanism.elastic-mshr.granularity=by_pattern", "mechanism.elastic-mshr.combine_stores=true"});
  const config::Machine config = machineWith(byPattern);
  mechanisms::Mechanisms all = mechanisms::makeMechanisms(config);
  compiler::Options options;
  options.analyses = mechanisms::analysesFor(config);
  TimedMachine machine(config, {}, std::move(all));
  const TimedResult result = runSum(machine, 1, compiler::compile(ptx::parse(kSum, "test.ptx"), options)).result;
  EXPECT_GT(result.stats.mechanisms.find("elastic_mshr")->json().at("combined").at("joined").get<u64>(), kAll / 16);
}

// --- however it is simulated

TEST(ElasticMshrMachine, TheSameHoweverSimulated) {
  const Settings inSets = {"mechanism.elastic-mshr.ways=16", "l1d.mshrs=32"};
  const Settings guessing = {"mechanism.elastic-mshr.granularity=predicted"};
  const Settings combining = {"mechanism.elastic-mshr.combine_stores=true", "mechanism.elastic-mshr.store_entries=3"};
  for (const Settings& settings : {inSets, guessing, combining}) {
    const config::Machine config = machineWith(elastic(256, settings), 4);
    const auto all = [&](const machines::TimingOptions& options) { return stats::toJson(runSum(config, 2, options).result.stats).dump(1); };
    const std::string expected = all({});
    for (const bool skip : {true, false}) {
      for (const u32 threads : {1u, 3u}) {
        machines::TimingOptions options;
        options.skip = skip;
        options.threads = threads;
        EXPECT_EQ(all(options), expected) << settings[0] << ", " << threads << " threads, " << (skip ? "skipping" : "every cycle");
      }
    }
  }
}

}  // namespace
}  // namespace warpwright
