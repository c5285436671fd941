#include "sm/address_spaces.hpp"
#include "unit/mechanisms/avc/rig.hpp"

namespace warpwright::mechanisms::avc {
namespace {

TEST_F(Rig, AnAffineVectorIsWrittenAndReadHere) {
  write(kA, kAll, true);
  run();
  answers.clear();
  read(kA, kAll, true, 7);
  const u64 accepted = now.ticks;
  run();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].id, 7u);
  EXPECT_FALSE(answers[0].isOfCache);
  // As a hit of the cache, which is processed in the next cycle, and a cycle for the decoding unit.
  EXPECT_EQ(answers[0].cycle, accepted + 1 + settings.extraLatency + kHitLatency);
  EXPECT_TRUE(below.empty() && belowCache.empty());
  EXPECT_EQ(link().stats().hits, 1u);
  EXPECT_EQ(link().stats().wrongWords, 0u);
}

TEST_F(Rig, AGenericVectorPassesToTheCacheOneCycleLater) {
  write(kA, kAll, false);
  run();
  answers.clear();
  read(kA, kAll, false);
  const u64 accepted = now.ticks;
  run();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_TRUE(answers[0].isOfCache);
  EXPECT_EQ(answers[0].cycle, accepted + 1 + settings.extraLatency + kHitLatency);
  EXPECT_EQ(link().stats().genericWrites, 1u);
  EXPECT_EQ(link().stats().levelOneReads, 1u);
}

// A block that reads its private memory before it writes has no value there: what another block left is not wrong.
TEST_F(Rig, WhatAnotherBlockLeftIsNotComparedWithTheProgram) {
  origin.block = 1;
  write(kA, kAll, true);
  origin.block = 2;
  read(kA, kLow, false);
  run();
  EXPECT_EQ(link().stats().hits, 1u);
  EXPECT_EQ(link().stats().wrongWords, 0u);
  origin.block = 1;
  read(kA, kLow, false);
  run();
  EXPECT_EQ(link().stats().wrongWords, 16u) << "its own";
}

// The same where it came from memory for another block.
TEST_F(Rig, WhatAnotherBlockFetchedIsNotComparedEither) {
  origin.block = 1;
  read(kA, kAll, true);
  run();
  ASSERT_EQ(below.size(), 1u);
  mem::Request response = below[0];
  response.isResponse = true;
  link().fill(response, now);
  origin.block = 2;
  read(kA, kAll, false);
  run();
  EXPECT_EQ(link().stats().hits, 1u);
  EXPECT_EQ(link().stats().wrongWords, 0u);
}

TEST_F(Rig, APartialHitIsReplayedForTheOtherWords) {
  write(kA, kLow, true);
  write(kA, kHigh, false);
  run();
  answers.clear();
  read(kA, kAll, true);
  run();
  EXPECT_EQ(link().stats().partialHits, 1u);
  EXPECT_EQ(link().stats().replays, 1u);
  // The cache alone has the high half as it is now.
  EXPECT_EQ(cache.statistics().accesses[mem::AccessType::localRead], 1u);
}

TEST_F(Rig, AMissOfAnAffineVectorIsFetchedHere) {
  read(kA, kAll, true, 3);
  run();
  EXPECT_TRUE(answers.empty());
  ASSERT_EQ(below.size(), 1u);
  EXPECT_TRUE(belowCache.empty());
  read(kA, kAll, true, 4);  // waits for the same fetch
  run();
  ASSERT_EQ(below.size(), 1u);
  mem::Request response = below[0];
  response.isResponse = true;
  link().fill(response, now);
  run();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].id, 3u);
  EXPECT_EQ(answers[1].id, 4u);
  EXPECT_EQ(link().stats().fetches, 1u);
  EXPECT_EQ(link().stats().merges, 1u);
  EXPECT_TRUE(link().quiescent());
}

// What waited for a fetch has its turn in the very next cycle, as it has where every cycle is simulated.
TEST_F(Rig, ReplaysAreDueInTheNextCycle) {
  for (u32 id = 1; id < 4; ++id) read(kA, kAll, true, id);
  run();
  ASSERT_EQ(below.size(), 1u);
  mem::Request response = below[0];
  response.isResponse = true;
  link().fill(response, now);
  EXPECT_EQ(link().nextUseful(now), now + 1);
  link().tick(now + 1);
  EXPECT_EQ(link().stats().replays, 1u);
  link().takeResponse();
  EXPECT_EQ(link().nextUseful(now + 1), now + 2) << "one waits, and nothing else is due";
}

