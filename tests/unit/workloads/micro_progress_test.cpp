// What the micro-benchmarks say of how far they are.
#include <gtest/gtest.h>

#include "../../../workloads/micro/progress.hpp"

namespace micro {
namespace {

std::string said(double quietSeconds) {
  testing::internal::CaptureStderr();
  Progress progress(3, quietSeconds);
  for (const char* benchmark : {"latency", "dram", "l1"}) progress.begin(benchmark);
  return testing::internal::GetCapturedStderr();
}

TEST(MicroProgress, NamesWhatIsDoneAndWhatBegins) {
  EXPECT_EQ(said(-1), "micro: 1 of 3 done in 0 s, now dram; some 0 s left\nmicro: 2 of 3 done in 0 s, now l1; some 0 s left\n");
}

TEST(MicroProgress, SaysNothingOfWhatIsShort) { EXPECT_EQ(said(1000), ""); }

}  // namespace
}  // namespace micro
