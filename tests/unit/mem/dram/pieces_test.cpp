// Requests whose data take other columns than their sectors.
#include <gtest/gtest.h>

#include "unit/mem/dram/probe.hpp"

namespace warpwright::mem::testing {
namespace {

// GTX480's GDDR5 (config::Dram's defaults): columns of 64 bytes.
DramStats statisticsOf(u32 sectors, u8 pieces, AccessType type = AccessType::globalRead) {
  config::Dram config;
  config.channels = 1;
  DramChannel channel(config);
  Request request;
  request.lineBytes = 128;
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

TEST(DramPieces, AreCountedAsRequestedAndOnTheLink) {
  const DramStats read = statisticsOf(0b1111, 2), write = statisticsOf(0b1111, 2, AccessType::globalWrite);
  EXPECT_EQ(read.requestedBytes, 64u);
  EXPECT_EQ(read.bytesOut, kHeaderBytes + 64);
  EXPECT_EQ(write.bytesIn, kHeaderBytes + 64);
}

}  // namespace
}  // namespace warpwright::mem::testing
