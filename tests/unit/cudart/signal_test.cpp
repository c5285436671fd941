// SIGINT and SIGTERM while a launch runs: what there is is written, and the process ends as the signal would have ended it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "command_result.hpp"
#include "started_command.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* kCount = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 n)
{
  .reg .u64 %d<3>;
  .reg .pred %p;
  ld.param.u64 %d0, [n];
  mov.u64 %d1, 0;
again:
  add.u64 %d1, %d1, 1;
  setp.lt.u64 %p, %d1, %d0;
  @%p bra again;
  ret;
}
)";

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Signals : public ::testing::TestWithParam<std::tuple<int, std::string>> {
 protected:
  void SetUp() override {
    fs::create_directories(folder);
    std::ofstream(folder / "count.ptx") << kCount;
  }
  void TearDown() override { fs::remove_all(folder); }

  void stop(const std::string& what, bool isTimed) {
    const int signal = std::get<0>(GetParam());
    const auto file = [&](const char* name) { return (folder / name).string(); };
    const std::string options =
        std::get<1>(GetParam()) + " --machine gtx480 --json " + file("json") + (isTimed ? " --csv " + file("csv") : "") + " ";
    StartedCommand command(kCommand + what.substr(0, what.find(' ')) + " " + options + what.substr(what.find(' ')), file("out"),
                           file("err"));
    ASSERT_TRUE(command.send(signal)) << content(folder / "err");
    const auto begin = std::chrono::steady_clock::now();
    const int status = command.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    const std::string errors = content(folder / "err");
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status << errors;
    EXPECT_TRUE(contains(errors, signal == SIGTERM ? "is stopped by SIGTERM" : "is stopped by SIGINT (Ctrl-C)")) << errors;
    EXPECT_TRUE(contains(errors, "block (0,0,0), warp")) << "where its threads are: " << errors;
    const nlohmann::json figures = nlohmann::json::parse(content(folder / "json"));
    EXPECT_TRUE(contains(figures.at("kernels").dump(), "count")) << figures;
    if (isTimed) EXPECT_TRUE(contains(content(folder / "csv"), "count")) << content(folder / "csv");
  }

  fs::path folder = fs::temp_directory_path() / ("warpwright_signal_test_" + std::to_string(getpid()));
};

TEST_P(Signals, StopAProgram) { stop("run " HANGS " count", std::get<1>(GetParam()) != "--functional"); }

TEST_P(Signals, StopAKernel) {
  const std::string kernel =
      "kernel " + (folder / "count.ptx").string() + " --kernel count --grid 4 --block 64 --arg u64:0xffffffffffffffff";
  stop(kernel, std::get<1>(GetParam()) != "--functional");
}

INSTANTIATE_TEST_SUITE_P(Runs, Signals,
                         ::testing::Combine(::testing::Values(SIGINT, SIGTERM),
                                            ::testing::Values("--functional", "--timed", "--timed --threads 3")));

TEST(Budget, AKernelMayTakeSoManySecondsOfTheHost) {
  for (const std::string time : {"--functional", "--timed"}) {
    const auto begin = std::chrono::steady_clock::now();
    const Result result = run(kCommand + "run -q --machine gtx480 --max-seconds 1 " + time + " " HANGS " count");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
    EXPECT_EQ(result.status, 3) << result.output;
    EXPECT_TRUE(contains(result.errors, "is stopped after 1 s, as --max-seconds asks")) << result.errors;
    EXPECT_TRUE(contains(result.errors, "hangs.cu:")) << result.errors;
  }
}

}  // namespace
