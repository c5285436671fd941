#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/error.hpp"
#include "cc/driver/process.hpp"
#include "lab/execution/child.hpp"
#include "lab/execution/limits.hpp"
#include "lab/execution/owner.hpp"
#include "lab/execution/progress.hpp"

namespace warpwright::lab {
namespace {

ChildResult runScript(const std::string& script, const Limits& limits = {}) {
  const cc::TemporaryFolder folder;
  Child child({{"/bin/bash", "-c", script}, {"PATH=/usr/bin:/bin"}, folder.path(), folder.path() + "/output", limits});
  while (!child.check()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return child.result();
}

TEST(Child, GivesItsExitStatus) {
  const ChildResult result = runScript("exit 7");
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.status, 7);
  EXPECT_GT(result.peakBytes, 0U);
}

TEST(Child, GivesItsSignal) {
  const ChildResult result = runScript("kill -ABRT $$");
  EXPECT_EQ(result.end, End::killed);
  EXPECT_EQ(result.status, SIGABRT);
}

TEST(Child, IsStoppedAfterItsTimeout) {
  EXPECT_EQ(runScript("while :; do :; done", {.timeout = std::chrono::seconds(1)}).end, End::timedOut);
}

TEST(Child, IsStoppedWhenItTakesTooMuchMemory) {
  EXPECT_EQ(runScript("x=x; while :; do x=$x$x; done", {.memoryBytes = u64{64} << 20}).end, End::tooMuchMemory);
}

TEST(Limits, ReadAmountsOfMemory) {
  EXPECT_EQ(parseBytes("2G"), u64{2} << 30);
  EXPECT_EQ(parseBytes("1.5MiB"), 3 * (u64{1} << 19));
  EXPECT_EQ(parseBytes("512KB"), 512U * 1024);
  EXPECT_EQ(parseBytes("77"), 77U);
  for (const char* wrong : {"", "G", "2X", "-1G", "0", "2 G"}) EXPECT_THROW(parseBytes(wrong), Error) << wrong;
  EXPECT_EQ(bytesText(u64{3} << 29), "1.5 GiB");
}

TEST(Owner, LivesAsLongAsItsProcess) {
  EXPECT_TRUE(lives(thisProcess()));
  EXPECT_FALSE(lives("process other-boot 1 1"));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::string name = thisProcess();
    _exit(write(ends[1], name.data(), name.size()) > 0 ? 0 : 1);
  }
  char text[200];
  const ssize_t size = read(ends[0], text, sizeof text);
  ASSERT_GT(size, 0);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(lives(std::string(text, static_cast<std::size_t>(size))));
  close(ends[0]);
  close(ends[1]);
}

TEST(Progress, EstimatesFromTheProgramsOwnRuns) {
  // Two runs of a program that takes 10 s are left, and one that runs counts half; two at a time.
  const ProgramProgress slow{.waiting = 2, .running = 1, .done = 1, .seconds = 10}, quick{.done = 4, .failed = 1, .seconds = 1};
  const ProgramProgress all[] = {slow, quick};
  EXPECT_EQ(progressText(all, 2), "5 of 9 runs done, 1 failed, 1 running; about 13 s left");
}

TEST(Progress, EstimatesUnknownProgramsFromTheOthers) {
  const ProgramProgress known{.done = 2, .seconds = 100}, unknown{.waiting = 1};
  const ProgramProgress all[] = {known, unknown};
  EXPECT_EQ(progressText(all, 1), "2 of 3 runs done; about 1 min 40 s left");
}

}  // namespace
}  // namespace warpwright::lab
