#include "engine/free_processors.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace warpwright::engine {
namespace {

TEST(FreeProcessors, AreThoseThatNothingRunsOn) {
  EXPECT_EQ(freeProcessors("0.10 0.20 0.30 1/250 4711\n", 8), 7u);
  EXPECT_EQ(freeProcessors("7.10 0.20 0.30 5/250 4711", 8), 3u);
  EXPECT_EQ(freeProcessors("0.00 0.00 0.00 9/250 4711", 8), 0u);
  EXPECT_EQ(freeProcessors("0.00 0.00 0.00 1/250 4711", 1), 0u);
}

TEST(FreeProcessors, AreAllButTheCallersWhereTheHostDoesNotTell) {
  for (const char* text : {"", "nonsense", "0.1 0.2 0.3", "0.1 0.2 0.3 5"}) EXPECT_EQ(freeProcessors(text, 8), 7u) << text;
}

TEST(FreeProcessors, LeavesTheCallerItsOwn) { EXPECT_LT(freeProcessors(), std::max(std::thread::hardware_concurrency(), 1u)); }

}  // namespace
}  // namespace warpwright::engine
