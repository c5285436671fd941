// A program compiled by warpwright-cc (programs/runtime_tour.cu), run as users run it.
#include <gtest/gtest.h>

#include "command_result.hpp"

namespace {

TEST(Program, TheTourFindsEverythingInOrder) {
  const Result result = run(kCommand + "run " RUNTIME_TOUR);
  EXPECT_EQ(result.status, 0) << result.output << result.errors;
  EXPECT_EQ(result.output, "hello from block 0\nhello from block 1\n0 failures\n");
  // The profile, and the access out of bounds with its source line.
  EXPECT_TRUE(contains(result.errors, "countThenSpread")) << result.errors;
  EXPECT_TRUE(contains(result.errors, "runtime_tour.cu:50")) << result.errors;
}

TEST(Program, RunsWithoutTheCommand) {
  const Result result = run("WARPWRIGHT_MACHINE=gtx480 WARPWRIGHT_QUIET=1 " RUNTIME_TOUR);
  EXPECT_EQ(result.status, 0) << result.output << result.errors;
  EXPECT_FALSE(contains(result.errors, "Instructions")) << result.errors;
}

TEST(Program, ExplainsAMachineThatDoesNotExist) {
  const Result result = run("WARPWRIGHT_MACHINE=v10 " RUNTIME_TOUR);
  EXPECT_NE(result.status, 0);
  EXPECT_TRUE(contains(result.errors, "v100")) << result.errors;
}

TEST(Program, WritesJson) {
  const auto file = std::filesystem::temp_directory_path() / ("warpwright_program_test_json_" + std::to_string(getpid()));
  EXPECT_EQ(run(kCommand + "run --quiet --json " + file.string() + " " RUNTIME_TOUR).status, 0);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_TRUE(contains(text.str(), "countThenSpread"));
  std::filesystem::remove(file);
}

}  // namespace
