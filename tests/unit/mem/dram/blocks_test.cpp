// Requests for blocks of 32 to 256 bytes at a GDDR3 channel: one activation, and their columns one behind the other.
#include <gtest/gtest.h>

#include "config/machine.hpp"
#include "unit/mem/dram/probe.hpp"

namespace warpwright::mem::testing {
namespace {

// That of table 6.2 of Gou's thesis: columns of 32 bytes, which take the bus for two ticks.
config::Dram channelOf(u32 channels = 1) {
  config::Dram dram = config::loadMachine(WARPWRIGHT_SOURCE_DIR "/configs/gt200-granularity.toml").dram;
  dram.channels = channels;
  return dram;
}

struct Log {
  std::vector<LoggedCommand> commands;
  std::vector<std::pair<u32, u64>> answers;  // id and tick
  DramStats statistics;
};

// All are accepted in tick 0, with their places as ids.
Log serve(const std::vector<Request>& requests, const config::Dram& dram) {
  DramChannel channel(dram);
  CommandLog log;
  channel.observe(&log);
  u32 id = 0;
  for (Request request : requests) {
    request.id = id++;
    channel.accept(request, {0});
  }
  Log result;
  for (u64 now = 1; now < 2000; ++now) {
    channel.tick({now});
    for (; channel.peekResponse() != nullptr;) result.answers.emplace_back(channel.takeResponse().id, now);
  }
  EXPECT_TRUE(channel.idle());
  result.commands = log.entries;
  result.statistics = channel.statistics({2000});
  return result;
}

Request blockAt(u64 address, u32 bytes) {
  Request request;
  request.address = GlobalAddress(address);
  request.lineBytes = bytes;
  request.sectors = (1u << bytes / 32) - 1;
  return request;
}

// An activation in tick 1, the first column tRCD later, and one every two ticks; the last data have crossed the bus tCL + 2 ticks behind
// their command.
TEST(DramBlocks, AreARunOfColumnsInOneRow) {
  const config::Dram dram = channelOf();
  for (const u32 bytes : {32u, 64u, 128u, 256u}) {
    const u32 columns = bytes / 32;
    const Log log = serve({blockAt(bytes * 3, bytes)}, dram);
    ASSERT_EQ(log.commands.size(), 1 + columns) << bytes;
    EXPECT_EQ(log.commands[0].command, dram::Command::activate);
    for (u32 i = 0; i < columns; ++i) {
      const LoggedCommand &read = log.commands[1 + i], &first = log.commands[1];
      EXPECT_EQ(read.command, dram::Command::read);
      EXPECT_EQ(read.tick, 1 + dram.tRCD + 2 * i);
      EXPECT_EQ(read.location.column, first.location.column + i);
      EXPECT_EQ(read.location.row, first.location.row);
      EXPECT_EQ(read.location.bank, first.location.bank);
    }
    ASSERT_EQ(log.answers.size(), 1u) << "one packet";
    EXPECT_EQ(log.answers[0].second, 1 + dram.tRCD + 2 * (columns - 1) + dram.tCL + 2);
    EXPECT_EQ(log.statistics.movedBytes, bytes);
    EXPECT_EQ(log.statistics.requestedBytes, bytes);
    EXPECT_EQ(log.statistics.busTransactions, bytes / 8);
  }
}

// Of several channels too: neighbouring blocks of 256 bytes of a channel are as far apart as there are channels.
TEST(DramBlocks, OfOneChannelOfFourLieInOneRow) {
  const Log log = serve({blockAt(4 * 256 * 5, 256)}, channelOf(4));
  ASSERT_EQ(log.commands.size(), 9u);
  for (u32 i = 2; i < 9; ++i) EXPECT_EQ(log.commands[i].location.column, log.commands[i - 1].location.column + 1);
}

// Blocks in two rows of one bank: as blocks of 256 bytes two activations, as the same bytes in small requests that take turns sixteen
// columns in two rows too, since rows that are open are served first; but their places in the queue are 16, and their packets.
TEST(DramBlocks, OfTwoRowsChangeTheRowOnce) {
  const config::Dram dram = channelOf();
  const u64 other = u64{dram.rowBytes} * dram.banks;
  const Log large = serve({blockAt(0, 256), blockAt(other, 256)}, dram);
  EXPECT_EQ(large.statistics.commands[dram::Command::activate], 2u);
  EXPECT_EQ(large.statistics.commands[dram::Command::precharge], 1u);
  EXPECT_EQ(large.answers.size(), 2u);
  std::vector<Request> small;
  for (u32 i = 0; i < 8; ++i) {
    small.push_back(blockAt(i * 32, 32));
    small.push_back(blockAt(other + i * 32, 32));
  }
  const Log parts = serve(small, dram);
  EXPECT_EQ(parts.statistics.commands[dram::Command::activate], 2u);
  EXPECT_EQ(parts.answers.size(), 16u);
}

}  // namespace
}  // namespace warpwright::mem::testing