// Words that are written while their vector is fetched are newer than what comes: whoever keeps them, no read may give the old ones.
TEST_F(Rig, WordsWrittenDuringAFetchStayAsWritten) {
  settings.global = true;
  for (const bool global : {false, true}) {
    const auto reads = global ? mem::AccessType::globalRead : mem::AccessType::localRead;
    const auto writes = global ? mem::AccessType::globalWrite : mem::AccessType::localWrite;
    const GlobalAddress address = global ? kB : kA;
    below.clear();
    access(reads, address, kAll, true);
    run();
    ASSERT_EQ(below.size(), 1u);
    access(writes, address, kLow, false);
    run();
    mem::Request response = below[0];
    response.isResponse = true;
    link().fill(response, now);
    run();
    const u64 here = link().stats().hits + link().stats().partialHits;
    access(reads, address, kLow, false);
    run();
    EXPECT_EQ(link().stats().wrongWords, 0u) << "global: " << global;
    EXPECT_EQ(link().stats().hits + link().stats().partialHits, here) << "the new words are not here, global: " << global;
    access(reads, address, kHigh, true);  // the others have come
    run();
    EXPECT_EQ(link().stats().wrongWords, 0u);
    EXPECT_EQ(link().stats().hits + link().stats().partialHits, here + 1);
  }
}

// An affine write of some words is kept here, and what comes must not take their place.
TEST_F(Rig, AnAffineWriteDuringAFetchIsNotOverwritten) {
  access(mem::AccessType::localRead, kA, kAll, true);
  run();
  ASSERT_EQ(below.size(), 1u);
  mem::WordAccess uniform;
  uniform.mask = kLow;
  uniform.whole = true;
  uniform.values.fill(5);
  mem::Request request = below[0];
  request.type = mem::AccessType::localWrite;
  request.sectors = request.wholeSectors = 3;
  accept(request, uniform);
  run();
  mem::Request response = below[0];
  response.isResponse = true;
  link().fill(response, now);
  run();
  request.type = mem::AccessType::localRead;
  accept(request, uniform);
  run();
  EXPECT_EQ(link().stats().wrongWords, 0u);
}

TEST_F(Rig, AnEvictedVectorTakesTheCachesWordsAlong) {
  settings.geometry = {.bytes = kPlaceBytes, .ways = 1, .vectorsPerLine = 1};
  origin = {.launch = 0, .pc = Pc{4}};
  write(kA, kLow, true);
  const mem::Origin writer = origin = {.launch = 0, .pc = Pc{7}, .slot = 1};
  write(kA, kHigh, false);
  run();
  EXPECT_TRUE(cache.holds(kA));
  origin = {.launch = 0, .pc = Pc{9}};
  write(kB, kAll, true);  // makes room
  run();
  ASSERT_EQ(below.size(), 1u);
  EXPECT_EQ(below[0].address, kA);
  EXPECT_EQ(below[0].sectors, 15u);
  EXPECT_EQ(below[0].type, mem::AccessType::writeBack);
  EXPECT_EQ(below[0].origin, writer) << "the last one";
  EXPECT_FALSE(cache.holds(kA));
  EXPECT_EQ(link().stats().mergedWriteBacks, 1u);
}

TEST_F(Rig, SectorsThatAreAllNewerHereLeaveTheCache) {
  write(kA, kAll, false);
  run();
  write(kA, kLow, true);
  run();
  EXPECT_EQ(link().stats().superseded, 2u);
  EXPECT_EQ(cache.drop(kA, 15), 0b1100u);
}

TEST_F(Rig, AStoreOfPartsOfWordsEvictsTheirVector) {
  write(kA, kAll, true);
  access(mem::AccessType::localWrite, kA, kAll, true, 0, false);
  run();
  EXPECT_EQ(link().stats().partialWrites, 1u);
  EXPECT_EQ(link().stats().writeBacks, 1u);
}

TEST_F(Rig, WordsThatAreNotTheProgramsAreTold) {
  write(kA, kAll, true);
  read(kA, kLow, false);
  run();
  EXPECT_EQ(link().stats().wrongWords, 16u);
}

TEST_F(Rig, ACacheOfNoBytesTakesNothing) {
  settings.geometry.bytes = 0;
  EXPECT_FALSE(takes(mem::AccessType::localRead));
}

// Lines of encoded vectors in the levels below.
class RigBelow : public Rig {
 protected:
  RigBelow() { settings.geometry = {.bytes = 16 * kPlaceBytes, .ways = 1, .compressedBelow = true}; }

  static constexpr GlobalAddress kLine = sm::kLocalBase, kOther = kLine + (1 << 20);
  static GlobalAddress vector(u32 index) { return kLine + u64{index} * kVectorBytes; }

  // Makes room by a vector of another line.
  void evict() {
    run();
    write(kOther, kAll, true);
    run();
    answers.clear();
  }
  void answerLast() {
    mem::Request response = below.back();
    response.isResponse = true;
    link().fill(response, now);
    run();
  }
};

TEST_F(RigBelow, ALineThatLeavesIsALineBelow) {
  for (u32 index = 0; index < 16; ++index) write(vector(index), index == 3 ? kLow : kAll, true), run();
  evict();
  ASSERT_EQ(below.size(), 1u);
  EXPECT_EQ(below[0].type, mem::AccessType::writeBack);
  EXPECT_EQ(below[0].address, sm::kHiddenBase);
  EXPECT_EQ(below[0].lineBytes, 128u);
  EXPECT_EQ(below[0].sectors, 15u);
  EXPECT_EQ(below[0].wholeSectors, 15u);
  EXPECT_EQ(link().stats().below.vectorsWritten, 16u);
  EXPECT_EQ(link().stats().below.vectorsHeld.value, 16u);
  EXPECT_EQ(link().stats().below.bytesNotWritten, 15 * 128u + 64 - 128);
  EXPECT_EQ(link().stats().writeBacks, 0u);
}

