// The caches of several lanes under random accesses, against a flat memory. Between two barriers each word belongs to one lane, which reads
// and writes it, or to all, which read it: no race, so what each lane would find is what memory has, and what the caches write back is all
// that memory lacks. Words of different lanes lie side by side.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "mechanisms/tiny_cache/lane_caches.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

constexpr u32 kLanes = 8, kWords = 512, kNobody = kLanes, kPhases = 300, kAccesses = 1000;

struct Case {
  const char* name;
  Settings settings{};
};
void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

class Traces : public ::testing::TestWithParam<Case> {
 protected:
  Traces() { caches_.blockBegins(SlotId(3), sizeof memory_); }

  LaneWords access(u32 lane, bool isShared, u32 byte, u32 bytes, const u32* values) {
    const u64 address = isShared ? byte : reinterpret_cast<u64>(memory_) + byte;
    const u64 number = address / settings_.lineBytes;
    LaneWords words;
    words.lane = LaneId(lane);
    words.line = isShared ? LineName::shared(SlotId(3), number) : LineName::global(number);
    words.offset = static_cast<u32>(address % settings_.lineBytes);
    words.bytes = bytes;
    words.values = values;
    words.pieceBytes = std::min(bytes, 4u);
    words.valueLanes = 1;
    words.issued = words.now = Cycle{time_};
    time_ += 10;  // more than the delay of memory
    return words;
  }
  u8* at(u32 byte) { return reinterpret_cast<u8*>(memory_) + byte; }

  void read(u32 lane, bool isShared, u32 byte, u32 bytes) {
    std::array<u32, 4> values{};
    std::memcpy(values.data(), at(byte), bytes);
    caches_.read(access(lane, isShared, byte, bytes, values.data()));
    writeBack();
  }
  void write(u32 lane, bool isShared, u32 byte, u32 bytes) {
    std::array<u32, 4> values{};
    for (u32& value : values) value = static_cast<u32>(random_());
    const LaneWords words = access(lane, isShared, byte, bytes, values.data());
    std::memcpy(at(byte), values.data(), bytes);
    if (settings_.geometry().isWhole(bytes)) {
      caches_.write(words);
    } else {
      caches_.bypassWrite(words);
      writeBack();
      std::memcpy(reinterpret_cast<u8*>(below_) + byte, values.data(), bytes);
    }
    writeBack();
  }
  void barrier() {
    caches_.dropAll(&EvictionStats::barrier);
    writeBack();
  }

  // Into the memory below the caches.
  void writeBack() {
    const Geometry geometry = settings_.geometry();
    for (const Leaver& leaver : caches_.leavers()) {
      const u64 first =
          leaver.line.name.number() * settings_.lineBytes - (leaver.line.name.isShared() ? 0 : reinterpret_cast<u64>(memory_));
      for (u32 offset = 0; offset < settings_.lineBytes; ++offset) {
        if ((leaver.line.dirty() & geometry.granulesOf(offset, 1)) == 0) continue;
        const KnownWord word = leaver.values.word(offset / 4);
        ASSERT_TRUE(word.knows(0xffu << offset % 4 * 8)) << "what is dirty was stored";
        reinterpret_cast<u8*>(below_)[first + offset] = static_cast<u8>(word.value >> offset % 4 * 8);
      }
    }
    caches_.leavers().clear();
  }

  // Owners of pieces of 16 bytes and of words, so that accesses of all sizes occur. isSafe: barriers between the phases.
  void run(bool isShared, bool isSafe) {
    for (u32 word = 0; word < kWords; ++word) {
      if (isShared) write(word % kLanes, true, word * 4, 4);
      if (!isShared) below_[word] = memory_[word] = static_cast<u32>(random_());
    }
    barrier();
    for (u32 phase = 0; phase < kPhases; ++phase) {
      for (u32& owner : owner_) owner = static_cast<u32>(random_() % (kLanes + 1));
      const u32 first = static_cast<u32>(random_() % (kWords - 96)) & ~3u;
      for (u32 i = 0; i < kAccesses; ++i) any(isShared, first);
      if (!isSafe) continue;
      barrier();
      ASSERT_EQ(std::memcmp(below_, memory_, sizeof memory_), 0);
    }
    barrier();
  }
  void any(bool isShared, u32 first) {
    const u32 lane = static_cast<u32>(random_() % kLanes);
    const u32 bytes = 1u << random_() % 5, byte = first * 4 + static_cast<u32>(random_() % 384) / bytes * bytes;
    const bool isWrite = random_() % 2 == 0;
    for (u32 word = byte / 4; word <= (byte + bytes - 1) / 4; ++word)
      if (owner_[word] != lane && (isWrite || owner_[word] != kNobody)) return;
    isWrite ? write(lane, isShared, byte, bytes) : read(lane, isShared, byte, bytes);
  }

  const Settings settings_ = GetParam().settings;
  alignas(128) u32 memory_[kWords]{};
  u32 below_[kWords]{};
  std::array<u32, kWords> owner_{};
  Statistics statistics_;
  LaneCaches caches_{settings_, kLanes, 8, statistics_};
  std::mt19937_64 random_{12345};
  u64 time_ = 0;
};

TEST_P(Traces, WithoutRacesFindNothingStale) {
  for (const bool isShared : {true, false}) {
    run(isShared, true);
    EXPECT_EQ(statistics_.stale.words, 0u) << "shared " << isShared << ", word " << std::hex << statistics_.stale.address.value;
    const SpaceStats& space = statistics_.of(isShared ? Space::shared : Space::global);
    for (const u64 count : {space.readHits, space.readMisses, space.writeHits, space.writeMisses, space.linesWrittenBack})
      EXPECT_GT(count, 100u);
    if (settings_.lineBytes > 16) {
      EXPECT_GT(space.readsInvalid, 100u);
    }
  }
  stats::Conservation laws;
  checkAtRest(statistics_, laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
}

TEST_P(Traces, WithRacesFindStaleWords) {
  run(true, false);
  EXPECT_GT(statistics_.stale.words, 0u);
  const u64 inShared = statistics_.stale.words;
  run(false, false);
  EXPECT_GT(statistics_.stale.words, inShared);
}

INSTANTIATE_TEST_SUITE_P(TinyCache, Traces,
                         ::testing::Values(Case{"of the paper"}, Case{"bytes", {.granularity = Granularity::byte}},
                                           Case{"words", {.granularity = Granularity::word}}, Case{"one line", {.lines = 1, .ways = 1}},
                                           Case{"long lines", {.lines = 8, .ways = 2, .lineBytes = 128}},
                                           Case{"short lines", {.lines = 64, .ways = 4, .lineBytes = 16}}));

}  // namespace
}  // namespace warpwright::mechanisms::tiny_cache
