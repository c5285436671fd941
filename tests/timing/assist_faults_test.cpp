// Faults of programs, which trigger assist warps.
#include <gtest/gtest.h>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

// Thread 37 of block 2 is at fault; the others count to a hundred, as the fault must not stop them at once.
std::string atFault(const std::string& instruction) {
  return R"(
.extern .func free(.param .b64 pointer);
.visible .entry work(.param .u64 out)
{
  .reg .u32 %r<6>;
  .reg .u64 %d<3>;
  .reg .pred %p<2>;
  ld.param.u64 %d0, [out];
  mov.u64 %d1, 8;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 1000, %r1;
  setp.ne.u32 %p0, %r3, 2037;
  @%p0 bra harmless;
  )" + instruction +
         R"(
harmless:
  mov.u32 %r4, 0;
again:
  .pragma "nounroll";
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 100;
  @%p1 bra again;
  st.global.u32 [%d0], %r4;
  ret;
}
)";
}

// A hundred and the address.
constexpr const char* kNotingFault = R"(
.visible .func (.param .b32 seen) notingFault(.param .b64 address)
.pragma "assist on=fault priority=high in=address out=count";
{
  .reg .u32 %r<2>;
  .reg .u64 %d0;
  ld.param.b64 %d0, [address];
  cvt.u32.u64 %r0, %d0;
  add.u32 %r1, %r0, 100;
  st.param.b32 [seen], %r1;
  ret;
}
)";

TEST(AssistWarps, OfAFaultChangeNothingWithoutOne) {
  const Ran without = run(fermi(2), kWork), with = run(withAssistWarps(fermi(2)), std::string(kWork) + kNotingFault);
  EXPECT_EQ(with.counters, without.counters);
}

TEST_F(AssistFile, EndsBeforeTheFaultThatTriggersItDoes) {
  struct Case {
    const char* instruction;
    u64 address;
  };
  for (const auto& [instruction, address] : {Case{"st.global.u32 [%d1], %r3;", 8}, Case{"ld.volatile.global.u32 %r5, [%d1+1];", 9},
                                             Case{"ld.volatile.global.u32 %r5, [%d0+3];", 3}, Case{"st.shared.u32 [%r3], %r3;", 2037},
                                             Case{"trap;", 0}, Case{"{ .param .b64 p; st.param.b64 [p], %d1; call.uni free, (p); }", 0}}) {
    const Launched without = launch(*device(""), atFault(instruction)), with = launch(*device(kNotingFault), atFault(instruction));
    EXPECT_NE(with.outcome.status, exec::LaunchStatus::completed) << instruction;
    EXPECT_EQ(with.outcome.status, without.outcome.status) << instruction;
    EXPECT_EQ(with.outcome.message, without.outcome.message) << instruction;
    EXPECT_GT(with.cycles, without.cycles) << instruction;
    EXPECT_EQ(with.counted.deployedHigh, 1u) << instruction;
    EXPECT_EQ(with.counted.ended, 1u) << instruction;
    EXPECT_EQ(with.counted.counted % 128, (100 + address) % 128) << instruction << " (the array begins at a multiple of 128)";
    for (const u32 threads : {2u, 8u}) {
      machines::TimingOptions options;
      options.threads = threads;
      EXPECT_EQ(launch(*device(kNotingFault, options), atFault(instruction)).all, with.all) << instruction << threads;
    }
    machines::TimingOptions each;
    each.skip = false;
    EXPECT_EQ(launch(*device(kNotingFault, each), atFault(instruction)).all, with.all) << instruction;
  }
}

// The first to be through ends the launch.
TEST_F(AssistFile, OfSeveralFaultsEndsWithOne) {
  std::string all = atFault("st.global.u32 [%d1], %r3;");
  const auto guard = all.find("@%p0 bra harmless;");
  ASSERT_NE(guard, std::string::npos);
  all.erase(guard, std::string("@%p0 bra harmless;").size());
  const Launched launched = launch(*device(kNotingFault), all);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::illegalAddress);
  EXPECT_GE(launched.counted.ended, 1u);
}

}  // namespace
}  // namespace warpwright::assist_tests
