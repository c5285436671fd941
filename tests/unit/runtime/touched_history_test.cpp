#include "runtime/touched_history.hpp"

#include <gtest/gtest.h>

namespace warpwright::runtime {
namespace {

machines::Touched touching(std::size_t lines, u64 codeBytes) {
  return {.copied = {{GlobalAddress{}, 4}}, .lines = std::vector<TouchedLine>(lines), .kernel = {GlobalAddress{}, codeBytes}, .blocks = 1};
}

std::vector<std::size_t> linesOf(const TouchedHistory& history) {
  std::vector<std::size_t> result;
  for (const machines::Touched& launch : history.launches()) {
    result.push_back(launch.lines.size());
    EXPECT_EQ(launch.copied.empty(), launch.lines.empty());
  }
  return result;
}

// As many launches keep their lines as are needed for ten; what is older keeps its code, until later ones have a hundred bytes of it.
TEST(TouchedHistory, ForgetsWhatNoCacheHolds) {
  TouchedHistory history({.lines = 10, .codeBytes = 100, .launches = 2});
  history.add(touching(4, 40));
  history.add(touching(6, 40));
  EXPECT_EQ(linesOf(history), (std::vector<std::size_t>{4, 6}));
  history.add(touching(4, 40));
  EXPECT_EQ(linesOf(history), (std::vector<std::size_t>{0, 6, 4}));
  history.add(touching(20, 40));
  EXPECT_EQ(linesOf(history), (std::vector<std::size_t>{0, 0, 20}));
}

TEST(TouchedHistory, KeepsTheCodeOfSoManyLaunches) {
  TouchedHistory history({.lines = 1, .codeBytes = 1, .launches = 3});
  for (int launch = 0; launch < 5; ++launch) history.add(touching(1, 1000));
  EXPECT_EQ(linesOf(history), (std::vector<std::size_t>{0, 0, 1}));
}

// A machine without caches.
TEST(TouchedHistory, KeepsTheLastLaunch) {
  TouchedHistory history({});
  for (int launch = 0; launch < 3; ++launch) history.add(touching(5, 10));
  EXPECT_EQ(linesOf(history), (std::vector<std::size_t>{5}));
}

}  // namespace
}  // namespace warpwright::runtime
