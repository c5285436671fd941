// Programs made as CUDA 11, 12 and 13 make them (dropin/program.cpp), under `warpwright run`.
#ifdef FOREIGN_PROGRAM
#include <gtest/gtest.h>

#include "command_result.hpp"

namespace {

class DropIn : public ::testing::TestWithParam<const char*> {};

TEST_P(DropIn, StandsInForTheReleasesRuntime) {
  const std::string version = GetParam();
  const Result result = run(kCommand + "run --machine v100 " FOREIGN_PROGRAM + version);
  EXPECT_EQ(result.status, 0) << result.output << result.errors;
  EXPECT_EQ(result.output, "CUDA " + version.substr(0, 2) + ": 0 failures\n");
  EXPECT_TRUE(contains(result.errors, "asks for libcudart.so." + version + ": Warpwright's stands in for it")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "triple")) << "no profile: " << result.errors;
}

INSTANTIATE_TEST_SUITE_P(Releases, DropIn, ::testing::Values("11.0", "12", "13"),
                         [](const auto& release) { return std::string(release.param).substr(0, 2); });

#ifdef STATIC_RUNTIME
class StaticRuntime : public ::testing::TestWithParam<const char*> {};

TEST_P(StaticRuntime, IsReplacedInTheProgram) {
  const Result result = run(kCommand + "run --devices 3 " STATIC_RUNTIME + GetParam());
  EXPECT_EQ(result.output, "3 devices, 0 0\n") << result.errors;
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(contains(result.errors, "Warpwright's takes its place")) << result.errors;
  EXPECT_FALSE(contains(result.errors, "own runtime is called")) << result.errors;
}

INSTANTIATE_TEST_SUITE_P(Releases, StaticRuntime, ::testing::Values("11", "12", "13"));

// What the program starts has the interceptor preloaded, too, and nothing to be replaced.
TEST(StaticRuntimes, LeaveOtherProgramsAlone) {
  const Result result = run("LD_PRELOAD=$(dirname $(dirname " WARPWRIGHT_COMMAND
                            "))/lib/warpwright/libwarpwright_intercept.so "
                            "WARPWRIGHT_STATIC_RUNTIME=/nowhere/libcudart.so.13 sh -c 'echo alone'");
  EXPECT_EQ(result.output, "alone\n") << result.errors;
  EXPECT_EQ(result.status, 0);
}
#endif

TEST(DropInRefusal, AReleaseWithoutAStandIn) {
  const Result result = run(kCommand + "run " FOREIGN_PROGRAM "10.2");
  EXPECT_EQ(result.status, 126);
  EXPECT_TRUE(contains(result.errors, "asks for libcudart.so.10.2")) << result.errors;
}

// The command alone, as an installation without its libraries has it.
TEST(DropInRefusal, AStandInThatWasNotBuilt) {
  namespace fs = std::filesystem;
  const fs::path top = fs::temp_directory_path() / ("warpwright_dropin_test_" + std::to_string(getpid()));
  const fs::path libraries = top / "lib" / "warpwright";
  fs::create_directories(top / "bin");
  fs::create_directories(libraries);
  fs::copy_file(WARPWRIGHT_COMMAND, top / "bin" / "warpwright");
  std::ofstream(libraries / "libcudart.so.13") << "only its name counts\n";
  const Result result = run((top / "bin" / "warpwright").string() + " run " FOREIGN_PROGRAM "11.0");
  EXPECT_EQ(result.status, 126);
  EXPECT_TRUE(contains(result.errors, "libcudart.so.11.0 is missing")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "remedy")) << result.errors;
  fs::remove_all(top);
}

}  // namespace
#endif
