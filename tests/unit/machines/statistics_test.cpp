// The laws of a GPU's counters, on counters written by hand for a machine of 2 SMs with 2 schedulers of issue width 1.
#include "machines/statistics.hpp"

#include <gtest/gtest.h>

namespace warpwright::machines {
namespace {

config::Machine machine() {
  config::Machine machine;
  machine.multiprocessors = 2;
  machine.schedulersPerSm = 2;
  machine.sm.issueWidth = 1;
  machine.warpsPerSm = 4;
  return machine;
}

// 10 cycles: 40 slots, 5 of which issue; one of those is a replay, one instruction is serial.
GpuStats lawful() {
  GpuStats stats;
  stats.cycles = 10;
  stats.sm.cycles = 20;
  stats.sm.slots[sm::Slot::issued] = 5;
  stats.sm.slots[sm::Slot::noWarp] = 35;
  stats.sm.replays = 1;
  stats.sm.serialInstructions = 1;
  stats.sm.warpInstructions = 5;
  stats.sm.threadInstructions = 160;
  stats.sm.residentWarpCycles = 80;
  return stats;
}

std::vector<std::string> brokenSlots(const GpuStats& stats) {
  stats::Conservation laws;
  checkSlots(stats, machine(), laws);
  return laws.violations();
}

TEST(GpuLaws, LawfulCountersPass) {
  stats::Conservation laws;
  checkSlots(lawful(), machine(), laws);
  check(lawful(), machine(), laws);
  checkAtRest(lawful(), machine(), laws);
  EXPECT_TRUE(laws.holds()) << laws.violations().front();
}

TEST(GpuLaws, EverySlotIsAccountedFor) {
  GpuStats stats = lawful();
  --stats.sm.slots[sm::Slot::noWarp];
  EXPECT_EQ(brokenSlots(stats), (std::vector<std::string>{"SM: issued and lost slots = issue slots: 39 is not 40"}));
}

TEST(GpuLaws, EverySmCountsEveryCycle) {
  GpuStats stats = lawful();
  stats.cycles = 11;
  EXPECT_EQ(brokenSlots(stats), (std::vector<std::string>{"SM: cycles of all SMs = cycles x SMs: 20 is not 22"}));
}

TEST(GpuLaws, IssuedSlotsAreInstructionsOrReplays) {
  GpuStats stats = lawful();
  stats.sm.replays = 2;
  EXPECT_EQ(brokenSlots(stats),
            (std::vector<std::string>{"SM: warp instructions + replays = issued slots + serial instructions: 7 is not 6"}));
}

TEST(GpuLaws, NoMoreWarpsThanFit) {
  GpuStats stats = lawful();
  stats.sm.residentWarpCycles = 81;
  EXPECT_EQ(brokenSlots(stats).size(), 1u);
}

TEST(GpuLaws, BytesOnALinkArrive) {
  GpuStats stats = lawful();
  stats.sm.bytesToNetwork = 8;
  stats::Conservation underWay, atRest;
  check(stats, machine(), underWay);
  checkAtRest(stats, machine(), atRest);
  EXPECT_TRUE(underWay.holds());
  EXPECT_EQ(atRest.violations(), (std::vector<std::string>{"bytes from SMs = into the request network: 8 is not 0"}));
}

TEST(GpuLaws, NothingArrivesThatWasNotSent) {
  GpuStats stats = lawful();
  stats.sm.bytesFromNetwork = 40;
  stats::Conservation laws;
  check(stats, machine(), laws);
  EXPECT_EQ(laws.violations(), (std::vector<std::string>{"bytes out of the response network >= into the SMs: 40 exceeds 0"}));
}

TEST(GpuLaws, LostHitsOfACacheAreNoticed) {
  GpuStats stats = lawful();
  stats.l1d.accesses[mem::AccessType::globalRead] = 3;
  stats.l1d.hits[mem::AccessType::globalRead] = 2;
  stats::Conservation laws;
  check(stats, machine(), laws);
  EXPECT_EQ(laws.violations().size(), 1u);
}

}  // namespace
}  // namespace warpwright::machines
