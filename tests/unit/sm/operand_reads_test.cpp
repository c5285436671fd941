// Reads of operands in a window of three cycles, from two banks with a port each (Huerta and others, section 5.3).
#include "sm/pipeline/operand_reads.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

config::Machine windowed(bool cache = false, u32 schedulers = 1) {
  config::Machine machine;
  machine.schedulersPerSm = schedulers;
  machine.sm.registerBanks = 2 * schedulers;
  machine.sm.registerBankPorts = 1;
  machine.sm.operandWindow = 3;
  machine.sm.operandCache = cache;
  return machine;
}

// Reads the registers, the first in the first place, and marks places for reuse.
InstructionInfo readerOf(std::initializer_list<u8> registers, u8 reuse = 0) {
  InstructionInfo info;
  for (const u8 number : registers) {
    info.places[info.readCount] = info.readCount;
    info.reads[info.readCount++] = number;
  }
  info.control.reuse = reuse;
  return info;
}

constexpr SlotId kFirst{0}, kSecond{1};

// Listing 1: FFMA R11, R10, R12, R14; FFMA R13, R16, RX, RY.
TEST(OperandReads, BubblesOfListingOne) {
  struct Case {
    u8 x, y;
    u32 bubbles;
  };
  for (const Case& each : {Case{19, 21, 0}, Case{18, 21, 1}, Case{18, 20, 2}}) {
    OperandReads reads(windowed());
    EXPECT_EQ(reads.issue(readerOf({10, 12, 14}), kFirst, {10}).held, 0u);
    EXPECT_TRUE(reads.refused({11}).empty());
    EXPECT_EQ(reads.issue(readerOf({16, each.x, each.y}), kFirst, {11}).held, each.bubbles);
    // Control takes the next while it is held; that one stays there.
    EXPECT_TRUE(reads.refused({12}).empty());
    reads.issue(readerOf({}), kFirst, {12});
    EXPECT_EQ(reads.refused({13}).empty(), each.bubbles == 0);
    EXPECT_TRUE(reads.refused(Cycle{13} + each.bubbles).empty());
    if (each.bubbles != 0) EXPECT_EQ(reads.nextUseful({13}), Cycle{13} + each.bubbles);
  }
}

// Two operands of a bank: every other instruction waits a cycle in the long run.
TEST(OperandReads, TwoOperandsOfABankTakeTwoCyclesEach) {
  OperandReads reads(windowed());
  Cycle now{10};
  const Cycle begin = now;
  constexpr u32 kCount = 40;
  for (u32 i = 0; i < kCount; ++i) {
    while (reads.refused(now)) ++now;
    reads.issue(readerOf({2, 4}), kFirst, now);
    ++now;
  }
  EXPECT_NEAR(static_cast<double>(now - begin), 2.0 * kCount, 4);
}

TEST(OperandReads, OneOperandOfEachBankTakesNoPortFromAnother) {
  OperandReads reads(windowed());
  for (u32 i = 0; i < 20; ++i) {
    EXPECT_TRUE(reads.refused(Cycle{10} + i).empty());
    EXPECT_EQ(reads.issue(readerOf({2, 3}), kFirst, Cycle{10} + i).held, 0u);
  }
  EXPECT_EQ(reads.heldCycles(), 0u);
}

TEST(OperandReads, SubCoresHavePortsOfTheirOwn) {
  OperandReads reads(windowed(false, 2));
  for (u32 i = 0; i < 5; ++i) {
    reads.issue(readerOf({2, 4, 6}), kFirst, Cycle{10});
    EXPECT_EQ(reads.issue(readerOf({3, 5, 7}), kSecond, Cycle{10} + 8 * i).held, 0u) << i;
  }
  EXPECT_TRUE(reads.refused({11}).contains(kFirst));
  EXPECT_FALSE(reads.refused({45}).contains(kSecond));
}

TEST(OperandReads, MoreRegistersThanAWindowHasCyclesTakeLonger) {
  OperandReads reads(windowed());
  EXPECT_EQ(reads.issue(readerOf({2, 4, 6, 8}), kFirst, {10}).held, 0u);
  EXPECT_EQ(reads.issue(readerOf({10}), kFirst, {11}).held, 1u) << "the bank is busy from 13 to 16";
}

// --- listing 4: what stays beside the banks

std::vector<u32> cachedReads(std::initializer_list<InstructionInfo> code) {
  OperandReads reads(windowed(true));
  std::vector<u32> cached;
  Cycle now{10};
  for (const InstructionInfo& info : code) cached.push_back(reads.issue(info, kFirst, now = now + 8).cached);
  return cached;
}
using Cached = std::vector<u32>;

TEST(OperandCache, AReadWithoutAMarkTakesWhatItFinds) {
  EXPECT_EQ(cachedReads({readerOf({2, 3, 4}, 1), readerOf({2, 7, 8}), readerOf({2, 12, 13})}), (Cached{0, 1, 0}));
}
TEST(OperandCache, AReadWithAMarkLeavesIt) {
  EXPECT_EQ(cachedReads({readerOf({2, 3, 4}, 1), readerOf({2, 7, 8}, 1), readerOf({2, 12, 13})}), (Cached{0, 1, 1}));
}
TEST(OperandCache, EachPlaceAndBankHasItsOwn) {
  EXPECT_EQ(cachedReads({readerOf({2, 3, 4}, 1), readerOf({7, 2, 8}), readerOf({2, 12, 13})}), (Cached{0, 0, 1}));
}
TEST(OperandCache, AnotherRegisterOfTheBankTakesThePlace) {
  EXPECT_EQ(cachedReads({readerOf({2, 3, 4}, 1), readerOf({4, 7, 8}), readerOf({2, 12, 13})}), (Cached{0, 0, 0}));
}

TEST(OperandCache, IsOfOneWarp) {
  OperandReads reads(windowed(true));
  reads.issue(readerOf({2}, 1), kFirst, {10});
  EXPECT_EQ(reads.issue(readerOf({2}, 1), kSecond, {20}).cached, 0u);
  EXPECT_EQ(reads.issue(readerOf({2}), kFirst, {30}).cached, 0u) << "the other warp has taken its place";
  EXPECT_EQ(reads.cachedReads(), 0u);
}

TEST(OperandCache, NeedsNoPort) {
  for (const bool cache : {false, true}) {
    OperandReads reads(windowed(cache));
    reads.issue(readerOf({2, 4, 6}, 0b111), kFirst, {10});
    EXPECT_EQ(reads.issue(readerOf({2, 4, 6}), kFirst, {11}).held, cache ? 0u : 2u);
  }
}

}  // namespace
}  // namespace warpwright::sm
