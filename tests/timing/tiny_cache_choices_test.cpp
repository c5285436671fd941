// Tiny caches in whole machines: what they cache, of which kernel, and beside which other mechanisms.
#include "base/error.hpp"
#include "tiny_cache_machines.hpp"

namespace warpwright {
namespace {

using namespace testing::tiny_caches;
using testing::RaceFreeKernel;
using testing::TimedMachine;

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

TEST(TinyCacheChoices, IsChosenByKernel) {
  EXPECT_EQ(cached({"mechanism.tiny-cache.kernels=k=shared"}), Cached(false, true));
  EXPECT_EQ(cached({"mechanism.tiny-cache.kernels=other=all, k=global"}), Cached(true, false));
  EXPECT_EQ(cached({"mechanism.tiny-cache.kernels=other=all"}), Cached(true, true));
  EXPECT_EQ(cached({"mechanism.tiny-cache.kernels=k=all"}), Cached(false, false));
  EXPECT_EQ(cached({"mechanism.tiny-cache.bypass=all", "mechanism.tiny-cache.kernels=k=none"}), Cached(true, true));
}

TEST(TinyCacheChoices, IsChosenByTheProgram) {
  EXPECT_EQ(cached({}, exec::CachePreference::shared), Cached(true, false));
  EXPECT_EQ(cached({}, exec::CachePreference::l1), Cached(false, true));
  EXPECT_EQ(cached({"mechanism.tiny-cache.bypass=global"}, exec::CachePreference::equal), Cached(true, true));
  EXPECT_EQ(cached({"mechanism.tiny-cache.by_program=false"}, exec::CachePreference::l1), Cached(true, true));
}

TEST(TinyCacheChoices, ExplainsWhatIsWrittenWrong) {
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
TEST(TinyCacheChoices, CachesPrivateMemoryWhereItIsToldTo) {
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

TEST(TinyCacheChoices, CachesPrivateMemoryBeforeAnAffineVectorCache) {
  const PrivateRun both = runPrivate("fermi-avc-32", tiny({"mechanism.tiny-cache.private=true", "mechanism.avc=true"}));
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

TEST(TinyCacheChoices, LetsStreamsGoPast) {
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

// --- beside others

std::string refusalOf(Settings settings) {
  settings.insert(settings.begin(), "mechanism.avc=true");
  try {
    config::loadMachine("fermi-avc-32", settings);
  } catch (const Error& refusal) {
    return refusal.what();
  }
  return "";
}

// Rows of shared memory that lie beside the banks would be out of date in what the caches fetch from these.
TEST(TinyCacheChoices, DoesNotShareSharedMemory) {
  const Settings rows = {"mechanism.avc.shared=true"}, both = {"mechanism.avc.shared=true", "mechanism.tiny-cache=true"};
  EXPECT_EQ(refusalOf(rows), "");
  EXPECT_NE(refusalOf(both).find("mechanism 'avc': 'tiny-cache' keeps words of shared memory"), std::string::npos) << refusalOf(both);
  EXPECT_EQ(refusalOf({"mechanism.tiny-cache=true"}), "");
  EXPECT_EQ(refusalOf({"mechanism.avc.shared=true", "mechanism.tiny-cache=true", "mechanism.tiny-cache.bypass=shared",
                       "mechanism.tiny-cache.by_program=false"}),
            "");
}

}  // namespace
}  // namespace warpwright
