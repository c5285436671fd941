// The stage between a partition and its channel, tick by tick, with a channel of the test's own below it.
#include "mechanisms/line_compression/stage.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

#include "unit/mechanisms/line_compression/lines.hpp"

namespace warpwright::mechanisms::line_compression {
namespace {

using mem::AccessType;
using mem::Request;

Request requestOf(GlobalAddress line, AccessType type, u32 sectors = 0b1111) {
  Request request;
  request.address = line;
  request.lineBytes = kLine;
  request.sectors = sectors;
  request.wholeSectors = isWrite(type) ? sectors : 0;
  request.type = type;
  request.wantsResponse = !isWrite(type);
  request.id = 77;
  request.origin.sm = 3;
  return request;
}

class Bench {
 public:
  explicit Bench(const Settings& settings = {.metadataBytes = 0})
      : sizes(settings, kLine, memory.reader()), stage(settings, kLine, sizes, addresses, statistics) {}

  void accept(const Request& request) {
    ASSERT_TRUE(stage.canAccept(request));
    stage.accept(request, now);
  }
  void tick() { stage.tick(++now); }
  // Ticks until something goes down, and what that is; nothing: within 100 ticks.
  std::optional<Request> next() {
    for (u32 i = 0; i < 100; ++i, tick())
      if (stage.peekMiss()) return stage.takeMiss();
    return std::nullopt;
  }
  void answer(Request request) {
    request.isResponse = true;
    ASSERT_TRUE(stage.canFill(request));
    stage.fill(request, now);
  }
  std::optional<Request> response() {
    if (!stage.peekResponse()) return std::nullopt;
    return stage.takeResponse();
  }

