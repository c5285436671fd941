// Elastic MSHRs, load by load: what Gou's thesis says of them in section 6.4.2, and what it leaves open. Blocks are numbered; those of one
// hyper block of eight are 8 n to 8 n + 7.
#include "mechanisms/elastic_mshr/mshrs.hpp"

#include <gtest/gtest.h>

#include "mechanisms/elastic_mshr/hardware_cost.hpp"
#include "unit/mechanisms/elastic_mshr/load_requests.hpp"

namespace warpwright::mechanisms::elastic_mshr {
namespace {

constexpr u32 kNone = Mshrs::kNone;

class ElasticMshrs : public ::testing::Test {
 protected:
  // Gives what became of the load.
  Outcome load(u64 block, u32 hyper = 1, const mem::SectorBytes& bytes = {~u32{0}}) {
    const Mshrs::Verdict verdict = mshrs.find(block);
    last = verdict;
    if (verdict.outcome == Outcome::noEntry || verdict.outcome == Outcome::noSecondary) return verdict.outcome;
    isOvertaken = verdict.outcome != Outcome::primary && mshrs.isOvertaken(verdict, block);
    mshrs.add(verdict, block, hyper, bytes, {requestFor(block, next_++), {}});
    return verdict.outcome;
  }
  // The packet of the request that this MSHR fired comes; gives the ids of the loads that it serves, which are done with at once.
  std::vector<u32> arrive(u32 entry) {
    std::vector<u32> served;
    arrival = mshrs.arrived(entry, [&](u32 secondary) {
      served.push_back(mshrs.load(secondary).request.id);
      mshrs.release(secondary);
    });
    return served;
  }
  void expectArrival(u32 kept, u32 dropped, u32 duplicate) const {
    EXPECT_EQ(arrival.kept, kept);
    EXPECT_EQ(arrival.dropped, dropped);
    EXPECT_EQ(arrival.duplicate, duplicate);
  }

  Mshrs mshrs{{.entries = 4, .secondaries = 2, .ways = 4}};
  Mshrs::Verdict last;
  Mshrs::Arrival arrival;
  bool isOvertaken = false;

