// Lines that lie compressed in DRAM, in whole machines (Vijaykumar and others, sections 5.3.2 and 6: HW-BDI-Mem).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/compiler.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "ptx/parser.hpp"
#include "stats/json.hpp"
#include "stats/named_structure.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using machines::TimedResult;
using mechanisms::line_compression::Statistics;
using testing::TimedMachine;
using Settings = std::vector<std::string>;

// Copies a word a thread, twice: the second time what the first has written, to another place.
constexpr const char* kCopies = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to)
{
  .reg .u32 %r<8>;
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
  ld.global.u32 %r4, [%d3];
  st.global.u32 [%d4], %r4;
  ret;
}
)";
constexpr u32 kBlocks = 512, kThreads = 256, kWords = kBlocks * kThreads;  // 512 KB, in slices of 8 KB

// One SM, and an L2 that holds little, in sectors that are lines.
config::Machine machineOf(Settings settings, bool isCompressed = true) {
  settings.insert(settings.begin(), {"chip.multiprocessors=2", "l2.bytes=8192", "chip.l2_cache_bytes=98304"});
  if (isCompressed) settings.insert(settings.begin(), "mechanism.line-compression=true");
  return config::loadMachine("fermi-caba", settings);
}

struct Copied {
  TimedResult there, back;
  bool isRight = true;
};

template <class WordAt>
Copied copy(const config::Machine& config, WordAt wordAt, const machines::TimingOptions& options = {}) {
  TimedMachine machine(config, options);
  u32 *from = machine.array<u32>(kWords), *to = machine.array<u32>(kWords), *last = machine.array<u32>(kWords);
  for (u32 i = 0; i < kWords; ++i) from[i] = wordAt(i);
  const exec::LoadedProgram& program = machine.load(compiler::compile(ptx::parse(kCopies, "test.ptx"), {}));
  const auto addressOf = [](const u32* words) { return reinterpret_cast<u64>(words); };
  Copied copied;
  copied.there = machine.run(program, {kBlocks}, {kThreads}, {addressOf(from), addressOf(to)});
  copied.back = machine.run(program, {kBlocks}, {kThreads}, {addressOf(to), addressOf(last)});
  for (const TimedResult* each : {&copied.there, &copied.back}) {
    EXPECT_EQ(each->functional.status, exec::LaunchStatus::completed) << each->functional.message;
    EXPECT_EQ(each->violations, std::vector<std::string>{});
  }
  for (u32 i = 0; i < kWords; ++i) copied.isRight &= last[i] == wordAt(i);
  return copied;
}

u32 zero(u32) { return 0; }
u32 noise(u32 i) { return (i + 1) * 0x9e3779b9 ^ (i + 7) << 13; }
u32 small(u32 i) { return 0x40000000 + i % 32; }

