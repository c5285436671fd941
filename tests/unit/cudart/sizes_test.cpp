// Grids of more blocks than anybody waits for, and deep recursion: memory does not grow with the grid, progress is shown, whoever stops it
// is heard at once, and recursion without an end is told.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_result.hpp"
#include "started_command.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* kMostBlocks = "blocks 2147483647 65535 65535";
constexpr unsigned long long kMost = 2147483647ull * 65535 * 65535;

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// A machine, functional or timed.
class Sizes : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const char* name) const { return (folder_ / name).string(); }
  static std::string command(const std::string& options, const std::string& what) {
    return kCommand + "run --machine v100 " + GetParam() + " " + options + " " SIZES " " + what;
  }
  double mebibytesFor(int blocks) const {
    StartedCommand run(command("--lines", "blocks " + std::to_string(blocks) + " 1 1"), file("out"), file("err"));
    EXPECT_EQ(run.wait(), 0) << content(folder_ / "err");
    return run.mebibytes();
  }

  const fs::path folder_ = fs::temp_directory_path() / ("warpwright_sizes_test_" + std::to_string(getpid()));
};

TEST_P(Sizes, MemoryDoesNotGrowWithTheGrid) {
  constexpr double kNoise = 2;  // four bytes for each block more
  EXPECT_LT(mebibytesFor(600'000), mebibytesFor(60'000) + kNoise);
}

TEST_P(Sizes, AGridOfAnySizeIsStoppedAtOnce) {
  StartedCommand run(command("-q --json " + file("json"), kMostBlocks), file("out"), file("err"));
  ASSERT_TRUE(run.send(SIGTERM)) << content(folder_ / "err");
  const auto begin = std::chrono::steady_clock::now();
  const int status = run.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << "on a host with nothing else to do, a twentieth of one";
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  EXPECT_TRUE(contains(content(folder_ / "err"), "is stopped by SIGTERM")) << content(folder_ / "err");
  const nlohmann::json kernel = nlohmann::json::parse(content(folder_ / "json")).at("kernels").at(0);
  EXPECT_EQ(kernel.at("blocks"), kMost);
  EXPECT_GT(kernel.at("blocks_done"), 0);
}

TEST_P(Sizes, ProgressIsShownOnATerminal) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  StartedCommand run(command("--max-seconds 3", kMostBlocks), file("out"), ptsname(terminal));
  std::string text;
  char buffer[4096];
  // Reading fails when all that had the other side open have ended.
  for (ssize_t count; (count = read(terminal, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(count));
  close(terminal);
  run.wait();
  EXPECT_TRUE(contains(text, "of " + std::to_string(kMost) + " blocks")) << text;
  EXPECT_TRUE(contains(text, "is stopped after 3 s")) << text;
}

TEST_P(Sizes, DeepRecursionEnds) {
  const Result result = run(command("-q", "recursion 1500 1 1"));
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.output, "no error, 1500 levels\n");
}

TEST_P(Sizes, RecursionWithoutAnEndIsTold) {
  StartedCommand run(command("-q --max-seconds 60", "recursion 1000000000000 1 64"), file("out"), file("err"));
  const int status = run.wait();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << status;
  EXPECT_TRUE(contains(content(folder_ / "err"), "the stack is exhausted")) << content(folder_ / "err");
  EXPECT_LT(run.mebibytes(), 256) << "two warps have 32 MiB";
}

std::string nameOf(const ::testing::TestParamInfo<const char*>& machine) { return machine.index == 0 ? "Functionally" : "WithTime"; }

INSTANTIATE_TEST_SUITE_P(, Sizes, ::testing::Values("--functional", "--set chip.multiprocessors=2"), nameOf);

}  // namespace