 private:
  u32 next_ = 0;
};

// --- as without hyper blocks

TEST_F(ElasticMshrs, ASecondLoadOfABlockJoinsTheFirst) {
  EXPECT_EQ(load(5), Outcome::primary);
  EXPECT_EQ(load(5), Outcome::secondary);
  EXPECT_EQ(mshrs.used(), 1u);
  EXPECT_EQ(arrive(0), (std::vector<u32>{0, 1}));
  expectArrival(1, 0, 0);
  EXPECT_EQ(mshrs.used(), 0u);
}

// The primary takes one of the two places.
TEST_F(ElasticMshrs, AThirdLoadOfABlockHasToWait) {
  load(5);
  load(5);
  EXPECT_EQ(load(5), Outcome::noSecondary);
  arrive(0);
  EXPECT_EQ(load(5), Outcome::primary);
}

TEST_F(ElasticMshrs, ALoadOfAnotherBlockNeedsAnMshr) {
  for (u64 block = 0; block < 4; ++block) EXPECT_EQ(load(block), Outcome::primary);
  EXPECT_EQ(load(4), Outcome::noEntry);
  EXPECT_EQ(load(3), Outcome::secondary);
  EXPECT_EQ(arrive(2), (std::vector<u32>{2}));
  EXPECT_EQ(load(4), Outcome::primary);
  EXPECT_EQ(last.entry, 2u);
}

TEST_F(ElasticMshrs, AnMshrIsFreeWhenItsLastLoadIsDone) {
  load(5);
  load(5);
  std::vector<u32> served;
  mshrs.arrived(0, [&](u32 secondary) { served.push_back(secondary); });
  ASSERT_EQ(served.size(), 2u);
  EXPECT_FALSE(mshrs.isWaiting(0));
  mshrs.release(served[0]);
  EXPECT_FALSE(mshrs.isFree(0));
  mshrs.release(served[1]);
  EXPECT_TRUE(mshrs.isFree(0));
}

// --- hyper blocks

TEST_F(ElasticMshrs, AHyperBlockIsAlignedToItsSize) {
  for (const auto& [hyper, first] : {std::pair{1u, 13u}, {2u, 12u}, {4u, 12u}, {8u, 8u}}) {
    EXPECT_EQ(load(13, hyper), Outcome::primary);
    EXPECT_EQ(mshrs.firstBlock(last.entry), first) << hyper;
    EXPECT_EQ(mshrs[last.entry].hyper, hyper);
    arrive(last.entry);
  }
}

// Of eight blocks the primary keeps its own.
TEST_F(ElasticMshrs, WhatNobodyHasReservedIsDropped) {
  load(10, 8);
  EXPECT_EQ(mshrs.used(), 1u);
  EXPECT_EQ(arrive(0), (std::vector<u32>{0}));
  expectArrival(1, 7, 0);
}

TEST_F(ElasticMshrs, ALaterLoadReservesItsPartAndFiresNothing) {
  load(8, 4);
  EXPECT_EQ(load(11, 4), Outcome::reservation);
  EXPECT_EQ(last.packet, 0u);
  EXPECT_EQ(mshrs.used(), 2u);
  EXPECT_EQ(load(11, 4), Outcome::secondary);
  EXPECT_EQ(load(11, 4), Outcome::noSecondary);
  EXPECT_EQ(arrive(0), (std::vector<u32>{0, 1, 2}));
  expectArrival(2, 2, 0);
  EXPECT_EQ(mshrs.used(), 0u);
}

// Its own instruction's size plays no part.
TEST_F(ElasticMshrs, ALoadOfASmallerBlockReservesToo) {
  load(8, 8);
  EXPECT_EQ(load(15, 1), Outcome::reservation);
  EXPECT_EQ(load(16, 1), Outcome::primary);
}

TEST_F(ElasticMshrs, AReservationNeedsAnMshr) {
  load(8, 8);
  for (u64 block = 100; block < 103; ++block) load(block);
  EXPECT_EQ(load(9), Outcome::noEntry);
  arrive(1);
  EXPECT_EQ(load(9), Outcome::reservation);
}

TEST_F(ElasticMshrs, CoverageEndsWithThePacket) {
  load(8, 8);
  arrive(0);
  EXPECT_EQ(load(9, 8), Outcome::primary);
  EXPECT_EQ(load(8, 8), Outcome::reservation);
}

// Data that have come serve those that waited; a load that comes while these are being served asks again.
TEST_F(ElasticMshrs, ReadyDataCoverNothing) {
  load(8, 2);
  u32 served = 0;
  mshrs.arrived(0, [&](u32) { ++served; });
  EXPECT_EQ(served, 1u);
  EXPECT_EQ(load(8, 2), Outcome::primary);
  EXPECT_EQ(last.entry, 1u);
}

// --- packets that overlap

TEST_F(ElasticMshrs, ASmallerPrimaryInFlightWaitsForItsOwnPacket) {
  EXPECT_EQ(load(9), Outcome::primary);      // MSHR 0
  EXPECT_EQ(load(10, 4), Outcome::primary);  // MSHR 1: blocks 8 to 11
  EXPECT_EQ(load(9, 4), Outcome::secondary);
  EXPECT_EQ(last.entry, 0u);
  EXPECT_EQ(arrive(1), (std::vector<u32>{1}));
  expectArrival(1, 2, 1);
  EXPECT_TRUE(mshrs.isWaiting(0));
  EXPECT_EQ(arrive(0), (std::vector<u32>{0, 2}));
  expectArrival(1, 0, 0);
}

TEST_F(ElasticMshrs, TheSmallerPacketMayComeFirst) {
  load(9);
  load(10, 4);
  EXPECT_EQ(arrive(0), (std::vector<u32>{0}));
  EXPECT_EQ(load(9), Outcome::reservation);  // the larger one is still to come
  EXPECT_EQ(arrive(1), (std::vector<u32>{1, 2}));
  expectArrival(2, 2, 0);
}

TEST_F(ElasticMshrs, ALargerHyperBlockAroundASmallerOne) {
  load(8, 2);                                // MSHR 0: blocks 8 and 9
  EXPECT_EQ(load(12, 8), Outcome::primary);  // MSHR 1: blocks 8 to 15
  EXPECT_EQ(load(9), Outcome::reservation);
  EXPECT_EQ(last.packet, 0u);  // of two that cover it the first
  EXPECT_EQ(arrive(1), (std::vector<u32>{1}));
  expectArrival(1, 5, 2);
  EXPECT_EQ(arrive(0), (std::vector<u32>{0, 2}));
  expectArrival(2, 0, 0);
}

// --- sets

class ElasticMshrsInTwoSets : public ElasticMshrs {
 protected:
  ElasticMshrsInTwoSets() { mshrs = Mshrs({.entries = 4, .secondaries = 2, .ways = 2}); }
};

TEST_F(ElasticMshrsInTwoSets, AHyperBlockInAnotherSetIsNotSeen) {
  load(8, 4);
  EXPECT_EQ(load(9, 4), Outcome::primary);
  EXPECT_TRUE(last.isFalsePrimary);
  EXPECT_EQ(load(10, 4), Outcome::reservation);
  EXPECT_EQ(last.packet, 0u);
  EXPECT_EQ(load(11, 4), Outcome::reservation);
  EXPECT_NE(last.packet, 0u);
  EXPECT_EQ(arrive(0), (std::vector<u32>{0, 2}));
  expectArrival(2, 0, 2);
}

TEST_F(ElasticMshrsInTwoSets, ASetIsFullForItself) {
  load(0);
  load(2);
  EXPECT_EQ(load(4), Outcome::noEntry);
  EXPECT_EQ(load(1), Outcome::primary);
  EXPECT_FALSE(last.isFalsePrimary);
}

// As many sets as a hyper block has blocks: each lies in another (section 6.4.2, footnote 8).
TEST_F(ElasticMshrs, WithAsManySetsAsBlocksNothingIsCovered) {
  mshrs = Mshrs({.entries = 8, .secondaries = 2, .ways = 1});
  for (u64 block = 0; block < 8; ++block) {
    EXPECT_EQ(load(block, 8), Outcome::primary);
    EXPECT_EQ(last.isFalsePrimary, block != 0);
  }
}

// --- bytes and stores

TEST_F(ElasticMshrs, BytesUsedAreThoseOfAllLoadsTogether) {
  load(8, 2, {0xff});
  load(8, 2, {0xff0});
  load(9, 2, {1});
  arrive(0);
  EXPECT_EQ(arrival.bytesTouched, 12u + 1);
}

TEST_F(ElasticMshrs, LoadsBehindAStoreToTheirBlockAreNoted) {
  load(8, 4);
  load(20);
  mshrs.noteStore(9);
  load(10);
  EXPECT_FALSE(isOvertaken);
  load(8);
  EXPECT_FALSE(isOvertaken);
  load(9);
  EXPECT_TRUE(isOvertaken);
  load(20);
  EXPECT_FALSE(isOvertaken);
}

TEST_F(ElasticMshrs, AStoreConcernsOnlyWhatHasBeenAskedForBefore) {
  mshrs.noteStore(9);
  load(8, 4);
  load(9);
  EXPECT_FALSE(isOvertaken);
}

// Table 6.1, for the 64 MSHRs of table 6.2.
TEST(ElasticMshrCost, IsThatOfTheTable) {
  const HardwareCost cost = hardwareCost(64);
  EXPECT_EQ(cost.and2.value, 384u);
  EXPECT_EQ(cost.and3.value, 64u);
  EXPECT_EQ(cost.comparators3.value, 64u);
  EXPECT_EQ(cost.norInputs.value, 64u);
  EXPECT_EQ(cost.tagBits.value, 128u);
}

}  // namespace
}  // namespace warpwright::mechanisms::elastic_mshr
