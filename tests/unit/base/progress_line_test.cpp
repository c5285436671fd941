#include "base/progress_line.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(ProgressLine, TimesAreShort) {
  EXPECT_EQ(durationText(0.2), "1 s");
  EXPECT_EQ(durationText(59), "59 s");
  EXPECT_EQ(durationText(130), "2 min 10 s");
  EXPECT_EQ(durationText(11'100), "3 h 5 min");
}

// Standard error is a file here.
TEST(ProgressLine, SoonDoneShowsNothing) {
  for (const auto in : {ProgressLine::In::nothing, ProgressLine::In::terminals, ProgressLine::In::terminalsAndLogs})
    EXPECT_FALSE(ProgressLine(in).isDue());
}

TEST(ProgressLine, ALogGetsWholeLines) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line(ProgressLine::In::terminalsAndLogs);
    line.show("3 of 7");
    EXPECT_FALSE(line.isDue());
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "3 of 7\n");
}

}  // namespace
}  // namespace warpwright
