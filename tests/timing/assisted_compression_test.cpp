// Lines that assist warps compress and make whole (Vijaykumar and others, section 5), in whole machines.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "machines/timing_profile.hpp"
#include "mechanisms/assist_warps/statistics.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "runtime/device.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"

namespace warpwright {
namespace {

using mechanisms::line_compression::Statistics;
using Settings = std::vector<std::string>;

constexpr u32 kBlocks = 60, kThreads = 256, kWords = kBlocks * kThreads;

// Adds up a word that others load too and one of its own, and stores the sum, twice; the second time to what it loads again.
constexpr const char* kWork = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry work(.param .u64 from, .param .u64 to)
{
  .reg .u32 %r<12>;
  .reg .u64 %d<8>;
  ld.param.u64 %d0, [from];
  ld.param.u64 %d1, [to];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.wide.u32 %d2, %r3, 4;
  add.u64 %d3, %d0, %d2;
  add.u64 %d4, %d1, %d2;
  mul.wide.u32 %d5, %r2, 4;
  add.u64 %d5, %d0, %d5;
  ld.global.u32 %r4, [%d3];
  ld.global.u32 %r5, [%d5];
  add.u32 %r6, %r4, %r5;
  st.global.u32 [%d4], %r6;
  bar.sync 0;
  xor.b32 %r7, %r2, 32;
  mad.lo.u32 %r8, %r0, %r1, %r7;
  mul.wide.u32 %d6, %r8, 4;
  add.u64 %d6, %d1, %d6;
  ld.global.u32 %r9, [%d6];
  add.u32 %r9, %r9, %r6;
  bar.sync 0;
  st.global.u32 [%d4], %r9;
  ret;
}
)";

config::Machine machineOf(Settings settings) {
  settings.insert(settings.begin(), {"chip.multiprocessors=2", "l2.bytes=8192", "chip.l2_cache_bytes=98304"});
  return config::loadMachine("fermi-caba", settings);
}

// HW-BDI, and CABA with room for many routines that compress.
Settings inHardware(Settings more = {}) {
  more.insert(more.begin(), {"mechanism.line-compression=true", "mechanism.line-compression.reach=network"});
  return more;
}
Settings assisted(Settings more = {}) {
  more.insert(more.begin(), {"mechanism.assist-warps=true", "mechanism.line-compression=true", "mechanism.line-compression.reach=network",
                             "mechanism.line-compression.by=routines", "mechanism.assist-warps.low_entries=16"});
  return more;
}

struct Ran {
  std::vector<u32> words;
  u64 cycles = 0;
  Statistics counted;
  mechanisms::assist_warps::Statistics assist;
  std::string all;
};

template <class WordAt>
Ran run(const Settings& machine, WordAt wordAt, const machines::TimingOptions& options = {}) {
  runtime::Settings settings;
  settings.machine = machineOf(machine);
  settings.timing = options;
  runtime::Device device(settings);
  runtime::Launch launch;
  launch.module = &device.loadModule(kWork, "work.ptx");
  launch.kernel = launch.module->loaded->program.findFunction("work");
  launch.grid = {kBlocks};
  launch.block = {kThreads};
  u64 arrays[2];
  for (u64& array : arrays) array = device.memory().allocate(kWords * sizeof(u32), exec::AllocationKind::device).value();
  const auto words = [&](u64 array) { return reinterpret_cast<u32*>(exec::GlobalMemory::hostPointer(GlobalAddress(array))); };
  for (u32 i = 0; i < kWords; ++i) words(arrays[0])[i] = wordAt(i);
  launch.parameters.resize(sizeof arrays);
  std::memcpy(launch.parameters.data(), arrays, sizeof arrays);
  const runtime::LaunchOutcome outcome = device.launch(launch);
  EXPECT_EQ(outcome.status, exec::LaunchStatus::completed) << outcome.message;
  const machines::KernelTiming& timing = *device.timing().kernels().at(0);
  EXPECT_EQ(timing.violations, std::vector<std::string>{});
  Ran ran;
  ran.words.assign(words(arrays[1]), words(arrays[1]) + kWords);
  ran.cycles = timing.counters.cycles;
  const auto& counted = timing.counters.gpu.mechanisms;
  const auto take = [&]<class S>(const char* name, S& into) {
    if (const auto* found = dynamic_cast<const stats::Structure<S>*>(counted.find(name))) into = found->value();
  };
  take("line_compression", ran.counted);
  take("assist_warps", ran.assist);
  ran.all = stats::toJson(timing.counters.gpu).dump();
  return ran;
}

u32 small(u32 i) { return 0x40000000 + i % 32; }
u32 noise(u32 i) { return (i + 1) * 0x9e3779b9 ^ (i + 7) << 13; }
// Lines of each kind that the codecs know.
u32 mixed(u32 i) {
  constexpr u32 kLineWords = 32;
  const u32 line = i / kLineWords, word = i % kLineWords;
  const u32 kinds[] = {0, 0x12345678 + word, word % 2 == 0 ? 0xcafe0000 : 0x80, word << 16, (i % 3) * 0x01010101, noise(i), line};
  return kinds[line % std::size(kinds)];
}

TEST(AssistedCompression, LeavesTheBytesThatItShould) {
  const std::vector<u32> wanted = run({}, mixed).words;
  for (const std::string codec : {"bdi", "fpc", "c_pack", "best"}) {
    const Ran ran = run(assisted({"mechanism.line-compression.codec=" + codec}), mixed);
    EXPECT_EQ(ran.words, wanted) << codec;
    EXPECT_GT(ran.counted.comparedLines, 100u) << codec;
    EXPECT_EQ(ran.counted.wrongLines, 0u) << codec;
    EXPECT_GT(ran.counted.compressedArrivals, 50u) << codec;
    EXPECT_GT(ran.counted.compressedStores, 20u) << codec;
    EXPECT_EQ(ran.assist.abandoned, 0u) << codec;
  }
}

// Each line that comes compressed has a routine of high priority, each store one of low priority, but for those that find no room.
TEST(AssistedCompression, HasARoutineForEachLine) {
  const Ran ran = run(assisted(), small);
  EXPECT_EQ(ran.assist.deployedHigh + ran.counted.unassistedLines, ran.counted.compressedArrivals);
  EXPECT_EQ(ran.assist.ended - ran.assist.deployedHigh + ran.counted.unassistedStores + ran.counted.overflows, ran.counted.stores);
  EXPECT_GT(ran.assist.deployedHigh, 100u);
  EXPECT_GT(ran.assist.deployedLow, 100u);
}

TEST(AssistedCompression, TakesLongerThanHardware) {
  const Ran hardware = run(inHardware(), small), routines = run(assisted(), small);
  EXPECT_EQ(routines.words, hardware.words);
  EXPECT_GT(routines.cycles, hardware.cycles);
}

// … but for stores, whose routine finds out: nothing of noise comes compressed.
TEST(AssistedCompression, OfNoiseMakesNothingWhole) {
  const Ran ran = run(assisted({"mechanism.line-compression.codec=fpc"}), noise);
  EXPECT_EQ(ran.assist.deployedHigh, 0u);
  EXPECT_EQ(ran.counted.compressedStores, 0u);
  EXPECT_GT(ran.counted.compressions, 0u);
}

TEST(AssistedCompression, IsTheSameHoweverItIsSimulated) {
  const Ran first = run(assisted(), mixed);
  for (const u32 threads : {2u, 8u}) {
    machines::TimingOptions options;
    options.threads = threads;
    EXPECT_EQ(run(assisted(), mixed, options).all == first.all, true) << threads;
  }
  machines::TimingOptions each;
  each.skip = false;
  EXPECT_EQ(run(assisted(), mixed, each).all == first.all, true) << "cycle by cycle";
}

TEST(AssistedCompression, LetsStoresGoThatWaitTooLong) {
  const Ran ran = run(assisted({"mechanism.line-compression.most_wait=1"}), small);
  EXPECT_GT(ran.counted.unassistedStores, 100u);
  EXPECT_EQ(ran.words, run({}, small).words);
}

TEST(AssistedCompression, OverflowsGoAsTheyAre) {
  const Ran ran = run(assisted({"mechanism.line-compression.sm_entries=1"}), small);
  EXPECT_GT(ran.counted.overflows, 100u);
  EXPECT_EQ(ran.words, run({}, small).words);
}

TEST(AssistedCompression, GoesWithWhatElseThereIs) {
  const std::vector<u32> wanted = run({}, mixed).words;
  for (const std::string other : {"avc", "tiny-cache", "access-patterns", "memory-classes", "affine-tags"}) {
    const Ran ran = run(assisted({"mechanism." + other + "=true"}), mixed);
    EXPECT_EQ(ran.words, wanted) << other;
    EXPECT_EQ(ran.counted.wrongLines, 0u) << other;
    // Behind tiny caches nobody knows whose a request is: lines are made whole by nobody, and stores go as they are.
    EXPECT_EQ(ran.counted.comparedLines > 0, other != "tiny-cache") << other;
  }
}

TEST(AssistedCompression, NeedsAssistWarps) {
  try {
    machineOf(inHardware({"mechanism.line-compression.by=routines"}));
    ADD_FAILURE() << "nobody runs routines";
  } catch (const Error& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("add the mechanism 'assist-warps'"), std::string::npos) << refusal.what();
  }
  EXPECT_THROW(machineOf({"mechanism.assist-warps=true", "mechanism.line-compression=true", "mechanism.line-compression.by=routines"}),
               Error)
      << "in the partitions";
}

}  // namespace
}  // namespace warpwright
