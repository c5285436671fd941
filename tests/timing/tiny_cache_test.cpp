// Tiny caches in whole machines (Sankaranarayanan and others, "An Energy Efficient GPGPU Memory Hierarchy with Tiny Incoherent Caches"):
// results, times and counts.
#include "stats/json.hpp"
#include "tiny_cache_machines.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using namespace testing::tiny_caches;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::imm;
using testing::param;
using testing::R;
using testing::RaceFreeKernel;
using testing::TimedMachine;

std::string timeOf(const TimedResult& result) {
  return fmt::format("{} cycles\n{}\n{}\n{}", result.cycles, stats::toJson(result.stats.sm).dump(1),
                     stats::toJson(result.stats.l1d).dump(1), stats::toJson(result.stats.memory).dump(1));
}

// --- random kernels without races

std::vector<u32> runFunctionally(const config::Machine& config, const isa::Program& program) {
  TimedMachine machine(config);
  u32* words = arrayOf(machine);
  const auto result =
      machine.runFunctionally(program, {RaceFreeKernel::kBlocks}, {RaceFreeKernel::kThreads}, {reinterpret_cast<u64>(words)});
  EXPECT_EQ(result.status, exec::LaunchStatus::completed) << result.message;
  return {words, words + RaceFreeKernel::kWords};
}

struct Case {
  const char* name;
  const char* preset = "fermi-esesc";
  Settings settings = {};
};
void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

class WithoutRaces : public ::testing::TestWithParam<Case> {};

