// Times of launches in a folder: files that are cut short, resumed, of another machine; shares of several runs.
#include "runtime/launch_times.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "base/file.hpp"
#include "profile/profile.hpp"
#include "square_program.hpp"

namespace warpwright::runtime {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  explicit Folder(const std::string& name = "times")
      : path((fs::path(::testing::TempDir()) / (::testing::UnitTest::GetInstance()->current_test_info()->name() + name)).string()) {
    fs::remove_all(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return path + "/" + name; }

  const std::string path;
};

const LaunchTimes::Key kLaunch{7, "walk", 1000};
const LaunchTimes::Time kTime{{1234.5, 6.25, 3, true}, 800};

TEST(SamplePart, IsANumberOfSeveral) {
  EXPECT_EQ(parseSamplePart("2/8"), (SamplePart{2, 8}));
  EXPECT_EQ(parseSamplePart("1/1"), SamplePart{});
  for (const char* const wrong : {"", "2", "0/3", "4/3", "1/0", "/2", "1/", "1/2x", "-1/2", "1 / 2"})
    EXPECT_THROW(parseSamplePart(wrong), Error) << wrong;
}

TEST(LaunchTimes, AreThereForAnotherRun) {
  const Folder folder;
  const LaunchTimes::Time unknown{{50, stats::kEndless, 0, true}, 50}, exact{{60}, 60};
  {
    LaunchTimes first(folder.path, {1, 2}, "machine");
    EXPECT_EQ(first.find(kLaunch), nullptr);
    first.add(kLaunch, kTime);
    first.add({8, "walk", 50}, unknown);
    first.add({9, "walk", 60}, exact);
  }
  const LaunchTimes second(folder.path, {2, 2}, "machine");
  ASSERT_NE(second.find(kLaunch), nullptr);
  const stats::Estimate& cycles = second.find(kLaunch)->cycles;
  EXPECT_EQ(cycles.value, 1234.5);
  EXPECT_EQ(cycles.variance, 6.25);
  EXPECT_EQ(cycles.degrees, 3);
  EXPECT_TRUE(cycles.isPredicted);
  EXPECT_EQ(second.find(kLaunch)->instructionsInDetail, 800u);
  EXPECT_TRUE(std::isinf(second.find({8, "walk", 50})->cycles.variance));
  EXPECT_TRUE(second.find({9, "walk", 60})->cycles.isExact());
}

TEST(LaunchTimes, OfAStoppedRunAreKept) {
  const Folder folder;
  LaunchTimes(folder.path, {}, "machine").add(kLaunch, kTime);
  std::ofstream(folder.file("part-1-of-1.jsonl"), std::ios::app) << R"({"launch": 8, "ker)";
  LaunchTimes resumed(folder.path, {}, "machine");
  EXPECT_NE(resumed.find(kLaunch), nullptr);
  EXPECT_EQ(resumed.find({8, "walk", 50}), nullptr);
  resumed.add({8, "walk", 50}, kTime);
  EXPECT_NE(LaunchTimes(folder.path, {}, "machine").find({8, "walk", 50}), nullptr) << "behind what was cut off";
}

TEST(LaunchTimes, OfOtherConditionsOrProgramsAreRefused) {
  const Folder folder;
  LaunchTimes times(folder.path, {}, "machine");
  times.add(kLaunch, kTime);
  EXPECT_THROW(LaunchTimes(folder.path, {}, "another"), Error);
  EXPECT_THROW(times.find({7, "run", 1000}), Error);
  EXPECT_THROW(times.find({7, "walk", 1001}), Error);
  writeFile(folder.file("notes.jsonl"), "hello\n");
  EXPECT_THROW(LaunchTimes(folder.path, {}, "machine"), Error);
  writeFile(folder.file("notes.jsonl"), "{\"conditions\": \"machine\"}\n{\"launch\": 1}\n");
  EXPECT_THROW(LaunchTimes(folder.path, {}, "machine"), Error) << "a record without all of its members";
  writeFile(folder.path + "-file", "");
  EXPECT_THROW(LaunchTimes(folder.path + "-file", {}, "machine"), Error);
  fs::remove(folder.path + "-file");
}

