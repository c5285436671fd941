// Every byte of the memory has one location.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "base/error.hpp"
#include "config/rules.hpp"
#include "unit/mem/dram/probe.hpp"
#include "unit/mem/dram/timing_sets.hpp"

namespace warpwright::mem::testing {
namespace {

// The columns of four rows of a channel.
TEST(DramGeometry, columnsOfAChannelGoToDifferentPlaces) {
  for (const TimingSet& set : timingSetsWithVariants()) {
    const config::Dram& d = set.dram;
    const dram::Geometry geometry(d);
    const u32 column = dram::columnBytes(d);
    const u64 bytes = u64{4} * d.rowBytes * d.banks * d.ranks;
    std::set<std::tuple<u32, u64, u32>> locations;
    for (u64 local = 0; local < bytes; local += column) {
      const dram::Location location = geometry.location(ChannelAddress(local));
      ASSERT_LT(location.rank, d.ranks);
      ASSERT_EQ(location.bank / d.banks, location.rank);
      ASSERT_EQ(location.bank / (d.banks / d.bankGroups), location.group);
      ASSERT_LT(location.column, d.rowBytes / column);
      ASSERT_LT(location.row, 4u);
      ASSERT_TRUE(locations.emplace(location.bank, location.row, location.column).second) << set.name << ", byte " << local;
      // Within a column nothing changes.
      const dram::Location last = geometry.location(ChannelAddress(local + column - 1));
      ASSERT_EQ(std::tuple(last.bank, last.row, last.column), std::tuple(location.bank, location.row, location.column));
    }
    EXPECT_EQ(locations.size(), bytes / column);
  }
}

TEST(DramGeometry, piecesStayInOneRowAndNeighboursAlternateGroups) {
  config::Dram d;
  const dram::Geometry geometry(d);
  for (u32 piece = 0; piece < 16; ++piece) {
    const dram::Location first = geometry.location(ChannelAddress(piece * 256)),
                         last = geometry.location(ChannelAddress(piece * 256 + 255));
    EXPECT_EQ(first.bank, last.bank);
    EXPECT_EQ(first.row, last.row);
    EXPECT_EQ(first.group, piece % 4);
  }
}

// Requests carry global addresses; the bytes of one channel lie side by side in its rows.
TEST(DramGeometry, channelTakesItsShareOfTheGlobalAddresses) {
  config::Dram d;
  d.channels = 6;
  Probe probe(d);
  probe.send(0, 0);
  probe.send(100, 6 * 256);
  probe.send(200, 6 * 256 * 4 + 64);
  probe.runUntil(300);
  const auto& log = probe.log().entries;
  ASSERT_EQ(log.size(), 5u);  // the third is a row hit
  EXPECT_EQ(log[2].location.group, 1u);
  EXPECT_EQ(log[4].command, dram::Command::read);
  EXPECT_EQ(log[4].location.column, 5u);
}

std::string refusal(const config::Dram& config) {
  try {
    config::validate(config);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(DramValidation, namesTheKeysOfWhatCannotBeBuilt) {
  const auto refused = [](auto change, const std::string& key) {
    config::Dram config;
    change(config);
    EXPECT_NE(refusal(config).find("dram." + key), std::string::npos) << key << ": " << refusal(config);
  };
  EXPECT_EQ(refusal({}), "");
  refused([](config::Dram& d) { d.banks = 12; }, "banks");
  refused([](config::Dram& d) { d.banks = 2; }, "bank_groups");
  refused([](config::Dram& d) { d.kind = config::DramKind::gddr3; }, "bank_groups");
  refused([](config::Dram& d) { d.ranks = 8; }, "ranks");
  refused([](config::Dram& d) { d.rowBytes = 3000; }, "row_bytes");
  refused([](config::Dram& d) { d.rowBytes = 32; }, "row_bytes");
  refused([](config::Dram& d) { d.interleaveBytes = 32; }, "interleave_bytes");
  refused([](config::Dram& d) { d.dataRate = 0; }, "data_rate");
  refused([](config::Dram& d) { d.dataRate = 16; }, "data_rate");
  refused([](config::Dram& d) { d.requestQueue = 0; }, "request_queue");
  refused([](config::Dram& d) { d.requestQueue = 100'000; }, "request_queue");
  refused([](config::Dram& d) { d.returnQueue = 0; }, "return_queue");
  refused([](config::Dram& d) { d.channels = 0; }, "channels");
  refused([](config::Dram& d) { d.tRTW = 3; }, "t_rtw");
  refused([](config::Dram& d) { d.tREFI = 100, d.tRFC = 90; }, "t_refi");
}

}  // namespace
}  // namespace warpwright::mem::testing
