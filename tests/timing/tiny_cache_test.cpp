// Tiny caches in whole machines (Sankaranarayanan and others, "An Energy Efficient GPGPU Memory Hierarchy with Tiny Incoherent Caches").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.hpp"
#include "compiler/compiler.hpp"
#include "mechanisms/tiny_cache/statistics.hpp"
#include "ptx/parser.hpp"
#include "race_free_kernels.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using machines::TimedResult;
using mechanisms::tiny_cache::Statistics;
using testing::Assembler;
using testing::imm;
using testing::param;
using testing::R;
using testing::RaceFreeKernel;
using testing::TimedMachine;
using Settings = std::vector<std::string>;

Settings tiny(Settings more = {}) {
  more.insert(more.begin(), "mechanism.tiny-cache=true");
  return more;
}
config::Machine machineOf(const char* preset, Settings settings, u32 multiprocessors = 2) {
  settings.push_back(fmt::format("chip.multiprocessors={}", multiprocessors));
  return config::loadMachine(preset, settings);
}

isa::Program compiled(const std::string& ptx) { return compiler::compile(ptx::parse(ptx, "test.ptx"), {}); }

Statistics counted(const TimedResult& result) {
  const stats::AnyStatistics* all = result.stats.mechanisms.find("tiny_cache");
  return all == nullptr ? Statistics{} : dynamic_cast<const stats::Structure<Statistics>&>(*all).value();
}

void expectLaws(const TimedResult& result) {
  ASSERT_EQ(result.functional.status, exec::LaunchStatus::completed) << result.functional.message;
  EXPECT_TRUE(result.violations.empty()) << result.violations.front();
  stats::Conservation laws;
  checkAtRest(counted(result), laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
}

std::string timeOf(const TimedResult& result) {
  return fmt::format("{} cycles\n{}\n{}\n{}", result.cycles, stats::toJson(result.stats.sm).dump(1),
                     stats::toJson(result.stats.l1d).dump(1), stats::toJson(result.stats.memory).dump(1));
}

// --- random kernels without races

struct RandomRun {
  TimedResult result;
  std::vector<u32> words;
};

u32* arrayOf(TimedMachine& machine) {
  u32* words = machine.array<u32>(RaceFreeKernel::kWords);
  std::iota(words + RaceFreeKernel::kReadOnlyAt, words + RaceFreeKernel::kReadOnlyAt + RaceFreeKernel::kReadOnly, 1000u);
  return words;
}

RandomRun runTimed(const config::Machine& config, const isa::Program& program, const machines::TimingOptions& options = {},
                   exec::CachePreference preference = exec::CachePreference::none) {
  TimedMachine machine(config, options);
  machine.cachePreference = preference;
  u32* words = arrayOf(machine);
  RandomRun run{machine.run(program, {RaceFreeKernel::kBlocks}, {RaceFreeKernel::kThreads}, {reinterpret_cast<u64>(words)}), {}};
  run.words.assign(words, words + RaceFreeKernel::kWords);
  return run;
}

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

// --- what goes past, by kernel

// Of a random kernel, which is called k, whether accesses to shared and to global memory are cached.
std::pair<bool, bool> cached(const Settings& settings, exec::CachePreference preference = exec::CachePreference::none) {
  const RandomRun run = runTimed(machineOf("fermi-esesc", tiny(settings)), compiled(RaceFreeKernel::ptx(2)), {}, preference);
  expectLaws(run.result);
  const Statistics all = counted(run.result);
  EXPECT_EQ(all.stale.words, 0u);
  EXPECT_GT(all.shared.reads + all.shared.bypassedReads, 100u);
  EXPECT_GT(all.global.reads + all.global.bypassedReads, 100u);
  return {all.shared.reads != 0, all.global.reads != 0};
}

using Cached = std::pair<bool, bool>;

TEST(TinyCacheMachine, IsChosenByKernel) {
  EXPECT_EQ(cached({"mechanism.tiny-cache.kernels=k=shared"}), Cached(false, true));
  EXPECT_EQ(cached({"mechanism.tiny-cache.kernels=other=all, k=global"}), Cached(true, false));
  EXPECT_EQ(cached({"mechanism.tiny-cache.kernels=other=all"}), Cached(true, true));
  EXPECT_EQ(cached({"mechanism.tiny-cache.kernels=k=all"}), Cached(false, false));
  EXPECT_EQ(cached({"mechanism.tiny-cache.bypass=all", "mechanism.tiny-cache.kernels=k=none"}), Cached(true, true));
}

TEST(TinyCacheMachine, IsChosenByTheProgram) {
  EXPECT_EQ(cached({}, exec::CachePreference::shared), Cached(true, false));
  EXPECT_EQ(cached({}, exec::CachePreference::l1), Cached(false, true));
  EXPECT_EQ(cached({"mechanism.tiny-cache.bypass=global"}, exec::CachePreference::equal), Cached(true, true));
  EXPECT_EQ(cached({"mechanism.tiny-cache.by_program=false"}, exec::CachePreference::l1), Cached(true, true));
}

TEST(TinyCacheMachine, ExplainsWhatIsWrittenWrong) {
  try {
    machineOf("fermi-esesc", tiny({"mechanism.tiny-cache.kernels=saxpy"}));
    FAIL() << "taken";
  } catch (const Error& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("KERNEL=CHOICE"), std::string::npos) << refusal.what();
  }
}