TEST(LaunchTimes, EveryLaunchIsOfOnePart) {
  const Folder folder;
  std::vector<u32> shares(3);
  for (u32 part = 1; part <= 3; ++part) {
    const LaunchTimes times(folder.path, {part, 3}, "machine");
    for (u64 number = 1; number <= 300; ++number) shares[part - 1] += times.isMine({number, "walk", 1});
  }
  EXPECT_EQ(shares[0] + shares[1] + shares[2], 300u);
  for (const u32 share : shares) EXPECT_NEAR(share, 100, 15);
}

// --- with them, sampled programs

using Program = testing::SquareProgram;

void launchAll(Program& program) {
  for (u32 i = 0; i < 24; ++i) EXPECT_EQ(program.launch(40, 20 + i % 3).status, exec::LaunchStatus::completed);
}

struct Outcome {
  std::string times;  // all that is known of them
  u64 timed = 0, leftToOthers = 0;
  std::vector<u32> result;
};

// A program is gone before the next one begins, which then has the same addresses.
Outcome run(const Folder& folder, SamplePart part = {}) {
  Program program(0.03, folder.path, part);
  launchAll(program);
  const machines::KernelTiming& kernel = program.timing();
  EXPECT_EQ(kernel.launches.size() + kernel.computed.size(), 24u);
  return {fmt::format("{} {} {} {}", kernel.estimate.value, kernel.estimate.variance, kernel.sampled->timed, program.end),
          kernel.launches.size(), kernel.sampled->leftToOthers, program.result()};
}

TEST(SampledParts, GiveTogetherWhatOneRunGives) {
  const Folder alone("alone"), together("together");
  const Outcome one = run(alone);
  EXPECT_EQ(one.leftToOthers, 0u);
  u64 timed = 0;
  for (u32 part = 1; part <= 3; ++part) {
    const Outcome share = run(together, {part, 3});
    EXPECT_EQ(share.result, one.result);
    timed += share.timed;
  }
  EXPECT_GE(timed, 4u);
  const Outcome last = run(together);
  EXPECT_EQ(last.times, one.times);
  EXPECT_EQ(last.result, one.result);
  EXPECT_EQ(last.timed + timed, one.timed) << "no launch is timed twice";
}

// What a launch takes does not depend on which others a run has timed.
TEST(SampledParts, AreNotTimedAgain) {
  const Folder folder;
  const Outcome first = run(folder), second = run(folder);
  EXPECT_EQ(second.times, first.times);
  EXPECT_GT(first.timed, 0u);
  EXPECT_EQ(second.timed, 0u);
}

TEST(SampledParts, SayWhatIsLeftToOthers) {
  const Folder folder;
  Program share(0.03, folder.path, {1, 100});
  launchAll(share);
  EXPECT_GT(share.timing().sampled->leftToOthers, 0u);
  EXPECT_TRUE(std::isinf(share.timing().estimate.relativeError()));
}

// A machine of its own for each launch is the same whenever it begins, where in a sequence a launch of a few thousand cycles takes some
// percent more or less each time. It finds in L2 what the launches before have left there, and the kernel's code in its caches.
TEST(SampledParts, TakeAboutAsLongAsOneAfterTheOther) {
  const Folder folder;
  Program apart(0.03, folder.path), sequence(0.03);
  launchAll(apart);
  launchAll(sequence);
  EXPECT_NEAR(apart.timing().estimate.value / sequence.timing().estimate.value, 1, 0.05);
}

TEST(SampledParts, OfAnotherProgramAreRefused) {
  const Folder folder;
  Program first(0.03, folder.path);
  launchAll(first);
  Program other(0.03, folder.path);
  EXPECT_THROW(other.launch(40, 50), Error);
}

}  // namespace
}  // namespace warpwright::runtime