TEST_P(WithoutRaces, NothingIsStaleAndNoResultChanges) {
  const config::Machine config = machineOf(GetParam().preset, tiny(GetParam().settings));
  u64 fenced = 0;
  for (u64 seed = 1; seed <= 6; ++seed) {
    const isa::Program program = compiled(RaceFreeKernel::ptx(seed));
    const RandomRun run = runTimed(config, program);
    expectLaws(run.result);
    EXPECT_EQ(run.words, runFunctionally(config, program)) << "seed " << seed;
    const Statistics all = counted(run.result);
    EXPECT_EQ(all.stale.words, 0u) << "seed " << seed << ", instruction " << all.stale.pc.value << ", address " << std::hex
                                   << all.stale.address.value << ", lane " << std::dec << all.stale.lane.value;
    EXPECT_GT(all.global.reads + all.shared.reads, 1000u);
    EXPECT_GT(all.evictions.barrier, 100u);
    fenced += all.evictions.fence;
  }
  EXPECT_GT(fenced, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    TinyCaches, WithoutRaces,
    ::testing::Values(Case{"as in the paper"}, Case{"bytes", "fermi-esesc", {"mechanism.tiny-cache.granularity=byte"}},
                      Case{"words, one set", "gtx480", {"mechanism.tiny-cache.granularity=word", "mechanism.tiny-cache.lines=8"}},
                      Case{"two lines of 128 bytes",
                           "v100",
                           {"mechanism.tiny-cache.line_bytes=128", "mechanism.tiny-cache.lines=2", "mechanism.tiny-cache.ways=2"}},
                      Case{"in order", "gt200-elastic", {"mechanism.elastic-pipeline=false"}},
                      Case{"global only", "fermi-esesc", {"mechanism.tiny-cache.bypass=shared"}},
                      Case{"shared only, slow", "fermi-esesc", {"mechanism.tiny-cache.bypass=global", "mechanism.tiny-cache.latency=3"}}));

TEST(TinyCacheMachine, GivesTheSameBitsHoweverSimulated) {
  const config::Machine config = machineOf("fermi-esesc", tiny(), 3);
  const isa::Program program = compiled(RaceFreeKernel::ptx(7));
  std::string first;
  for (const bool skip : {true, false}) {
    for (const u32 threads : {1u, 2u, 3u, 8u}) {
      machines::TimingOptions options;
      options.skip = skip;
      options.threads = threads;
      const RandomRun run = runTimed(config, program, options);
      expectLaws(run.result);
      const std::string all = timeOf(run.result) + stats::toJson(counted(run.result)).dump();
      if (first.empty()) first = all;
      EXPECT_EQ(all, first) << threads << " threads, skipping " << skip;
    }
  }
}

TEST(TinyCacheMachine, WithEverythingBypassedTakesTheCyclesOfTheBaseline) {
  for (u64 seed = 1; seed <= 3; ++seed) {
    const isa::Program program = compiled(RaceFreeKernel::ptx(seed));
    const RandomRun baseline = runTimed(machineOf("fermi-esesc", {}), program);
    const RandomRun bypassed = runTimed(machineOf("fermi-esesc", tiny({"mechanism.tiny-cache.bypass=all"})), program);
    EXPECT_EQ(timeOf(bypassed.result), timeOf(baseline.result));
  }
}

// --- times and counts by hand

// A warp loads 32 words that follow one another.
isa::Program loads(Space space) {
  isa::Program program = testing::twice([&](Assembler& code) {
    code.special(12, isa::SpecialRegister::laneid);
    if (space == Space::shared) {
      code.emit(Opcode::mul_lo, DataType::u32, {R(2)}, {R(12), imm(4)});
    } else {
      code.emit(Opcode::mad_wide, DataType::u32, {R(2)}, {R(12), imm(4), param(0)});
    }
    code.load(space, DataType::u32, 6, R(2)).modifiers.wordAddress = space == Space::shared;
    code.emit(Opcode::add, DataType::u32, {R(8)}, {R(6), R(6)});
  });
  program.functions.front().parameterBytes = 8;
  program.functions.front().sharedBytes = 4096;
  return program;
}

constexpr u32 kLoad = testing::kBegin + 2;

struct Loaded {
  u64 latency = 0;  // in the second round
  Statistics counted;
};
Loaded runLoads(const config::Machine& config, Space space) {
  TimedMachine machine(config);
  const u64 words = reinterpret_cast<u64>(machine.array<u32>(4096));
  const TimedResult result = machine.run(loads(space), {1}, {32}, {words});
  EXPECT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  const testing::Step load = testing::second(machine, kLoad);
  return {load.completed - load.issued, counted(result)};
}

config::Machine withTinyCache(config::Machine machine) {
  machine.mechanisms.add(config::mechanismKind("tiny-cache"));
  return machine;
}

// A hit takes one cycle where an access to shared memory takes sm.memory.shared_latency.
TEST(TinyCacheMachine, ServesHitsInOneCycle) {
  const config::Machine machine = testing::fermi();
  const u64 shared = runLoads(machine, Space::shared).latency;
  for (const Space space : {Space::shared, Space::global})
    EXPECT_EQ(runLoads(withTinyCache(machine), space).latency, shared - machine.sm.sharedLatency + 1);
}

// 32 lanes miss, and hit in the second round. Their words are of one line of 128 bytes: one request; of two of shared memory: one pass.
TEST(TinyCacheMachine, CoalescesWhatTheLanesMiss) {
  const Statistics global = runLoads(withTinyCache(testing::fermi()), Space::global).counted;
  EXPECT_EQ(global.global.readMisses, 32u);
  EXPECT_EQ(global.global.readHits, 32u);
  EXPECT_EQ(global.below.fetches, 1u);
  EXPECT_EQ(global.below.sectors, 4u);
  EXPECT_EQ(global.evictions.blockEnd, 32u);
  const Statistics shared = runLoads(withTinyCache(testing::fermi()), Space::shared).counted;
  EXPECT_EQ(shared.shared.readMisses, 32u);
  EXPECT_EQ(shared.shared.readHits, 32u);
  EXPECT_EQ(shared.below.sharedLines, 2u);
  EXPECT_EQ(shared.below.sharedFetchPasses, 1u);
}

}  // namespace
}  // namespace warpwright
