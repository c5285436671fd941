// Requests whose data take other columns than their sectors.
#include <gtest/gtest.h>

#include "unit/mem/dram/probe.hpp"

namespace warpwright::mem::testing {
namespace {

// GTX480's GDDR5 (config::Dram's defaults): columns of 64 bytes.
DramStats statisticsOf(u32 sectors, u8 pieces, AccessType type = AccessType::globalRead, u32 lineBytes = 128) {
  config::Dram config;
  config.channels = 1;
  DramChannel channel(config);
  Request request;
  request.lineBytes = lineBytes;
  request.sectors = sectors;
  request.pieces = pieces;
  request.type = type;
  channel.accept(request, {0});
  for (u64 now = 1; now < 200; ++now) {
    channel.tick({now});
    if (channel.peekResponse() != nullptr) channel.takeResponse();
  }
  EXPECT_TRUE(channel.idle());
  return channel.statistics({200});
}

TEST(DramPieces, AreTheColumnsThatMove) {
  EXPECT_EQ(statisticsOf(0b1111, 0).movedBytes, 128u);
  EXPECT_EQ(statisticsOf(0b1111, 1).movedBytes, 64u);
  EXPECT_EQ(statisticsOf(0b1111, 2).movedBytes, 64u);
  EXPECT_EQ(statisticsOf(0b1111, 3).movedBytes, 128u);
  EXPECT_EQ(statisticsOf(0b1000, 4).movedBytes, 128u) << "more than its sectors";
  EXPECT_EQ(statisticsOf(0b1111, 1, AccessType::globalWrite).movedBytes, 64u);
}

// A write of one sector, as some machines send it, of a line that is written whole with it.
TEST(DramPieces, MayBeMoreThanTheLineOfARequest) {
  const DramStats stats = statisticsOf(0b1, 3, AccessType::globalWrite, 32);
  EXPECT_EQ(stats.movedBytes, 128u);
  EXPECT_LE(stats.requestedBytes, stats.movedBytes);
}

TEST(DramPieces, AreCountedAsRequestedAndOnTheLink) {
  const DramStats read = statisticsOf(0b1111, 2), write = statisticsOf(0b1111, 2, AccessType::globalWrite);
  EXPECT_EQ(read.requestedBytes, 64u);
  EXPECT_EQ(read.bytesOut, kHeaderBytes + 64);
  EXPECT_EQ(write.bytesIn, kHeaderBytes + 64);
}

}  // namespace
}  // namespace warpwright::mem::testing