// --- private memory

// Each thread writes four words of its own and reads them twice.
constexpr const char* kPrivateWords = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 all) {
.reg .b32 %t, %v, %x, %s;
.reg .b64 %a, %o, %m;
.local .align 4 .b8 mine[16];
ld.param.u64 %a, [all];
mov.u32 %t, %tid.x;
mul.wide.u32 %o, %t, 4;
add.u64 %a, %a, %o;
mov.u64 %m, mine;
mov.u32 %s, 0;
st.local.u32 [%m], %t;
add.u32 %v, %t, 1;
st.local.u32 [%m+4], %v;
add.u32 %v, %t, 2;
st.local.u32 [%m+8], %v;
add.u32 %v, %t, 3;
st.local.u32 [%m+12], %v;
ld.local.u32 %x, [%m];
add.u32 %s, %s, %x;
ld.local.u32 %x, [%m+4];
add.u32 %s, %s, %x;
ld.local.v2.u32 {%x, %v}, [%m+8];
add.u32 %s, %s, %x;
add.u32 %s, %s, %v;
st.global.u32 [%a], %s;
ret;
})";

struct PrivateRun {
  Statistics counted;
  u64 reads = 0, writes = 0;  // of the first-level cache
};

PrivateRun runPrivate(const char* preset, const Settings& settings) {
  TimedMachine machine(machineOf(preset, settings, 1));
  u32* words = machine.array<u32>(32);
  const TimedResult result = machine.run(compiled(kPrivateWords), {1}, {32}, {reinterpret_cast<u64>(words)});
  expectLaws(result);
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(words[t], 4 * t + 6);
  const auto& accesses = result.stats.l1d.accesses;
  return {counted(result), accesses[mem::AccessType::localRead], accesses[mem::AccessType::localWrite]};
}

// A word of all lanes is a line of 128 bytes. The caches ask for none of them, and write each back at the end.
TEST(TinyCacheMachine, CachesPrivateMemoryWhereItIsToldTo) {
  const PrivateRun without = runPrivate("fermi-esesc", tiny());
  EXPECT_EQ(without.counted.privateMemory.reads, 0u);
  EXPECT_EQ(without.counted.privateMemory.writes, 0u);
  EXPECT_EQ(without.reads, 4u);
  EXPECT_EQ(without.writes, 4u);
  const PrivateRun with = runPrivate("fermi-esesc", tiny({"mechanism.tiny-cache.private=true"}));
  EXPECT_EQ(with.counted.privateMemory.writeMisses, 4u * 32);
  EXPECT_EQ(with.counted.privateMemory.readHits, 4u * 32);
  EXPECT_EQ(with.counted.privateMemory.reads, 4u * 32);
  EXPECT_EQ(with.counted.stale.words, 0u);
  EXPECT_EQ(with.reads, 0u);
  EXPECT_EQ(with.writes, 4u);
}

TEST(TinyCacheMachine, CachesPrivateMemoryBeforeAnAffineVectorCache) {
  const PrivateRun both = runPrivate("fermi-avc-32", tiny({"mechanism.tiny-cache.private=true"}));
  EXPECT_EQ(both.counted.privateMemory.readHits, 4u * 32);
  EXPECT_EQ(both.counted.stale.words, 0u);
}

