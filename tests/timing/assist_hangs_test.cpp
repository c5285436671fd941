// Assist warps whose routine never ends, or takes long.
#include <gtest/gtest.h>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

class AssistHangs : public AssistFile {};

// After `rounds` of a loop; 0: never.
std::string spinning(const std::string& annotation, u32 rounds = 0) {
  return ".visible .func spinning()\n.pragma \"" + annotation + "\";\n" + R"({
  .reg .u32 %r<2>;
  .reg .pred %p;
  mov.u32 %r0, 0;
again:
  .pragma "nounroll";
  add.u32 %r0, %r0, 1;
  setp.ne.u32 %p, %r0, )" +
         std::to_string(rounds) + R"(;
  @%p bra again;
  ret;
}
)";
}

constexpr const char* kForEver = R"(
.visible .func forEver()
.pragma "assist on=store priority=PRIORITY";
{
again:
  bra again;
}
)";

std::string forEver(const std::string& priority) {
  std::string text = kForEver;
  return text.replace(text.find("PRIORITY"), std::string("PRIORITY").size(), priority);
}

// Of high priority, the warp waits for it. Of normal priority it issues before its warp, which may have all that it needs, and gets no
// slot.
TEST_F(AssistHangs, AreFoundAndNamed) {
  for (const std::string priority : {"high", "normal"}) {
    const Launched launched = launch(*device(forEver(priority)), kWork);
    const std::string& said = launched.outcome.message;
    EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::hang) << priority << said;
    EXPECT_LT(launched.cycles, 60'000u) << priority;
    EXPECT_NE(said.find("the routine 'forEver' at " + file() + lineOf(forEver(priority), "bra again")), std::string::npos) << said;
    EXPECT_NE(said.find("helpers run 'forEver'"), std::string::npos) << said;
    EXPECT_NE(said.find("run the routine 'forEver' beside it"), std::string::npos) << said;
    machines::TimingOptions options;
    options.threads = 2;
    EXPECT_EQ(launch(*device(forEver(priority), options), kWork).outcome.message, said);
  }
}

// The warp has ended before.
TEST_F(AssistHangs, OfNormalPriorityHoldUpTheirBlock) {
  const std::string last = R"(
.visible .entry last(.param .u64 out)
{
  .reg .u32 %r0;
  .reg .u64 %d0;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, 1;
  st.global.u32 [%d0], %r0;
  exit;
}
)";
  const Launched launched = launch(*device(forEver("normal")), last);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::hang) << launched.outcome.message;
  EXPECT_LT(launched.cycles, 60'000u);
  EXPECT_NE(launched.outcome.message.find("the routine 'forEver'"), std::string::npos) << launched.outcome.message;
}

TEST_F(AssistHangs, OfLowPriorityEndWithTheirWarps) {
  const Launched launched = launch(*device(forEver("low")), kWork);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::completed) << launched.outcome.message;
  EXPECT_GT(launched.counted.killed, 0u);
}

// Nothing changes meanwhile, for longer than it takes to find a circle; and beside stores warps are starved as long.
TEST_F(AssistHangs, AreNoneThatTakeLong) {
  for (const std::string on : {"atomic", "store"}) {
    for (const std::string priority : {"high", "normal"}) {
      const Launched launched = launch(*device(spinning("assist on=" + on + " priority=" + priority, 3000)), kWork);
      EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::completed) << on << priority << launched.outcome.message;
      EXPECT_GT(launched.cycles, 60'000u) << on << priority;
    }
  }
}

// The program hangs, whatever comes and goes beside it.
TEST_F(AssistHangs, OfTheProgramAreFoundBesideRoutines) {
  const std::string stuck = R"(
.visible .entry stuck(.param .u64 out)
{
again:
  bra again;
}
)";
  for (const char* on : {"timer:50", "idle"}) {
    const Launched launched = launch(*device(spinning(std::string("assist priority=low on=") + on, 5)), stuck);
    EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::hang) << on;
    EXPECT_LT(launched.cycles, 60'000u) << on;
    EXPECT_NE(launched.outcome.message.find("every warp waits or repeats the same"), std::string::npos) << launched.outcome.message;
  }
}

}  // namespace
}  // namespace warpwright::assist_tests
