// On the timed machine, kernels of a graph that do not depend on each other share it; a graph alone makes work that may overlap, without
// streams that could.
#include <gtest/gtest.h>

#include <cstdlib>

#include "command_result.hpp"

namespace {

TEST(GraphOverlap, KernelsOfALaunchRunSideBySide) {
  const Result result = run(kCommand + "run --quiet --machine v100 " GRAPH_OVERLAP);
  ASSERT_EQ(result.status, 0) << result.errors;
  char* status = nullptr;
  EXPECT_NEAR(std::strtod(result.output.c_str(), &status), 2, 0.15) << result.output;
  EXPECT_STREQ(status, " 0\n");
}

}  // namespace