  Values memory;
  mem::AddressMap map{1, 1, 1, 256, "false"};
  MetadataAddresses addresses{map, PartitionId{0}, kLine};
  LineSizes sizes;
  Statistics statistics;
  Stage stage;
  L2Tick now{100};
};

constexpr GlobalAddress kZeros{0x1000}, kNoise{0x1080}, kElsewhere{u64{1} << 47};

void fillMemory(Values& memory) {
  memory.set(kZeros, kLine, zeros);
  memory.set(kNoise, kLine, noise);
}

TEST(LineCompressionStage, WhatIsNotCompressedCostsNothing) {
  Bench bench;
  fillMemory(bench.memory);
  for (const GlobalAddress line : {kNoise, kElsewhere}) {
    const Request read = requestOf(line, AccessType::globalRead, 0b0110);
    bench.accept(read);
    ASSERT_NE(bench.stage.peekMiss(), nullptr);
    EXPECT_EQ(*bench.stage.peekMiss(), read);
    bench.answer(bench.stage.takeMiss());
    const std::optional<Request> back = bench.response();
    ASSERT_TRUE(back);
    EXPECT_EQ(back->sectors, 0b0110u);
    EXPECT_EQ(back->id, 77u);
  }
  EXPECT_TRUE(bench.stage.quiescent());
  EXPECT_EQ(bench.statistics.pieces, 4u);
  EXPECT_EQ(bench.statistics.compressedReads, 0u);
}

TEST(LineCompressionStage, AReadOfACompressedLineTakesItsPiecesAndATick) {
  Bench bench;
  fillMemory(bench.memory);
  bench.accept(requestOf(kZeros, AccessType::globalRead));
  ASSERT_NE(bench.stage.peekMiss(), nullptr);
  const Request down = bench.stage.takeMiss();
  EXPECT_EQ(down.pieces, 1u);
  bench.answer(down);
  EXPECT_FALSE(bench.response());
  bench.tick();
  const std::optional<Request> back = bench.response();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->pieces, 0u) << "the cache above has it whole";
  EXPECT_EQ(back->sectors, 0b1111u);
  EXPECT_EQ(bench.statistics.pieces, 1u);
  EXPECT_EQ(bench.statistics.uncompressedPieces, 4u);
  EXPECT_EQ(bench.statistics.decompressions, 1u);
}

TEST(LineCompressionStage, AWriteIsCompressedInFiveTicksAndReadsSeeItAtOnce) {
  Bench bench;
  fillMemory(bench.memory);
  bench.accept(requestOf(kZeros, AccessType::writeBack));
  EXPECT_FALSE(bench.stage.canAccept(requestOf(kZeros, AccessType::globalRead))) << "not before the write";
  EXPECT_TRUE(bench.stage.canAccept(requestOf(kNoise, AccessType::globalRead)));
  for (u32 i = 0; i < 5; ++i) {
    EXPECT_EQ(bench.stage.peekMiss(), nullptr) << i;
    EXPECT_EQ(bench.stage.nextUseful(bench.now), L2Tick{105});
    bench.tick();
  }
  ASSERT_NE(bench.stage.peekMiss(), nullptr);
  EXPECT_EQ(bench.stage.takeMiss().pieces, 1u);
  // SMs store meanwhile; the line is still that of the write.
  bench.memory.set(kZeros, kLine, noise);
  bench.accept(requestOf(kZeros, AccessType::globalRead));
  EXPECT_EQ(bench.stage.takeMiss().pieces, 1u);
  bench.accept(requestOf(kZeros, AccessType::writeBack));
  EXPECT_EQ(bench.next()->pieces, 0u);
  EXPECT_EQ(bench.statistics.compressedWrites, 1u);
}

TEST(LineCompressionStage, APartOfACompressedLineIsMerged) {
  Bench bench;
  fillMemory(bench.memory);
  bench.accept(requestOf(kZeros, AccessType::writeBack, 0b0001));
  ASSERT_NE(bench.stage.peekMiss(), nullptr);
  const Request rest = bench.stage.takeMiss();
  EXPECT_EQ(rest.type, AccessType::globalRead);
  EXPECT_EQ(rest.pieces, 1u);
  EXPECT_FALSE(bench.stage.canAccept(requestOf(kZeros, AccessType::globalRead)));
  bench.memory.set(kZeros, kLine, smallWords);
  bench.answer(rest);
  EXPECT_FALSE(bench.response()) << "it was the stage's own";
  for (u32 i = 0; i < 1 + 5; ++i) {
    EXPECT_EQ(bench.stage.peekMiss(), nullptr) << i;
    bench.tick();
  }
  ASSERT_NE(bench.stage.peekMiss(), nullptr);
  const Request whole = bench.stage.takeMiss();
  EXPECT_EQ(whole.pieces, 2u);
  EXPECT_EQ(whole.id, 77u);
  EXPECT_EQ(bench.statistics.mergedWrites, 1u);
  EXPECT_EQ(bench.statistics.pieces, 1u + 2u);
  EXPECT_EQ(bench.statistics.uncompressedPieces, 1u);
  EXPECT_TRUE(bench.stage.quiescent());
}

// Merged, and no longer compressible: all of the line is written.
TEST(LineCompressionStage, AMergedLineThatGrowsIsWrittenWhole) {
  Bench bench;
  fillMemory(bench.memory);
  bench.accept(requestOf(kZeros, AccessType::writeBack, 0b0001));
  bench.memory.set(kZeros, kLine, noise);
  bench.answer(bench.stage.takeMiss());
  EXPECT_EQ(bench.next()->pieces, 4u);
  bench.accept(requestOf(kZeros, AccessType::writeBack, 0b0001));
  EXPECT_EQ(bench.next()->pieces, 0u) << "a part of a line that is not compressed";
}

// Where the networks have lines compressed, they pass as they are, and a line has the size in which it was written last.
TEST(LineCompressionStage, OfNetworksWithCompressedLinesChangesNothing) {
  Bench bench({.reach = Reach::network, .metadataBytes = 0});
  fillMemory(bench.memory);
  bench.accept(requestOf(kZeros, AccessType::globalRead));
  const Request down = bench.stage.takeMiss();
  EXPECT_EQ(down.pieces, 1u);
  bench.answer(down);
  const std::optional<Request> back = bench.response();
  ASSERT_TRUE(back) << "at once";
  EXPECT_EQ(back->pieces, 1u);

  Request write = requestOf(kZeros, AccessType::writeBack);
  write.pieces = 3;
  bench.accept(write);
  ASSERT_NE(bench.stage.peekMiss(), nullptr) << "at once";
  EXPECT_EQ(bench.stage.takeMiss(), write);
  bench.accept(requestOf(kZeros, AccessType::globalRead));
  EXPECT_EQ(bench.stage.takeMiss().pieces, 3u);
  bench.accept(requestOf(kZeros, AccessType::writeBack));
  EXPECT_EQ(bench.stage.takeMiss().pieces, 0u) << "nobody compressed it";
  bench.accept(requestOf(kZeros, AccessType::globalRead));
  EXPECT_EQ(bench.stage.takeMiss().pieces, 0u);
  EXPECT_EQ(bench.statistics.compressions, 0u);
  EXPECT_EQ(bench.statistics.decompressions, 0u);
}

TEST(LineCompressionStage, MetadataComeFirst) {
  Bench bench({.metadataBytes = 2 * kMetadataBlockBytes, .metadataWays = 1});  // two sets
  constexpr u64 kBlock = u64{kLinesOfBlock} * kLine;
  for (const u64 number : {0u, 1u, 2u}) {
    bench.memory.set(GlobalAddress(number * kBlock), kLine, zeros);
    bench.memory.set(GlobalAddress(number * kBlock + kLine), kLine, zeros);
  }
  bench.accept(requestOf(GlobalAddress{0}, AccessType::globalRead));
  bench.accept(requestOf(GlobalAddress{kLine}, AccessType::globalRead));
  const Request metadata = bench.stage.takeMiss();
  EXPECT_EQ(metadata.address, bench.addresses.addressOf(0));
  EXPECT_EQ(metadata.dataBytes(), kMetadataBlockBytes);
  EXPECT_FALSE(bench.next()) << "both wait for the same block";
  bench.answer(metadata);
  EXPECT_EQ(bench.next()->address, GlobalAddress{0});
  EXPECT_EQ(bench.next()->address, GlobalAddress{kLine});
  EXPECT_EQ(bench.statistics.metadata, (MetadataStats{.misses = 1, .merged = 1}));

  // Block 2 takes the place of block 0, which has changed meanwhile.
  bench.memory.set(GlobalAddress{0}, kLine, noise);
  bench.accept(requestOf(GlobalAddress{0}, AccessType::writeBack));
  EXPECT_EQ(bench.next()->pieces, 0u);
  bench.accept(requestOf(GlobalAddress(2 * kBlock), AccessType::globalRead));
  bench.answer(*bench.next());
  const std::optional<Request> written = bench.next();
  ASSERT_TRUE(written);
  EXPECT_EQ(written->type, AccessType::writeBack);
  EXPECT_EQ(written->address, bench.addresses.addressOf(0));
  EXPECT_FALSE(written->wantsResponse);
  EXPECT_EQ(bench.next()->address, GlobalAddress(2 * kBlock));
  EXPECT_EQ(bench.statistics.metadata, (MetadataStats{.hits = 1, .misses = 2, .merged = 1, .changed = 1, .writeBacks = 1}));
}

// Random requests, values that change, a channel below that answers out of order and takes things when it likes: every request is passed on
// once, after those before it for its line, and answered if it wants to be; pieces are those of the line when it was last written.
void hammer(const Settings& settings, u64 seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](u64 bound) { return random() % bound; };
  Bench bench(settings);
  constexpr u32 kLines = 40;
  const auto lineOf = [](u64 number) { return GlobalAddress(number * 64 * kLine); };
  constexpr u32 (*kPatterns[])(u32) = {zeros, smallWords, noise};
  for (u64 number = 0; number < kLines; ++number)
    if (number % 8 != 7) bench.memory.set(lineOf(number), kLine, kPatterns[below(3)]);
  std::set<u32> sent, passed, answered, wanted;
  std::map<GlobalAddress, std::vector<u32>> order;
  std::deque<Request> channel;
  u32 id = 0;
  for (u32 step = 0; step < 20'000 || !channel.empty() || !bench.stage.quiescent(); ++step) {
    ASSERT_LT(step, 40'000u) << "something is stuck";
    if (step < 20'000 && below(3) != 0) {
      const u64 number = below(kLines);
      if (number % 8 != 7 && below(4) == 0) bench.memory.set(lineOf(number), kLine, kPatterns[below(3)]);
      const bool isWriting = below(2) == 0;
      Request request = requestOf(lineOf(number), isWriting ? AccessType::writeBack : AccessType::globalRead, below(2) ? 0b1111 : 0b0101);
      request.id = id;
      if (isWriting) request.wantsResponse = below(2) == 0;
      if (bench.stage.canAccept(request)) {
        bench.stage.accept(request, bench.now);
        sent.insert(id);
        if (request.wantsResponse) wanted.insert(id);
        order[request.address].push_back(id++);
      }
    }
    while (bench.stage.peekMiss() && below(4) != 0 && channel.size() < 6) {
      const Request request = bench.stage.takeMiss();
      if (request.origin.sm == 3) {
        ASSERT_TRUE(passed.insert(request.id).second);
        ASSERT_EQ(order[request.address].front(), request.id);
        order[request.address].erase(order[request.address].begin());
        const u32 most = request.sectors == 0b1111 || request.pieces != 0 ? 4 : 2;
        ASSERT_LE(request.pieces, most);
      }
      if (request.wantsResponse) channel.push_back(request);
    }
    if (!channel.empty() && below(3) == 0) {
      const std::size_t at = below(channel.size());
      Request response = channel[at];
      response.isResponse = true;
      if (bench.stage.canFill(response)) {
        bench.stage.fill(response, bench.now);
        channel.erase(channel.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    while (bench.stage.peekResponse() && below(3) != 0) {
      const Request response = bench.stage.takeResponse();
      ASSERT_EQ(response.pieces, 0u);
      ASSERT_TRUE(answered.insert(response.id).second);
    }
    bench.tick();
  }
  while (bench.stage.peekResponse()) answered.insert(bench.stage.takeResponse().id);
  EXPECT_EQ(passed, sent);
  EXPECT_EQ(answered, wanted);
  EXPECT_EQ(bench.statistics.reads + bench.statistics.writes, sent.size());
  stats::Conservation laws;
  check(bench.statistics, laws);
  for (const std::string& violation : laws.violations()) ADD_FAILURE() << violation;
  EXPECT_GT(bench.statistics.mergedWrites, 0u);
  EXPECT_GT(bench.statistics.foreign, 0u);
}

TEST(LineCompressionStage, LosesNothingWhateverTheOrder) {
  for (u64 seed = 1; seed <= 8; ++seed) {
    hammer({.metadataBytes = 0}, seed);
    hammer({.metadataBytes = 4 * kMetadataBlockBytes, .metadataWays = 2, .entries = 4}, seed);
    hammer({.codec = Choice::best, .compressLatency = 0, .decompressLatency = 0, .metadataBytes = 256, .metadataWays = 1, .entries = 1},
           seed);
  }
}

}  // namespace
}  // namespace warpwright::mechanisms::line_compression
