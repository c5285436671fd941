// Which kernels go past the caches with what, as settings and the program say; and the detector of streams, counted by hand.
#include <gtest/gtest.h>

#include "mechanisms/tiny_cache/hardware_cost.hpp"
#include "mechanisms/tiny_cache/settings.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

using exec::CachePreference;

isa::Function kernelOf(const char* name) {
  isa::Function kernel;
  kernel.name = name;
  return kernel;
}

TEST(KernelBypasses, AreRead) {
  const auto two = kernelBypasses("saxpy=all, ns::convolve<float, 3> = shared");
  ASSERT_TRUE(two);
  ASSERT_EQ(two->size(), 2u);
  EXPECT_EQ(two->at(0).kernel, "saxpy");
  EXPECT_EQ(two->at(0).bypass, Bypass::all);
  EXPECT_EQ(two->at(1).kernel, "ns::convolve<float, 3>");
  EXPECT_EQ(two->at(1).bypass, Bypass::shared);
  EXPECT_TRUE(kernelBypasses("")->empty());
  for (const char* wrong : {"saxpy", "saxpy=", "=all", "saxpy=most", "saxpy=all,,x=none"}) EXPECT_FALSE(kernelBypasses(wrong)) << wrong;
}

TEST(KernelBypasses, KnowKernelsByTheirNamesInTheProgramAndInPtx) {
  for (const char* name : {"saxpy", "saxpy(int, float)", "_Z5saxpyif"}) EXPECT_TRUE(isOf({name}, "_Z5saxpyif")) << name;
  EXPECT_FALSE(isOf({"sax"}, "_Z5saxpyif"));
}

// What `kernels` says, then what the program asks for, then what holds for all.
TEST(KernelBypasses, GoBeforeTheProgramAndThatBeforeAll) {
  const isa::Function saxpy = kernelOf("_Z5saxpyif"), other = kernelOf("other");
  Settings settings;
  settings.bypass = Bypass::shared;
  settings.kernels = "saxpy=all";
  exec::Launch launch;
  launch.kernel = &saxpy;
  launch.cachePreference = CachePreference::equal;
  EXPECT_EQ(settings.bypassFor(launch), Bypass::all);
  launch.kernel = &other;
  EXPECT_EQ(settings.bypassFor(launch), Bypass::none);
  launch.cachePreference = CachePreference::shared;
  EXPECT_EQ(settings.bypassFor(launch), Bypass::global);
  launch.cachePreference = CachePreference::l1;
  EXPECT_EQ(settings.bypassFor(launch), Bypass::shared);
  launch.cachePreference = CachePreference::none;
  EXPECT_EQ(settings.bypassFor(launch), Bypass::shared);
  launch.cachePreference = CachePreference::equal;
  settings.byProgram = false;
  EXPECT_EQ(settings.bypassFor(launch), Bypass::shared);
  settings.byProgram = true;
  settings.bypass = Bypass::all;
  EXPECT_EQ(settings.bypassFor(launch), Bypass::all) << "there is nothing to switch on";
}

TEST(KernelBypasses, SayWhetherSharedMemoryIsEverCached) {
  const auto keeps = [](Bypass bypass, const char* kernels, bool byProgram) {
    Settings settings;
    settings.bypass = bypass;
    settings.kernels = kernels;
    settings.byProgram = byProgram;
    return settings.keepsShared();
  };
  EXPECT_TRUE(keeps(Bypass::none, "", false));
  EXPECT_TRUE(keeps(Bypass::global, "k=all", false));
  EXPECT_FALSE(keeps(Bypass::shared, "", false));
  EXPECT_TRUE(keeps(Bypass::shared, "", true)) << "a program may ask for it";
  EXPECT_TRUE(keeps(Bypass::shared, "k=global", false));
  EXPECT_FALSE(keeps(Bypass::all, "", true));
  EXPECT_TRUE(keeps(Bypass::all, "k=none", true));
}

constexpr Pc kStream{3}, kReused{4}, kSame{3 + 8};

TEST(StreamDetector, TakesForAStreamWhatBringsMoreThanIsUsed) {
  StreamDetector detector({.entries = 8, .lines = 4, .probe = 3});
  for (u32 i = 0; i < 3; ++i) detector.left(kStream, false);
  detector.left(kStream, true);
  EXPECT_FALSE(detector.goesPast(kStream)) << "2";
  detector.left(kStream, false);
  EXPECT_FALSE(detector.goesPast(kStream)) << "3";
  detector.left(kStream, false);
  EXPECT_TRUE(detector.goesPast(kStream)) << "4";
  EXPECT_FALSE(detector.goesPast(kReused));
  EXPECT_TRUE(detector.goesPast(kSame)) << "shares its counter";
}

TEST(StreamDetector, SeesTheEndOfAStream) {
  StreamDetector detector({.entries = 8, .lines = 4, .probe = 3});
  for (u32 i = 0; i < 10; ++i) detector.left(kStream, false);
  std::vector<bool> past;
  for (u32 i = 0; i < 6; ++i) past.push_back(detector.goesPast(kStream));
  EXPECT_EQ(past, (std::vector<bool>{true, true, false, true, true, false})) << "one in three is cached";
  detector.left(kStream, true);
  EXPECT_FALSE(detector.goesPast(kStream));
}

TEST(StreamDetector, ForgetsBeforeALaunch) {
  StreamDetector detector({.entries = 8, .lines = 1, .probe = 2});
  detector.left(kStream, false);
  detector.forget();
  EXPECT_FALSE(detector.goesPast(kStream));
}

// 64 counters of 7 bits, up to 64, and 5 of executions, up to 31; of each of 16 lines in 32 lanes, 6 bits of who brought it and 1 of its
// use.
TEST(StreamDetector, CostsBits) { EXPECT_EQ(detectorBits({}, {}, 32), 64u * (7 + 5) + 32 * 16 * (6 + 1)); }

}  // namespace
}  // namespace warpwright::mechanisms::tiny_cache
