// Assist warps on the timed machine: what they wait for while the SM is busy.
#include <gtest/gtest.h>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

TEST(AssistWarps, WaitWhileTheSchedulersAreBusy) {
  const auto throttled = [](u32 percent) {
    return [percent](Settings& settings) {
      settings.window = 32;
      settings.busyPercent = percent;
    };
  };
  const std::string code = kWork + looping("assist on=load priority=normal");
  const Ran often = run(withAssistWarps(fermi(), throttled(100)), code), seldom = run(withAssistWarps(fermi(), throttled(5)), code);
  EXPECT_GT(seldom.counted.waited, often.counted.waited);
}

// The routine computes, and computing is what keeps the unit busy.
TEST(AssistWarps, WaitWhileTheirUnitsAreBusy) {
  const auto throttled = [](u32 percent) {
    return [percent](Settings& settings) {
      settings.window = 32;
      settings.busyPercent = 100;
      settings.unitPercent = percent;
    };
  };
  for (const std::string priority : {"normal", "low", "high"}) {
    const std::string code = kWork + looping("assist on=load priority=" + priority);
    const Ran often = run(withAssistWarps(fermi(), throttled(100)), code), seldom = run(withAssistWarps(fermi(), throttled(10)), code);
    EXPECT_EQ(seldom.counted.throttled > often.counted.throttled, priority != "high") << priority;
  }
}

TEST(AssistWarps, OfLowPriorityMayAskForAnIdleCore) {
  const auto idle = [](u32 percent) {
    return [percent](Settings& settings) {
      settings.window = 32;
      settings.busyPercent = settings.unitPercent = 100;
      settings.idlePercent = percent;
    };
  };
  for (const std::string priority : {"normal", "low"}) {
    const std::string code = kWork + looping("assist on=load priority=" + priority);
    const u64 always = run(withAssistWarps(fermi(), idle(0)), code).counted.throttled;
    EXPECT_EQ(run(withAssistWarps(fermi(), idle(95)), code).counted.throttled > always, priority == "low");
  }
}

}  // namespace
}  // namespace warpwright::assist_tests