// --- streams

// Each thread adds up `rounds` words that lie `apart` bytes from one another, beginning with its own.
constexpr const char* kSums = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 rounds, .param .u64 apart) {
.reg .b32 %t, %b, %n, %g, %s, %x;
.reg .b64 %p, %q, %o, %r, %d;
.reg .pred %c;
ld.param.u64 %p, [in];
ld.param.u64 %q, [out];
ld.param.u64 %r, [rounds];
ld.param.u64 %d, [apart];
mov.u32 %t, %tid.x;
mov.u32 %b, %ctaid.x;
mov.u32 %n, %ntid.x;
mad.lo.u32 %g, %b, %n, %t;
mul.wide.u32 %o, %g, 4;
add.u64 %p, %p, %o;
add.u64 %q, %q, %o;
mov.u32 %s, 0;
AGAIN:
ld.global.u32 %x, [%p];
add.u32 %s, %s, %x;
add.u64 %p, %p, %d;
sub.u64 %r, %r, 1;
setp.ne.u64 %c, %r, 0;
@%c bra AGAIN;
st.global.u32 [%q], %s;
ret;
})";

struct Sums {
  u32 threads = 256, blocks = 4;
  u64 rounds = 16, apart = 8192;
};

Statistics runSums(const Sums& sums, const Settings& settings) {
  const u64 all = u64{sums.threads} * sums.blocks, step = sums.apart / sizeof(u32), words = all + sums.rounds * step;
  TimedMachine machine(machineOf("fermi-esesc", tiny(settings)));
  u32* in = machine.array<u32>(words);
  const u32* out = machine.array<u32>(all);
  std::iota(in, in + words, 0u);
  const TimedResult result = machine.run(compiled(kSums), {sums.blocks}, {sums.threads},
                                         {reinterpret_cast<u64>(in), reinterpret_cast<u64>(out), sums.rounds, sums.apart});
  expectLaws(result);
  for (u64 g = 0; g < all; ++g) EXPECT_EQ(out[g], sums.rounds * g + step * (sums.rounds * (sums.rounds - 1) / 2));
  const Statistics statistics = counted(result);
  EXPECT_EQ(statistics.stale.words, 0u);
  EXPECT_EQ(statistics.global.reads + statistics.global.bypassedReads, all * sums.rounds);
  return statistics;
}

TEST(TinyCacheMachine, LetsStreamsGoPast) {
  const Settings detect = {"mechanism.tiny-cache.detect_streams=true"};
  EXPECT_EQ(runSums({}, {}).streams, 0u);
  const Statistics stream = runSums({}, detect);
  EXPECT_GT(stream.streams, 100u) << "of 512 loads of a warp";
  EXPECT_GT(stream.global.bypassedReads, stream.global.reads);
  // Two warps of an SM read the words of line after line.
  const Statistics inTurn = runSums({.threads = 64, .blocks = 2, .rounds = 512, .apart = 4}, detect);
  EXPECT_GT(inTurn.evictions.replaced, 1000u);
  EXPECT_EQ(inTurn.streams, 0u);
}

// --- races

// Each thread stores its number, reads its neighbour's after a barrier, stores again, and reads its neighbour's again: with what is in
// `between`, or without it, a cache still has what it read first.
std::string exchange(const char* kind, const char* between, const char* space, const char* type) {
  return fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 all) {{
.reg .b32 %t, %x, %y;
.reg .b64 %a, %o, %n;
.shared .align 4 .b8 ours[128];
ld.param.u64 %a, [all];
{0}
mov.u32 %t, %tid.x;
mul.wide.u32 %o, %t, 4;
add.u64 %o, %a, %o;
xor.b32 %x, %t, 1;
mul.wide.u32 %n, %x, 4;
add.u64 %n, %a, %n;
st{1}.{2}.{3} [%o], %t;
bar.sync 0;
ld{1}.{2}.{3} %x, [%n];
bar.warp.sync 0xffffffff;
ld{1}.{2}.{3} %x, [%n];
add.u32 %x, %x, 100;
st{1}.{2}.{3} [%o], %x;
{4}
ld{1}.{2}.{3} %y, [%n];
bar.sync 0;
st.{2}.{3} [%o], %y;
ret;
}})",
                     std::string_view(space) == "shared" ? "mov.u64 %a, ours;" : "", kind, space, type, between);
}

