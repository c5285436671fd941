// Faults of programs after which routines let their warps go on.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

// Each thread traps where its guard word is not the number of its warp; then it stores that.
const std::string kGuarded = kernelOf("work", R"(
  shr.u32 %r5, %r4, 5;
  ld.global.u32 %r6, [%d1];
  setp.eq.u32 %p0, %r6, %r5;
  @!%p0 trap;
  st.global.u32 [%d1], %r5;
  ret;
)");

std::string resuming(u32 how) {
  return R"(
.visible .func (.param .b32 how, .param .b32 seen) resuming()
.pragma "assist on=fault priority=high out=resume,count";
{
  .reg .u32 %r;
  mov.u32 %r, )" +
         std::to_string(how) + R"(;
  st.param.b32 [how], %r;
  mov.u32 %r, 1;
  st.param.b32 [seen], %r;
  ret;
}
)";
}

TEST_F(AssistFile, LetsWarpsGoOnBehindATrap) {
  const auto with = device(resuming(2));
  const Launched launched = launch(*with, kGuarded);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::completed) << launched.outcome.message;
  // All but the first warp trap, once each.
  EXPECT_EQ(launched.counted.resumed, kAll / 32 - 1);
  EXPECT_EQ(launched.counted.counted, kAll / 32 - 1);
}

TEST_F(AssistFile, EndsTheLaunchWhereAFaultComesAgain) {
  const auto with = device(resuming(1));
  const Launched launched = launch(*with, kGuarded);
  EXPECT_EQ(launched.outcome.status, exec::LaunchStatus::trap);
  EXPECT_GT(launched.counted.resumed, 0u);
}

TEST_F(AssistFile, EndsTheLaunchWhereNobodySaysHowToGoOn) {
  const auto with = device(resuming(0));
  EXPECT_EQ(launch(*with, kGuarded).outcome.status, exec::LaunchStatus::trap);
}

constexpr const char* kMapping = R"(
.visible .func (.param .b64 page) mapping(.param .b64 address)
.pragma "assist on=fault priority=high in=address out=map";
{
  .reg .u64 %d;
  ld.param.b64 %d, [address];
  st.param.b64 [page], %d;
  ret;
}
)";

// Each thread adds its number to the word of memory that only the host has; the address is in the first words of the array.
const std::string kUsesHostMemory = std::string(kHead) + kernelOf("work", R"(
  ld.global.u64 %d2, [%d0];
  mul.wide.u32 %d3, %r4, 64;
  add.u64 %d2, %d2, %d3;
  ld.global.u32 %r5, [%d2];
  add.u32 %r5, %r5, %r4;
  st.global.u32 [%d2], %r5;
  ret;
)");

class MappedAtFaults : public AssistFile {
 protected:
  static constexpr u64 kBytes = u64{kAll} * 64;
  void SetUp() override {
    memory_ = static_cast<u32*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(memory_, MAP_FAILED);
  }
  void TearDown() override { munmap(memory_, kBytes); }

  struct Mapped {
    u64 cycles = 0, mapped = 0;
    exec::LaunchStatus status{};
  };
  Mapped run(const std::string& routines, u64 address, u32 threads = 1, bool skip = true) {
    std::fill_n(memory_, kBytes / 4, 7);
    machines::TimingOptions options;
    options.threads = threads;
    options.skip = skip;
    const auto with = device(routines, options);
    const runtime::Module& module = with->loadModule(kUsesHostMemory, "work.ptx");
    const GlobalAddress array = *with->memory().allocate(64, exec::AllocationKind::device);
    std::memcpy(exec::GlobalMemory::hostPointer(array), &address, 8);
    runtime::Launch launch;
    launch.module = &module;
    launch.kernel = &module.loaded->program.functions.at(module.loaded->program.functions.at(0).isKernel ? 0 : 1);
    launch.grid = {kBlocks, 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.parameters.resize(8);
    const u64 parameter = array;
    std::memcpy(launch.parameters.data(), &parameter, 8);
    const runtime::LaunchOutcome outcome = with->launch(launch);
    u64 pages = 0;
    for (const exec::Allocation& each : with->memory().live()) pages += each.kind == exec::AllocationKind::host;
    return {outcome.nanoseconds, pages, outcome.status};
  }
  u64 host() const { return reinterpret_cast<u64>(memory_); }

  u32* memory_ = nullptr;
};

TEST_F(MappedAtFaults, MemoryOfTheHostServesKernels) {
  const Mapped mapped = run(kMapping, host());
  EXPECT_EQ(mapped.status, exec::LaunchStatus::completed);
  EXPECT_EQ(mapped.mapped, kBytes / 4096);
  for (u32 thread = 0; thread < kAll; ++thread) ASSERT_EQ(memory_[thread * 16], 7 + thread);
  EXPECT_GT(mapped.cycles, Settings{}.mapLatency / 2) << "nanoseconds, at 1.4 GHz";
}

TEST_F(MappedAtFaults, AllIsTheSameAtAnyNumberOfThreads) {
  const Mapped one = run(kMapping, host());
  for (const bool skip : {true, false}) {
    const Mapped other = run(kMapping, host(), 3, skip);
    EXPECT_EQ(other.cycles, one.cycles);
    EXPECT_EQ(other.mapped, one.mapped);
  }
}

TEST_F(MappedAtFaults, WhatTheHostHasNotIsOutOfBounds) {
  constexpr u64 kNowhere = u64{1} << 46;
  EXPECT_EQ(run(kMapping, kNowhere).status, exec::LaunchStatus::illegalAddress);
  EXPECT_EQ(run("", host()).status, exec::LaunchStatus::illegalAddress) << "without a routine";
}

TEST_F(AssistFile, LatenciesOfTimersAreCounted) {
  for (const char* priority : {"high", "normal", "low"}) {
    const std::string name = std::string("tick") + priority[0];
    const Ran ran =
        assist_tests::run(withAssistWarps(fermi()), std::string(kWork) + "\n.visible .func " + name +
                                                        "()\n.pragma \"assist on=timer:50 priority=" + priority + "\";\n{\n  ret;\n}\n");
    const RoutineStatistics& counted = ran.routines.at("assist_routine_" + name);
    EXPECT_GT(counted.toFirst.count(), 0u) << priority;
    EXPECT_LE(counted.toEnd.count(), counted.toFirst.count());
    EXPECT_GE(counted.toFirst.sum(), counted.toFirst.count()) << "what is staged in a cycle issues in the next at the earliest";
    EXPECT_GE(counted.toEnd.mean().value(), counted.toFirst.mean().value() / 2);
  }
}

TEST_F(AssistFile, OnlyFaultsAreResumed) {
  EXPECT_NE(refusal(R"(
.visible .func (.param .b32 how) wrong()
.pragma "assist on=store priority=high out=resume";
{
  ret;
}
)")
                .find("nothing is to be resumed"),
            std::string::npos);
}

}  // namespace
}  // namespace warpwright::assist_tests
