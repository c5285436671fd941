// Exact ticks of a DRAM channel, from the definitions of the timing parameters.
#include <gtest/gtest.h>

#include "unit/mem/dram/probe.hpp"

namespace warpwright::mem::testing {
namespace {

using dram::Command;
using Ticks = std::vector<u64>;

// GTX480's GDDR5 (config::Dram's defaults) with all the bytes in one channel; bursts take 8 / 4 = 2 ticks.
config::Dram gddr5() {
  config::Dram config;
  config.channels = 1;
  return config;
}
constexpr u64 kBurst = 2;

TEST(DramLatency, closedBankCostsActivationAndRead) {
  Probe probe(gddr5());
  const u32 id = probe.send(0, 0);
  EXPECT_EQ(probe.ready(id), 1 + 12 + 12 + kBurst);
  EXPECT_EQ(probe.ticksOf(Command::activate), Ticks{1});
  EXPECT_EQ(probe.ticksOf(Command::read), Ticks{13});
}

TEST(DramLatency, responseIsReadyInItsTickAndNotBefore) {
  Probe probe(gddr5());
  probe.send(0, 0);
  probe.runUntil(26);
  probe.channel().tick({26});
  EXPECT_EQ(probe.channel().peekResponse(), nullptr);
  probe.channel().tick({27});
  ASSERT_NE(probe.channel().peekResponse(), nullptr);
  EXPECT_TRUE(probe.channel().peekResponse()->isResponse);
}

TEST(DramLatency, rowHitCostsTheReadAlone) {
  Probe probe(gddr5());
  probe.send(0, Target{}.address());
  const u32 hit = probe.send(100, Target{.column = 1}.address());
  EXPECT_EQ(probe.ready(hit), 100 + 1 + 12 + kBurst);
  EXPECT_EQ(probe.channel().statistics({200}).rowHits, 1u);
  EXPECT_EQ(probe.channel().statistics({200}).rowMisses, 1u);
}

TEST(DramLatency, rowConflictClosesAndOpens) {
  Probe probe(gddr5());
  probe.send(0, Target{.row = 1}.address());
  const u32 conflict = probe.send(100, Target{.row = 2}.address());
  EXPECT_EQ(probe.ready(conflict), 100 + 1 + 12 + 12 + 12 + kBurst);
  EXPECT_EQ(probe.channel().statistics({200}).rowConflicts, 1u);
}

TEST(DramLatency, rowStaysOpenForTras) {
  Probe probe(gddr5());
  probe.send(0, Target{.row = 1}.address());
  const u32 conflict = probe.send(0, Target{.row = 2}.address());
  // Activated at 1: closed at 1 + tRAS = 29, activated at 29 + tRP = 41 = 1 + tRC, read at 53.
  EXPECT_EQ(probe.ready(conflict), 53 + 12 + kBurst);
  EXPECT_EQ(probe.ticksOf(Command::precharge), Ticks{29});
  EXPECT_EQ(probe.ticksOf(Command::activate), (Ticks{1, 41}));
  EXPECT_EQ(probe.channel().statistics({200}).bankConflicts, 1u);
}

// Activated at 1, closed at 29, activated at 41, and open from then on.
TEST(DramLatency, ticksWithAnOpenRow) {
  Probe probe(gddr5());
  EXPECT_EQ(probe.channel().statistics({0}).openTicks, 0u);
  probe.send(0, Target{.row = 1}.address());
  probe.send(0, Target{.row = 2}.address());
  probe.runUntil(200);
  EXPECT_EQ(probe.channel().statistics({200}).openTicks, 200u - 1 - (41 - 29));
}

TEST(DramLatency, writeRecoversBeforeItsRowCloses) {
  Probe probe(gddr5());
  probe.send(0, Target{.row = 1}.address());
  probe.send(100, Target{.row = 1}.address(), AccessType::globalWrite);
  probe.send(100, Target{.row = 2}.address());
  probe.runUntil(200);
  // Written at 101: tWL + burst + tWR later the row may close.
  EXPECT_EQ(probe.ticksOf(Command::write), Ticks{101});
  EXPECT_EQ(probe.ticksOf(Command::precharge), Ticks{101 + 4 + 2 + 12});
}

TEST(DramLatency, columnsOfOneGroupAreTccdlApart) {
  Probe probe(gddr5());
  probe.send(0, Target{.group = 0}.address());
  probe.send(0, Target{.group = 1}.address());
  probe.runUntil(100);
  probe.send(100, Target{.group = 0, .column = 1}.address());
  probe.send(100, Target{.group = 0, .column = 2}.address());
  probe.runUntil(200);
  probe.send(200, Target{.group = 0, .column = 1}.address());
  probe.send(200, Target{.group = 1, .column = 2}.address());
  probe.runUntil(300);
  EXPECT_EQ(probe.ticksOf(Command::read), (Ticks{13, 19, 101, 104, 201, 203}));
}

TEST(DramLatency, turnAround) {
  Probe probe(gddr5());
  probe.send(0, Target{}.address());
  probe.send(100, Target{}.address(), AccessType::globalWrite);
  probe.send(100, Target{}.address());
  probe.send(200, Target{}.address());
  probe.send(200, Target{}.address(), AccessType::globalWrite);
  probe.runUntil(300);
  EXPECT_EQ(probe.ticksOf(Command::write), (Ticks{101, 201 + 12 + 2 + 2 - 4}));  // tCL + burst + 2 idle ticks - tWL after the read
  EXPECT_EQ(probe.ticksOf(Command::read), (Ticks{13, 101 + 4 + 2 + 5, 201}));    // tWL + burst + tWTR after the write
  EXPECT_EQ(probe.channel().statistics({300}).turnArounds, 3u);
}

TEST(DramLatency, readToWriteDistanceCanBeSet) {
  config::Dram config = gddr5();
  config.tRTW = 17;
  Probe probe(config);
  probe.send(0, Target{}.address());
  probe.send(100, Target{}.address());
  probe.send(100, Target{}.address(), AccessType::globalWrite);
  probe.runUntil(300);
  EXPECT_EQ(probe.ticksOf(Command::write), Ticks{101 + 17});
}

TEST(DramLatency, activationsKeepTrrd) {
  config::Dram config = gddr5();
  config.tRRD = 5;
  Probe probe(config);
  for (u32 group = 0; group < 4; ++group) probe.send(0, Target{.group = group}.address());
  probe.runUntil(100);
  EXPECT_EQ(probe.ticksOf(Command::activate), (Ticks{1, 6, 11, 16}));
}

TEST(DramLatency, aReadTakesTheCommandBusBeforeAnActivation) {
  Probe probe(gddr5());
  for (u32 group = 0; group < 3; ++group) probe.send(0, Target{.group = group}.address());
  probe.runUntil(100);
  EXPECT_EQ(probe.ticksOf(Command::read).front(), 13u);
  EXPECT_EQ(probe.ticksOf(Command::activate), (Ticks{1, 7, 14}));  // tRRD would allow 13
}

TEST(DramLatency, fifthActivationWaitsForTfaw) {
  config::Dram config = gddr5();
  config.tRRD = 5;
  config.tFAW = 40;
  Probe probe(config);
  for (u32 bank = 0; bank < 6; ++bank) probe.send(0, Target{.group = bank % 4, .bank = bank / 4}.address());
  probe.runUntil(200);
  EXPECT_EQ(probe.ticksOf(Command::activate), (Ticks{1, 6, 11, 16, 41, 46}));
}

TEST(DramLatency, refreshHoldsARequestForTrfc) {
  config::Dram config = gddr5();
  config.tREFI = 500;
  config.tRFC = 100;
  Probe probe(config);
  const u32 held = probe.send(500, 0);
  EXPECT_EQ(probe.ready(held), 500 + 100 + 12 + 12 + kBurst);
  EXPECT_EQ(probe.ticksOf(Command::refresh), Ticks{500});
  EXPECT_EQ(probe.ticksOf(Command::prechargeAll), Ticks{});
}

TEST(DramLatency, refreshClosesOpenRowsFirst) {
  config::Dram config = gddr5();
  config.tREFI = 500;
  config.tRFC = 100;
  Probe probe(config);
  probe.send(100, 0);
  const u32 held = probe.send(550, 0);
  EXPECT_EQ(probe.ready(held), 512 + 100 + 12 + 12 + kBurst);
  EXPECT_EQ(probe.ticksOf(Command::prechargeAll), Ticks{500});
  EXPECT_EQ(probe.ticksOf(Command::refresh), Ticks{512});
  probe.runUntil(5000);
  EXPECT_EQ(probe.ticksOf(Command::refresh).size(), 9u);
}

TEST(DramLatency, closedPageNeverConflicts) {
  config::Dram config = gddr5();
  config.page = config::PagePolicy::closed;
  Probe probe(config);
  probe.send(0, Target{.row = 1}.address());
  const u32 other = probe.send(100, Target{.row = 2}.address());
  EXPECT_EQ(probe.ready(other), 100 + 1 + 12 + 12 + kBurst);
  EXPECT_EQ(probe.ticksOf(Command::readPrecharge), (Ticks{13, 113}));
  EXPECT_EQ(probe.channel().statistics({200}).rowMisses, 2u);
}

TEST(DramLatency, closedPageServesWaitingAccessesToTheRowFirst) {
  config::Dram config = gddr5();
  config.page = config::PagePolicy::closed;
  Probe probe(config);
  probe.send(0, Target{.row = 1}.address());
  probe.send(0, Target{.row = 1, .column = 1}.address());
  probe.runUntil(100);
  EXPECT_EQ(probe.ticksOf(Command::read), Ticks{13});
  EXPECT_EQ(probe.ticksOf(Command::readPrecharge), Ticks{16});
}

TEST(DramLatency, hbmIssuesARowAndAColumnCommandInOneTick) {
  config::Dram config = gddr5();
  config.kind = config::DramKind::hbm2;
  for (const bool twoBuses : {true, false}) {
    if (!twoBuses) config.kind = config::DramKind::gddr5;
    Probe probe(config);
    probe.send(0, Target{.group = 0}.address());
    probe.send(12, Target{.group = 1}.address());
    probe.runUntil(100);
    EXPECT_EQ(probe.ticksOf(Command::read).front(), 13u);
    EXPECT_EQ(probe.ticksOf(Command::activate).back(), twoBuses ? 13u : 14u);
  }
}

TEST(DramLatency, lineTakesSeveralColumns) {
  Probe probe(gddr5());
  Request line;
  line.lineBytes = 256;
  line.sectors = 0b11001111;  // 64 B columns 0, 1 and 3
  probe.channel().accept(line, {0});
  EXPECT_EQ(probe.ready(0), 13 + 2 * 3 + 12 + kBurst);
  EXPECT_EQ(probe.ticksOf(Command::read), (Ticks{13, 16, 19}));
  EXPECT_EQ(probe.channel().statistics({100}).movedBytes, 192u);
  EXPECT_EQ(probe.channel().statistics({100}).requestedBytes, 192u);
}

}  // namespace
}  // namespace warpwright::mem::testing
