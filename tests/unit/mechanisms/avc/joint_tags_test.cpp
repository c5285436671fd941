// The lines of both caches in one array.
#include "mechanisms/avc/joint_tags.hpp"

#include <gtest/gtest.h>

#include <set>

#include "mechanisms/avc/settings.hpp"
#include "unit/mechanisms/avc/rig.hpp"

namespace warpwright::mechanisms::avc {
namespace {

// 4 + 2 ways of 2 sets: 12 frames.
class Joint : public Rig {
 protected:
  static constexpr u32 kFrames = 12;

  Joint() {
    settings.geometry = {.bytes = 2 * 2 * 128, .ways = 2, .jointTags = true};
    levelOne_.bytes = 2 * 4 * 128;
    levelOne_.ways = 4;
  }

  // Of region r, the vector i.
  static GlobalAddress vector(u32 region, u32 index = 0) { return GlobalAddress(u64{region} * 2048 + index * kVectorBytes); }
  void writeAndRun(GlobalAddress address, bool affine) {
    write(address, kAll, affine);
    run(8);
  }
  u64 affineHits() { return link().stats().hits; }
};

TEST_F(Joint, AllFramesCanHoldTheFirstLevelCachesLines) {
  for (u32 line = 0; line < 200; ++line) writeAndRun(vector(0, line), false);
  EXPECT_EQ(cache.statistics().evictions + kFrames, 200u);
  EXPECT_EQ(link().stats().joint.taken, 0u);
}

TEST_F(Joint, AllFramesCanHoldEncodedLines) {
  for (u32 line = 0; line < 200; ++line) writeAndRun(vector(line), true);
  EXPECT_EQ(link().stats().state.lineEvictions + kFrames, 200u);
}

TEST_F(Joint, AnEncodedLineTakesTheFrameOfTheOldestVector) {
  for (u32 line = 0; line < 200; ++line) writeAndRun(vector(line), false);
  ASSERT_EQ(below.size(), 0u);
  const std::size_t before = belowCache.size();
  writeAndRun(vector(300), true);
  EXPECT_EQ(link().stats().joint.taken, 1u);
  ASSERT_EQ(belowCache.size(), before + 1);
  EXPECT_EQ(belowCache.back().type, mem::AccessType::writeBack);
  EXPECT_FALSE(cache.holds(belowCache.back().address));
}

TEST_F(Joint, AVectorTakesTheFrameOfTheOldestEncodedLine) {
  for (u32 line = 0; line < 200; ++line) {
    for (const u32 index : {0, 1}) writeAndRun(vector(line, index), true);
  }
  const std::size_t before = below.size();
  writeAndRun(vector(300), false);
  EXPECT_EQ(link().stats().joint.given, 1u);
  ASSERT_EQ(below.size(), before + 2);  // the whole line
  EXPECT_EQ(below.back().address, below[before].address + kVectorBytes);
  EXPECT_TRUE(cache.holds(vector(300)));
}

// The lines of a region never displace the encoded line that has its other vectors, nor that them.
TEST_F(Joint, ARegionsLinesHaveOtherWaysThanItsEncodedLine) {
  for (u32 region = 0; region < 50; ++region) {
    writeAndRun(vector(region, 0), true);
    for (u32 index = 1; index < 16; ++index) writeAndRun(vector(region, index), false);
    const u64 hits = affineHits();
    read(vector(region, 0), kAll, true);
    run(12);
    EXPECT_EQ(affineHits(), hits + 1) << "region " << region;
  }
}

TEST_F(Joint, NewLaunchesForgetTheCachesLinesAlone) {
  writeAndRun(vector(1), true);
  writeAndRun(vector(2), false);
  cache.flush();
  run();
  link().invalidate();
  cache.invalidate();
  read(vector(1), kAll, true);
  run();
  EXPECT_EQ(link().stats().hits, 1u);
  EXPECT_FALSE(cache.holds(vector(2)));
}

// What finds only lines on their way in the frames that it could have is left to the first-level cache, which waits.
TEST_F(Joint, LinesOnTheirWayStay) {
  u32 asked = 0;
  for (; asked < 100 && canAccept(); ++asked, run(4)) read(vector(0, asked), kAll, false, asked);
  ASSERT_LT(belowCache.size(), asked);
  ASSERT_LE(belowCache.size(), kFrames);
  for (u32 more = 0; more < 3 && canAccept(); ++more, run(4)) write(vector(9, more), kAll, true);
  EXPECT_EQ(link().stats().joint.taken, 0u);
  for (u32 i = 0; i < belowCache.size(); run(4)) {
    mem::Request response = belowCache[i];
    response.isResponse = true;
    if (mem::isWrite(response.type) || cache.canFill(response)) ++i;
    if (!mem::isWrite(response.type)) cache.fill(response, now);
  }
  run(100);
  std::set<u32> answered;
  for (const Answer& answer : answers) answered.insert(answer.id);
  EXPECT_EQ(answered.size(), asked);
  EXPECT_TRUE(link().quiescent());
}

TEST(JointSettings, NeedTheSameSets) {
  config::Machine machine;
  machine.l1d.bytes = 32768;
  machine.l1d.ways = 4;
  Settings settings;
  settings.geometry.jointTags = true;
  EXPECT_FALSE(problem(settings, machine).has_value());
  settings.geometry.ways = 4;
  EXPECT_NE(problem(settings, machine).value_or("").find("make mechanism.avc.bytes 32768"), std::string::npos);
  settings.geometry = {.skewed = true, .jointTags = true};
  EXPECT_NE(problem(settings, machine).value_or("").find("skewed"), std::string::npos);
  settings.geometry = {.bytes = 8192, .vectorsPerLine = 8, .jointTags = true};
  EXPECT_NE(problem(settings, machine).value_or("").find("vectors_per_line"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::mechanisms::avc