u64 staleWords(const char* kind, const char* between, const char* space, const char* type = "u32") {
  TimedMachine machine(machineOf("fermi-esesc", tiny(), 1));
  u32* words = machine.array<u32>(32);
  const TimedResult result = machine.run(compiled(exchange(kind, between, space, type)), {1}, {32}, {reinterpret_cast<u64>(words)});
  expectLaws(result);
  const Statistics all = counted(result);
  if (all.stale.words != 0) {
    EXPECT_EQ(all.stale.lane.value, 0u);
    EXPECT_EQ(all.stale.isShared.value, std::string_view(space) == "shared");
    EXPECT_EQ(all.stale.address.value, (std::string_view(space) == "shared" ? 0 : reinterpret_cast<u64>(words)) + 4);
  }
  return all.stale.words;
}

TEST(TinyCacheMachine, ReportsRaces) {
  for (const char* space : {"shared", "global"}) {
    EXPECT_EQ(staleWords("", "", space), 32u) << space;
    EXPECT_EQ(staleWords("", "", space, "u16"), 32u) << space;
    EXPECT_EQ(staleWords("", "membar.cta;", space, "u16"), 0u) << space;
    EXPECT_EQ(staleWords("", "bar.warp.sync 0xffffffff;", space), 0u) << space;
    EXPECT_EQ(staleWords("", "membar.cta;", space), 0u) << space;
    EXPECT_EQ(staleWords("", "bar.sync 0;", space), 0u) << space;
    EXPECT_EQ(staleWords(".volatile", "", space), 0u) << space;
  }
}

// Lane 5 of one SM reads a word, tells another SM, which stores there and tells it, and reads the word again. The flags are volatile: with
// what is in `between` on both sides there is no race.
std::string messageAcross(const char* between) {
  return fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 all) {{
.reg .b32 %t, %b, %x, %y, %f;
.reg .b64 %a;
.reg .pred %o, %c;
ld.param.u64 %a, [all];
mov.u32 %t, %tid.x;
mov.u32 %b, %ctaid.x;
setp.ne.u32 %o, %t, 5;
@%o bra END;
setp.ne.u32 %c, %b, 0;
@%c bra OTHER;
ld.global.u32 %x, [%a];
{0}
mov.u32 %f, 1;
st.volatile.global.u32 [%a+256], %f;
WAIT:
ld.volatile.global.u32 %f, [%a+512];
setp.eq.u32 %c, %f, 0;
@%c bra WAIT;
{0}
ld.global.u32 %y, [%a];
mad.lo.u32 %x, %x, 10, %y;
st.global.u32 [%a+768], %x;
bra END;
OTHER:
ld.volatile.global.u32 %f, [%a+256];
setp.eq.u32 %c, %f, 0;
@%c bra OTHER;
{0}
mov.u32 %y, 7;
st.global.u32 [%a], %y;
{0}
mov.u32 %f, 1;
st.volatile.global.u32 [%a+512], %f;
END:
ret;
}})",
                     between);
}

// The second load of the word that the two SMs share.
u32 secondWeakLoad(const isa::Program& program) {
  u32 found = 0;
  for (u32 pc = 0; pc < program.code.size(); ++pc) {
    const isa::Instruction& instruction = program.code[pc];
    const bool isWeakLoad = instruction.opcode == Opcode::ld && instruction.modifiers.ordering == isa::Ordering::weak;
    if (isWeakLoad && instruction.modifiers.space == Space::global && ++found == 2) return pc;
  }
  ADD_FAILURE() << "there are not two";
  return 0;
}

