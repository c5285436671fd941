// How lines that are compressed may lie in the caches of each level (Vijaykumar and others, sections 7.5 and 7.6), in whole machines.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "compressed_work.hpp"

namespace warpwright::compressed_work {
namespace {

// How lines may lie in the caches of each level (sections 7.5 and 7.6).
std::vector<Settings> levels() {
  const std::string key = "mechanism.line-compression.";
  return {{key + "first_level=compressed"},
          {key + "first_level=compressed", key + "first_level_tags=4"},
          {key + "first_level=direct"},
          {key + "second_level_tags=2"},
          {key + "second_level=whole"},
          {key + "first_level=compressed", key + "first_level_tags=2", key + "second_level_tags=4"},
          {key + "first_level=direct", key + "second_level=whole"}};
}

TEST(CompressedLevels, LeaveTheBytesThatTheyShould) {
  const std::vector<u32> wanted = run({}, mixed).words;
  for (const Settings& level : levels()) {
    const std::string which = fmt::format("{}", fmt::join(level, " "));
    for (const Settings& settings : {inHardware(level), assisted(level)}) {
      const Ran ran = run(settings, mixed);
      EXPECT_EQ(ran.words, wanted) << which;
      EXPECT_EQ(ran.counted.wrongLines, 0u) << which;
      EXPECT_GT(ran.counted.compressedReads, 50u) << which;
    }
  }
}

TEST(CompressedLevels, AreTheSameHoweverTheyAreSimulated) {
  machines::TimingOptions threads, each;
  threads.threads = 2;
  each.skip = false;
  for (const Settings& level : levels()) {
    const std::string which = fmt::format("{}", fmt::join(level, " "));
    const Ran first = run(assisted(level), mixed);
    EXPECT_EQ(run(assisted(level), mixed, threads).all == first.all, true) << which;
    EXPECT_EQ(run(assisted(level), mixed, each).all == first.all, true) << which << ", cycle by cycle";
  }
}

// The second load of a line that lies compressed has it made whole again; of one that lies whole it does not.
TEST(CompressedLevels, OfTheFirstLevelHaveEachLoadMadeWhole) {
  const Ran whole = run(assisted(), small), compressed = run(assisted({"mechanism.line-compression.first_level=compressed"}), small);
  EXPECT_EQ(whole.counted.firstLevelLoads, 0u);
  EXPECT_EQ(compressed.counted.compressedArrivals, 0u);
  EXPECT_GT(compressed.counted.firstLevelLoads, whole.counted.compressedArrivals * 5 / 4);
  EXPECT_EQ(compressed.assist.deployedHigh + compressed.counted.unassistedLines, compressed.counted.firstLevelLoads);
  const Ran direct = run(assisted({"mechanism.line-compression.first_level=direct"}), small);
  EXPECT_GT(direct.counted.firstLevelLoads, whole.counted.compressedArrivals * 5 / 4);
  EXPECT_EQ(direct.assist.deployedHigh, 0u) << "the coalescing unit does it";
  EXPECT_LT(direct.cycles, compressed.cycles);
}

// Loads a word of another line with each lane, three times.
constexpr const char* kScattered = R"(
.version 7.0
.target sm_20
.address_size 64
.visible .entry work(.param .u64 from, .param .u64 to)
{
  .reg .u32 %r<12>;
  .reg .u64 %d<8>;
  ld.param.u64 %d0, [from];
  ld.param.u64 %d1, [to];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mul.lo.u32 %r4, %r3, 32;
  rem.u32 %r4, %r4, 15328;
  mul.wide.u32 %d2, %r4, 4;
  add.u64 %d3, %d0, %d2;
  ld.global.u32 %r5, [%d3];
  ld.global.u32 %r6, [%d3+4];
  ld.global.u32 %r7, [%d3+8];
  add.u32 %r5, %r5, %r6;
  add.u32 %r5, %r5, %r7;
  mul.wide.u32 %d4, %r3, 4;
  add.u64 %d4, %d1, %d4;
  st.global.u32 [%d4], %r5;
  ret;
}
)";

// More loads wait for routines than any queue holds, and the routines pass the same load/store unit.
TEST(CompressedLevels, ManyLoadsNeverHoldUpTheirRoutines) {
  const auto arrays = [](runtime::Device&, const std::array<u64, 2>& both) { return both; };
  const std::vector<u32> wanted = run({}, kScattered, small, {}, arrays).words;
  for (const Settings& level : levels()) {
    const Ran ran = run(assisted(level), kScattered, small, {}, arrays);
    EXPECT_EQ(ran.words, wanted) << fmt::format("{}", fmt::join(level, " "));
  }
}

TEST(CompressedLevels, WithMoreTagsHoldMore) {
  const auto reads = [](const std::string& setting) {
    // So small that lines have to leave and come again.
    return run(inHardware({"l2.bytes=2048", "chip.l2_cache_bytes=24576", "mechanism.line-compression." + setting}), small).counted.reads;
  };
  EXPECT_LT(reads("second_level_tags=4"), reads("second_level_tags=1"));
  const auto none = [](const Settings& settings) { return run(settings, noise).counted; };
  const Statistics one = none(inHardware()), four = none(inHardware({"mechanism.line-compression.second_level_tags=4"}));
  EXPECT_EQ(one.reads, four.reads) << "what is not compressed has all of its place";
}

// Hits of an L2 with whole lines need no routine, and stores come to it as they are.
TEST(CompressedLevels, AWholeSecondLevelCompressesWhatItWritesBack) {
  const Ran whole = run(assisted({"mechanism.line-compression.second_level=whole"}), small), compressed = run(assisted(), small);
  EXPECT_EQ(whole.counted.stores, 0u);
  EXPECT_LT(whole.counted.compressedArrivals, compressed.counted.compressedArrivals);
  EXPECT_GT(whole.counted.compressedArrivals, 0u) << "from DRAM";
}

TEST(CompressedLevels, SaySoWhereTheyCannotBe) {
  const std::string key = "mechanism.line-compression.";
  const auto refusal = [](const Settings& settings) -> std::string {
    try {
      machineOf(settings);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(inHardware({key + "first_level_tags=2"})).find("first_level = "), std::string::npos);
  EXPECT_NE(refusal(inHardware({key + "second_level=whole", key + "second_level_tags=2"})).find("second_level = "), std::string::npos);
  EXPECT_NE(refusal(inHardware({key + "second_level_tags=8"})).find("more than the 64"), std::string::npos);
  EXPECT_NE(refusal({"mechanism.line-compression=true", key + "second_level=whole"}).find("reach"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::compressed_work
