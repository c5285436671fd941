// Files of tests/golden/timelines: what a machine did, below the reason why that is right. After a change that is meant, renew them with
// WARPWRIGHT_RENEW_GOLDEN=1 and check the differences by hand.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace warpwright::testing {

inline void expectTimeline(const std::string& name, const std::string& why, const std::string& timeline) {
  const std::string file = WARPWRIGHT_SOURCE_DIR "/tests/golden/timelines/" + name + ".txt";
  std::string text;
  std::istringstream lines(why);
  for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
  text += timeline;
  if (std::getenv("WARPWRIGHT_RENEW_GOLDEN") != nullptr) {
    std::ofstream(file) << text;
    return;
  }
  std::ostringstream expected;
  expected << std::ifstream(file).rdbuf();
  EXPECT_EQ(text, expected.str()) << "of " << file;
}

}  // namespace warpwright::testing
