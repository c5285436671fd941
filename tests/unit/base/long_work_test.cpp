#include "base/long_work.hpp"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(LongWork, SaysHowFarItIs) {
  EXPECT_EQ(longWorkText("sweep", 4, 0, "low order", 3, 3), "sweep: 0 of 4 done, now low order, for 3 s");
  EXPECT_EQ(longWorkText("sweep", 4, 2, "harper", 25, 5), "sweep: 2 of 4 done, now harper; 15 s left");
  EXPECT_EQ(longWorkText("sweep", 4, 3, "sams", 95, 65), "sweep: 3 of 4 done, now sams; 1 s left") << "it should have ended long ago";
  EXPECT_EQ(longWorkText("programs", 0, 7, "bfs", 80, 61), "programs: 7 done, now bfs, for 1 min 1 s");
  EXPECT_EQ(longWorkText("programs", 0, 0, "", 2, 2), "programs: 0 done, for 2 s");
}

TEST(LongWork, RestsBetweenPieces) {
  ::testing::internal::CaptureStderr();
  {
    LongWork work("pieces", 0, ProgressLine::In::nothing);
    work.begin("one");
    work.rest();
    work.rest();
    work.begin("two");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(LongWork, SaysNothingOfWhatIsSoonDone) {
  ::testing::internal::CaptureStderr();
  {
    LongWork work("quick", 2);
    work.begin("one");
    work.begin("two");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace warpwright
