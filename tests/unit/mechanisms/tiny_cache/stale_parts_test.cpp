// Loads of less than a word are compared byte by byte with what the cache holds.
#include <gtest/gtest.h>

#include <cstring>

#include "mechanisms/tiny_cache/lane_caches.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

class StaleParts : public ::testing::Test {
 protected:
  LaneWords access(u32 lane, u32 byte, u32 bytes, u32 pc) {
    const u64 address = reinterpret_cast<u64>(memory_) + byte;
    LaneWords words;
    words.lane = LaneId(lane);
    words.line = LineName::global(address / 64);
    words.offset = static_cast<u32>(address % 64);
    words.bytes = bytes;
    words.values = values_.data();
    words.pieceBytes = pieceBytes_;
    words.valueLanes = 1;
    words.origin.pc = Pc(pc);
    words.issued = words.now = Cycle{time_};
    time_ += 100;  // more than the delay of memory
    return words;
  }
  // What memory has is what a load gets; the rest of its registers is its sign's.
  void read(u32 lane, u32 byte, u32 bytes, u32 pc = 0) {
    values_.fill(~u32{0});
    for (u32 piece = 0; piece * pieceBytes_ < bytes; ++piece) std::memcpy(&values_[piece], at(byte + piece * pieceBytes_), pieceBytes_);
    caches_.read(access(lane, byte, bytes, pc));
  }
  void write(u32 lane, u32 byte, u32 value) {
    values_.fill(value);
    std::memcpy(at(byte), values_.data(), pieceBytes_);
    caches_.write(access(lane, byte, pieceBytes_, 0));
  }
  u8* at(u32 byte) { return reinterpret_cast<u8*>(memory_) + byte; }

  alignas(64) u32 memory_[16]{};
  u32 pieceBytes_ = 2;
  std::array<u32, 4> values_{};
  Statistics statistics_;
  LaneCaches caches_{Settings{}, 2, 8, statistics_};
  u64 time_ = 0;
};

TEST_F(StaleParts, OfHalfWords) {
  read(0, 8, 2);
  write(1, 10, 7);
  read(0, 8, 2);
  EXPECT_EQ(statistics_.stale.words, 0u) << "the other half of the word";
  write(1, 8, 5);
  read(0, 8, 2, 33);
  EXPECT_EQ(statistics_.stale.words, 1u);
  EXPECT_EQ(statistics_.stale.pc.value, 33u);
  EXPECT_EQ(statistics_.stale.address.value, reinterpret_cast<u64>(memory_) + 8);
  EXPECT_EQ(statistics_.stale.lane.value, 0u);
  EXPECT_EQ(statistics_.uncheckedWords, 0u);
}

TEST_F(StaleParts, OfBytesInARow) {
  pieceBytes_ = 1;
  read(0, 4, 4);
  read(0, 4, 4);
  EXPECT_EQ(statistics_.stale.words, 0u);
  *at(6) = 9;  // another SM
  read(0, 4, 2);
  EXPECT_EQ(statistics_.stale.words, 0u);
  read(0, 6, 1, 12);
  EXPECT_EQ(statistics_.stale.words, 1u);
  EXPECT_EQ(statistics_.stale.pc.value, 12u);
  EXPECT_EQ(statistics_.uncheckedWords, 0u);
}

// Nobody else has written the other half since the cache wrote its own: what it fetches is known, too.
TEST_F(StaleParts, OfAWordInTwoHalves) {
  write(0, 12, 3);
  pieceBytes_ = 4;
  read(0, 12, 4);
  read(0, 12, 4);
  EXPECT_EQ(statistics_.stale.words, 0u);
  EXPECT_EQ(statistics_.uncheckedWords, 0u);
  *at(14) = 1;
  read(0, 12, 4);
  EXPECT_EQ(statistics_.stale.words, 1u);
}

// A load that misses what another lane has written and keeps.
TEST_F(StaleParts, OfWhatIsDirtyElsewhere) {
  write(1, 20, 4);
  read(0, 22, 2);
  EXPECT_EQ(statistics_.stale.words, 0u);
  caches_.bypassRead(access(0, 20, 2, 0));
  read(0, 20, 2);
  EXPECT_EQ(statistics_.stale.words, 1u);
}

}  // namespace
}  // namespace warpwright::mechanisms::tiny_cache