Statistics counted(const TimedResult& result) {
  const Statistics all = dynamic_cast<const stats::Structure<Statistics>&>(*result.stats.mechanisms.find("line_compression")).value();
  stats::Conservation laws;
  check(all, laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
  return all;
}
u64 dramBytes(const Copied& copied) { return copied.there.stats.memory.dram.movedBytes + copied.back.stats.memory.dram.movedBytes; }

std::string timeOf(const TimedResult& result) {
  return fmt::format("{} cycles\n{}\n{}", result.cycles, stats::toJson(result.stats.sm).dump(1),
                     stats::toJson(result.stats.memory).dump(1));
}

// … but for who has a request while it waits for the channel, the partition or the stage behind it.
std::string timeBeyondQueues(const TimedResult& result) {
  const mem::MemorySideStats& memory = result.stats.memory;
  return fmt::format("{} cycles\n{}\n{}\n{}", result.cycles, stats::toJson(result.stats.sm).dump(1),
                     stats::toJson(memory.responses).dump(1), stats::toJson(memory.dram).dump(1));
}

// Lines that cannot become smaller, and nothing that takes time: the cycles of the machine without it.
TEST(LineCompressionMachine, OfNoiseThatTakesNoTimeIsTheBaseline) {
  const Copied without = copy(machineOf({}, false), noise);
  const Copied with = copy(machineOf({"mechanism.line-compression.metadata_bytes=0", "mechanism.line-compression.compress_latency=0",
                                      "mechanism.line-compression.entries=1024"}),
                           noise);
  EXPECT_EQ(timeBeyondQueues(with.there), timeBeyondQueues(without.there));
  EXPECT_EQ(timeBeyondQueues(with.back), timeBeyondQueues(without.back));
  EXPECT_GT(counted(with.back).reads, 0u);
  EXPECT_EQ(counted(with.back).pieces, counted(with.back).uncompressedPieces);
}

TEST(LineCompressionMachine, OfNoiseInTheNetworkToo) {
  const Copied without = copy(machineOf({}, false), noise);
  const Copied with = copy(machineOf({"mechanism.line-compression.reach=network", "mechanism.line-compression.metadata_bytes=0",
                                      "mechanism.line-compression.compress_latency=0", "mechanism.line-compression.entries=1024"}),
                           noise);
  EXPECT_EQ(timeBeyondQueues(with.there), timeBeyondQueues(without.there));
  EXPECT_EQ(timeBeyondQueues(with.back), timeBeyondQueues(without.back));
  EXPECT_GT(counted(with.there).stores, 0u);
  EXPECT_EQ(counted(with.there).compressedStores, 0u);
}

// Of zeros a fourth of each line travels, of small words a half; metadata come beside them.
TEST(LineCompressionMachine, MovesThePiecesOfLines) {
  const u64 all = dramBytes(copy(machineOf({}, false), noise));
  ASSERT_GT(all, 4u * kWords * 3);  // two arrays are read, and one at least is written
  for (const auto& [wordAt, pieces] : {std::pair(&zero, 1u), std::pair(&small, 2u), std::pair(&noise, 4u)}) {
    const Copied copied = copy(machineOf({}), wordAt);
    EXPECT_TRUE(copied.isRight);
    const Statistics back = counted(copied.back);
    const u64 metadata = 32 * (back.metadata.misses + counted(copied.there).metadata.misses + back.metadata.writeBacks +
                               counted(copied.there).metadata.writeBacks);
    EXPECT_NEAR(static_cast<double>(dramBytes(copied) - metadata), static_cast<double>(all) * pieces / 4, static_cast<double>(all) / 50)
        << pieces;
    EXPECT_GT(back.metadata.hits, 20 * back.metadata.misses) << "lines that follow one another share a block";
  }
}

TEST(LineCompressionMachine, IsFasterWhereDramLimits) {
  const Settings busy = {"chip.multiprocessors=15"};
  EXPECT_LT(copy(machineOf(busy), zero).there.cycles * 10, copy(machineOf(busy, false), zero).there.cycles * 9);
}

// Where L2 and the networks have lines compressed, requests to store carry 32 of 128 bytes, and so do responses.
TEST(LineCompressionMachine, ReachesTheNetworks) {
  const Copied memory = copy(machineOf({}), zero), network = copy(machineOf({"mechanism.line-compression.reach=network"}), zero);
  EXPECT_TRUE(network.isRight);
  const Statistics back = counted(network.back);
  constexpr u64 kLines = kWords / 32;
  EXPECT_EQ(back.stores, kLines);
  EXPECT_EQ(back.compressedStores, kLines);
  EXPECT_EQ(back.compressedArrivals, kLines);
  const auto bytes = [](const TimedResult& result) { return result.stats.memory.requests.bytes + result.stats.memory.responses.bytes; };
  EXPECT_EQ(bytes(memory.back) - bytes(network.back), kLines * 2 * (128 - 32));
  EXPECT_EQ(back.compressions, kLines) << "partitions compress nothing";
  EXPECT_EQ(back.decompressions, kLines);
  EXPECT_NEAR(static_cast<double>(dramBytes(network)), static_cast<double>(dramBytes(memory)), 32 * 8) << "but for some metadata";
}

// What the host has not copied lies as it is until it is written.
TEST(LineCompressionMachine, CopiesMayLieAsTheyAre) {
  const Copied copied = copy(machineOf({"mechanism.line-compression.copies_too=false"}), zero);
  EXPECT_EQ(counted(copied.there).compressedReads, 0u);
  EXPECT_GT(counted(copied.back).compressedReads, 0u);
}

TEST(LineCompressionMachine, GivesTheSameBitsHoweverSimulated) {
  const auto mixed = [](u32 i) { return i / 4096 % 3 == 0 ? 0 : i / 4096 % 3 == 1 ? small(i) : noise(i); };
  for (const char* reach : {"memory", "network"}) {
    std::string first;
    for (const bool skip : {true, false}) {
      for (const u32 threads : {1u, 3u}) {
        const config::Machine config = machineOf({fmt::format("mechanism.line-compression.reach={}", reach)});
        const Copied copied = copy(config, mixed, {.threads = threads, .skip = skip});
        EXPECT_TRUE(copied.isRight);
        const std::string time = timeOf(copied.there) + timeOf(copied.back) + stats::toJson(counted(copied.back)).dump(1);
        if (first.empty()) first = time;
        EXPECT_EQ(time, first) << reach << ", " << threads << " threads, " << skip;
      }
    }
  }
}

}  // namespace
}  // namespace warpwright