TEST_F(RigBelow, AReadFetchesASectorOfVectors) {
  for (const u32 index : {0, 1, 3, 4}) write(vector(index), kAll, true), run();
  evict();
  ASSERT_EQ(below.size(), 1u);
  EXPECT_EQ(below[0].sectors, 0b11u);
  read(vector(1), kAll, true, 5);
  run();
  read(vector(0), kLow, true, 6);  // comes with the same sector
  run();
  ASSERT_EQ(below.size(), 2u);
  EXPECT_EQ(below[1].type, mem::AccessType::localRead);
  EXPECT_EQ(below[1].address, sm::kHiddenBase);
  EXPECT_EQ(below[1].sectors, 1u);
  answerLast();
  EXPECT_EQ(answers.size(), 2u);
  read(vector(3), kAll, true, 7);
  run();
  EXPECT_EQ(answers.size(), 3u);
  EXPECT_EQ(link().stats().below.reads, 2u);
  EXPECT_EQ(link().stats().below.fetches, 1u);
  EXPECT_EQ(link().stats().below.vectorsFetched, 3u);
  EXPECT_EQ(link().stats().below.bytesNotRead, 96u);
  EXPECT_EQ(link().stats().hits, 1u);
  EXPECT_EQ(link().stats().wrongWords, 0u);
  EXPECT_TRUE(belowCache.empty());
  EXPECT_EQ(below.size(), 3u);  // the line of `evict`
  EXPECT_TRUE(link().quiescent());
}

TEST_F(RigBelow, AVectorThatIsOnlyReadLeavesSilently) {
  write(vector(0), kAll, true);
  evict();
  read(vector(0), kAll, true);
  run();
  answerLast();
  below.clear();
  evict();
  EXPECT_TRUE(below.empty());
  read(vector(0), kAll, true);
  run();
  EXPECT_EQ(below.size(), 1u);
}

TEST_F(RigBelow, AWriteOfSomeWordsWaitsForTheOthers) {
  write(vector(0), kAll, true);
  evict();
  write(vector(0), kLow, false);
  run();
  EXPECT_TRUE(answers.empty());
  EXPECT_EQ(link().stats().below.fetchesForWrites, 1u);
  answerLast();
  EXPECT_EQ(link().stats().genericWrites, 1u);
  EXPECT_TRUE(cache.holds(vector(0)));
  // The other words are here alone now: they have to be written. Those of the cache stay there.
  below.clear();
  evict();
  ASSERT_EQ(below.size(), 1u);
  EXPECT_EQ(below[0].address, sm::kHiddenBase);
  EXPECT_TRUE(cache.holds(vector(0)));
  EXPECT_EQ(link().stats().below.vectorsWritten, 3u);
}

TEST_F(RigBelow, AWriteOfAllWordsWaitsForNone) {
  write(vector(0), kAll, true);
  evict();
  below.clear();
  write(vector(0), kAll, false);
  run();
  EXPECT_EQ(link().stats().genericWrites, 1u);
  EXPECT_TRUE(below.empty());
  answers.clear();
  read(vector(0), kAll, false);
  run();
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_TRUE(answers[0].isOfCache);
}

TEST_F(RigBelow, WordsThatAreNoRangeLeaveDecoded) {
  write(vector(0), 0x3, true);
  write(vector(0), 0xc0, true);
  evict();
  ASSERT_EQ(below.size(), 1u);
  EXPECT_EQ(below[0].address, vector(0));
  EXPECT_EQ(link().stats().below.sparseMasks, 1u);
}

// A sector with a place that is not at hand and holds words needs a merge below.
TEST_F(RigBelow, PlacesBesideThoseWrittenStay) {
  settings.geometry.vectorsPerLine = 2;
  settings.geometry.bytes = 2 * kPlaceBytes;
  write(vector(0), kAll, true);
  run();
  write(vector(2), kAll, true);  // the other half of the sector, in this cache another line
  evict();
  ASSERT_EQ(below.size(), 2u);
  EXPECT_EQ(below[0].sectors, 1u);
  EXPECT_EQ(below[0].wholeSectors, 1u);
  EXPECT_EQ(below[1].sectors, 1u);
  EXPECT_EQ(below[1].wholeSectors, 0u);
}

TEST_F(Rig, GlobalDataIsTakenOnlyWhenAskedFor) {
  EXPECT_FALSE(takes(mem::AccessType::globalRead));
  settings.global = true;
  EXPECT_TRUE(takes(mem::AccessType::globalRead));
}

TEST_F(Rig, WhatPassesTheCacheIsNotTaken) {
  settings.global = true;
  EXPECT_FALSE(takes(mem::AccessType::globalRead, sm::Route::network));
  EXPECT_FALSE(takes(mem::AccessType::atomic, sm::Route::network));
}

}  // namespace
}  // namespace warpwright::mechanisms::avc
