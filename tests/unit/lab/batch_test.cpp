#include "lab/execution/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>

#include "cc/driver/process.hpp"
#include "lab/execution/folder_lock.hpp"
#include "lab/execution/slurm.hpp"

namespace warpwright::lab {
namespace {

TEST(Batch, CarriesTasksThereAndOutcomesBack) {
  const cc::TemporaryFolder parent;
  const RunSpec spec{
      .key = "k", .program = "/p", .arguments = {"a b", "c"}, .machine = "m", .configuration = "x = 1\n", .options = {{"o", "1"}}};
  const Batch batch = Batch::make(parent.path());
  EXPECT_TRUE(batch.runs().empty());
  batch.write({{7, spec}, {9, spec}}, {1 << 20, std::chrono::seconds(5)}, "r");
  const Batch onNode(batch.folder());
  EXPECT_EQ(onNode.runs(), (std::vector<Id>{7, 9}));
  EXPECT_EQ(onNode.revision(), "r");
  EXPECT_EQ(onNode.limits().memoryBytes, 1U << 20);
  EXPECT_EQ(onNode.limits().timeout.count(), 5);
  const Task task = onNode.task(1);
  EXPECT_EQ(task.run, 9);
  EXPECT_EQ(task.spec.arguments, spec.arguments);
  EXPECT_EQ(task.spec.configuration, spec.configuration);
  EXPECT_EQ(task.spec.options, spec.options);

  EXPECT_FALSE(batch.isSubmitted());
  batch.markSubmitted();
  EXPECT_TRUE(onNode.isSubmitted());
  EXPECT_FALSE(batch.outcome(1));
  onNode.writeOutcome(1, {.state = State::timedOut, .message = "stopped after 5 s", .exitStatus = 137, .seconds = 5.5, .peakBytes = 3});
  EXPECT_FALSE(batch.outcome(0));
  const std::optional<Outcome> outcome = batch.outcome(1);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->state, State::timedOut);
  EXPECT_EQ(outcome->message, "stopped after 5 s");
  EXPECT_EQ(outcome->seconds, 5.5);
  EXPECT_EQ(outcome->peakBytes, 3U);
  batch.remove();
  EXPECT_FALSE(std::filesystem::exists(batch.folder()));
  EXPECT_FALSE(batch.outcome(1));
}

TEST(FolderLock, LetsOneProcessInAtATime) {
  const cc::TemporaryFolder parent;
  const std::string folder = parent.path() + "/shared";
  auto first = std::make_unique<FolderLock>(folder);
  std::atomic<bool> isIn = false;
  std::thread second([&] {
    const FolderLock lock(folder);
    isIn = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(isIn);
  std::filesystem::remove(folder);  // as its user does at the end
  first.reset();
  second.join();
  EXPECT_TRUE(isIn);
  EXPECT_TRUE(std::filesystem::exists(folder));
}

TEST(Submission, HasTheSitesOptionsBeforeItsOwn) {
  const cc::TemporaryFolder parent;
  const Batch batch = Batch::make(parent.path());
  batch.write({Task{}, Task{}, Task{}}, {.memoryBytes = u64{1} << 30, .timeout = std::chrono::seconds(90)}, "revision");
  const std::vector<std::string> words = submission(batch, 2, {"--partition=long", "--qos=low"}, "/bin/warpwright");
  ASSERT_GT(words.size(), 3u);
  EXPECT_EQ(words[0], "sbatch");
  EXPECT_EQ(words[1], "--partition=long");
  EXPECT_EQ(words[2], "--qos=low");
  EXPECT_NE(std::ranges::find(words, "--array=0-2%2"), words.end());
}

}  // namespace
}  // namespace warpwright::lab