TEST(TinyCacheMachine, ReportsRacesOfSms) {
  for (const char* between : {"", "membar.gl;"}) {
    TimedMachine machine(machineOf("fermi-esesc", tiny(), 2));
    u32* words = machine.array<u32>(256);
    const isa::Program program = compiled(messageAcross(between));
    const TimedResult result = machine.run(program, {2}, {32}, {reinterpret_cast<u64>(words)});
    expectLaws(result);
    EXPECT_EQ(words[192], 7u);
    const Statistics all = counted(result);
    const bool isRace = *between == '\0';
    EXPECT_EQ(all.stale.words, isRace ? 1u : 0u);
    if (!isRace) continue;
    EXPECT_EQ(all.stale.pc.value, secondWeakLoad(program));
    EXPECT_EQ(all.stale.address.value, reinterpret_cast<u64>(words));
    EXPECT_EQ(all.stale.lane.value, 5u);
    EXPECT_EQ(all.stale.isShared.value, 0u);
  }
}

// A warp has 16 lines of shared memory in each lane, all dirty and all in one bank. Loads of global memory displace them, 32 words of a
// bank each time: the second of them is answered by the first-level cache before the banks take what it displaces.
TEST(TinyCacheMachine, TakesAnswersBeforeTheBanksAreFree) {
  std::string body;
  for (u32 i = 0; i < 16; ++i) body += fmt::format("ld.global.u32 %x, [%p+{}];\nadd.u32 %v, %v, %x;\n", i * 128);
  body += "bar.sync 0;\n";
  for (u32 i = 0; i < 16; ++i) body += fmt::format("st.shared.u32 [%s+{}], %v;\n", i * 64);
  for (u32 i = 0; i < 16; ++i) body += fmt::format("ld.global.u32 %y{}, [%p+{}];\n", i, i * 128);
  for (u32 i = 0; i < 16; ++i) body += fmt::format("add.u32 %v, %v, %y{};\n", i);
  const std::string ptx = fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 all) {{
.reg .b32 %t, %v, %x, %s, %y<16>;
.reg .b64 %p, %o;
.shared .align 64 .b8 ours[32768];
ld.param.u64 %p, [all];
mov.u32 %t, %tid.x;
mul.wide.u32 %o, %t, 4;
add.u64 %p, %p, %o;
mov.u32 %s, ours;
mad.lo.u32 %s, %t, 1024, %s;
mov.u32 %v, 0;
{}st.global.u32 [%p], %v;
ret;
}})",
                                      body);
  TimedMachine machine(machineOf("fermi-esesc", tiny(), 1));
  u32* words = machine.array<u32>(16 * 32);
  std::iota(words, words + 16 * 32, 0u);
  const TimedResult result = machine.run(compiled(ptx), {1}, {32}, {reinterpret_cast<u64>(words)});
  expectLaws(result);
  for (u32 t = 0; t < 32; ++t) EXPECT_EQ(words[t], 2 * (16 * t + 32 * 15 * 16 / 2));
  const Statistics all = counted(result);
  EXPECT_EQ(all.stale.words, 0u);
  EXPECT_EQ(all.below.sharedWritePasses, 16u * 32);
}

// --- beside others

std::string refusalOf(Settings settings) {
  try {
    config::loadMachine("fermi-avc-32", settings);
  } catch (const Error& refusal) {
    return refusal.what();
  }
  return "";
}

// Rows of shared memory that lie beside the banks would be out of date in what the caches fetch from these.
TEST(TinyCacheMachine, DoesNotShareSharedMemory) {
  const Settings rows = {"mechanism.avc.shared=true"}, both = {"mechanism.avc.shared=true", "mechanism.tiny-cache=true"};
  EXPECT_EQ(refusalOf(rows), "");
  EXPECT_NE(refusalOf(both).find("mechanism 'avc': 'tiny-cache' keeps words of shared memory"), std::string::npos) << refusalOf(both);
  EXPECT_EQ(refusalOf({"mechanism.tiny-cache=true"}), "");
  EXPECT_EQ(refusalOf({"mechanism.avc.shared=true", "mechanism.tiny-cache=true", "mechanism.tiny-cache.bypass=shared",
                       "mechanism.tiny-cache.by_program=false"}),
            "");
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
  EXPECT_EQ(global.evictions.blockEnd, 32u);
  const Statistics shared = runLoads(withTinyCache(testing::fermi()), Space::shared).counted;
  EXPECT_EQ(shared.shared.readMisses, 32u);
  EXPECT_EQ(shared.shared.readHits, 32u);
  EXPECT_EQ(shared.below.sharedLines, 2u);
  EXPECT_EQ(shared.below.sharedFetchPasses, 1u);
}

}  // namespace
}  // namespace warpwright
