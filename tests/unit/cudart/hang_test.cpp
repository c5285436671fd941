// Kernels that never end are told so within seconds, on the functional machine and on timed ones; their likes that end are let end.
#include <gtest/gtest.h>

#include <chrono>
#include <tuple>

#include "command_result.hpp"

namespace {

namespace fs = std::filesystem;

// With stack reconvergence and with independent threads.
const std::string kMachines[] = {"--machine gtx480 --functional", "--machine v100 --functional",
                                 "--machine gtx480 --set chip.multiprocessors=3 --threads 2",
                                 "--machine v100 --set chip.multiprocessors=2"};

using Case = std::tuple<std::string, std::string>;

std::string nameOf(const ::testing::TestParamInfo<Case>& info) {
  const std::string& machine = std::get<0>(info.param);
  return std::get<1>(info.param) + (contains(machine, "gtx480") ? "OnStacks" : "OnIndependentThreads") +
         (contains(machine, "--functional") ? "Functionally" : "WithTime");
}

double seconds(const std::chrono::steady_clock::time_point& begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Hangs : public ::testing::TestWithParam<Case> {};

TEST_P(Hangs, AreToldWithinSeconds) {
  const auto& [machine, kernel] = GetParam();
  const auto begin = std::chrono::steady_clock::now();
  const Result result = run(kCommand + "run -q --max-seconds 60 " + machine + " " HANGS " " + kernel);
  EXPECT_LT(seconds(begin), 30) << "on a host with nothing else to do, a second or two";
  EXPECT_EQ(result.status, 3) << result.output << result.errors;
  for (const char* part : {"hangs", kernel.c_str(), "hangs.cu:", "block (", "warp"})
    EXPECT_TRUE(contains(result.errors, part)) << part << ": " << result.errors;
}

INSTANTIATE_TEST_SUITE_P(, Hangs,
                         ::testing::Combine(::testing::ValuesIn(kMachines),
                                            ::testing::Values("emptyLoop", "countingLoop", "flagNobodySets", "flagAndCount", "flagAndSleep",
                                                              "flagOfALaneThatWaits", "flagOfABlock", "lockThatIsTaken", "storesTheSame",
                                                              "partOfAGrid")),
                         nameOf);

class Ends : public ::testing::TestWithParam<Case> {};

TEST_P(Ends, AreLetEnd) {
  const auto& [machine, kernel] = GetParam();
  const Result result = run(kCommand + "run -q " + machine + " " HANGS " " + kernel);
  EXPECT_EQ(result.status, 0) << result.output << result.errors;
}

INSTANTIATE_TEST_SUITE_P(, Ends,
                         ::testing::Combine(::testing::ValuesIn(kMachines),
                                            ::testing::Values("longLoop", "lateFlag", "flagAfterATime", "lockThatIsFreed",
                                                              "pollsWithAMeeting", "hostSetsTheFlag")),
                         nameOf);

constexpr const char* kMbarrier = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry waits()
{
  .shared .align 8 .b64 bar;
  .reg .pred %p;
  .reg .u32 %r;
  mov.u32 %r, %tid.x;
  setp.ne.u32 %p, %r, 0;
  @%p bra ready;
  mbarrier.init.shared.b64 [bar], 65;
ready:
  bar.sync 0;
  mbarrier.arrive.shared.b64 _, [bar];
again:
  mbarrier.test_wait.parity.shared.b64 %p, [bar], 0;
  @!%p bra again;
  ret;
}
)";

TEST(Hang, OfAnMbarrierIsTold) {
  const fs::path file = fs::temp_directory_path() / ("warpwright_hang_test_" + std::to_string(getpid()) + ".ptx");
  std::ofstream(file) << kMbarrier;
  for (const std::string& machine : kMachines) {
    const Result result =
        run(kCommand + "kernel -q --max-seconds 60 " + machine + " " + file.string() + " --kernel waits --grid 4 --block 64");
    EXPECT_EQ(result.status, 1) << result.errors;
    EXPECT_TRUE(contains(result.errors, "kernel 'waits' hangs")) << machine << ": " << result.errors;
  }
  fs::remove(file);
}

}  // namespace
