#include "sampling/sampler.hpp"

#include <gtest/gtest.h>

namespace warpwright::sampling {
namespace {

// A launch of so many instructions that stores to a word.
struct ExecutedLaunch {
  explicit ExecutedLaunch(u64 instructions) {
    program.program.sourceName = "app.ptx";
    program.program.code.resize(1);
    kernel.name = "kernel";
    kernel.isKernel = true;
    kernel.end = Pc{1};
    program.program.functions = {kernel};
    auto made = std::make_shared<exec::Launch>();
    made->program = &program;
    made->kernel = &kernel;
    request.launch = made;
    result.warpInstructions = instructions;
    result.counts = {{instructions, 0, 0}};
  }

  void store(exec::Observer& observer, u32 value) {
    std::array<u64, kMaxWarpSize> addresses{reinterpret_cast<u64>(&word)};
    exec::MemoryEvent event;
    event.mask = LaneMask::of(0);
    event.bytesPerLane = 4;
    event.isStore = true;
    event.addresses = addresses.data();
    observer.memory(event);
    word = value;
  }

  exec::LoadedProgram program;
  isa::Function kernel;
  exec::LaunchRequest request;
  exec::LaunchResult result;
  u32 word = 0;
};

class Counting : public exec::Observer {
 public:
  void memory(const exec::MemoryEvent&) override { ++accesses; }
  u32 accesses = 0;
};

TEST(Sampler, PutsBackWhatItTimesAndKeepsTheRest) {
  Sampler sampler(0.03, {}, 100);
  ExecutedLaunch launch(1000);
  Counting others;
  for (u32 number = 1; number <= 6; ++number) {
    ASSERT_TRUE(sampler.canExecuteFirst(launch.request));
    const u32 before = launch.word;
    launch.store(sampler.listen(launch.request, &others), before + 1);
    const bool isTimed = sampler.mustTime(launch.request, launch.result, {});
    EXPECT_EQ(isTimed, number <= 3) << number;
    if (isTimed) sampler.putBack();
    EXPECT_EQ(launch.word, isTimed ? before : before + 1);
    ASSERT_EQ(sampler.lines().size(), 1u);
    EXPECT_EQ(sampler.lines()[0].stored, sampler.lines()[0].touched);
    EXPECT_EQ(sampler.blockEvents(), (std::vector<u64>{2}));
    if (isTimed) {
      sampler.timed({500}, 1000);
    } else {
      EXPECT_DOUBLE_EQ(sampler.predicted().value, 500);
    }
    sampler.forgetLaunch();
  }
  EXPECT_EQ(others.accesses, 6u);
  EXPECT_EQ(sampler.all().launches, 6u);
  EXPECT_EQ(sampler.all().timed, 3u);
  EXPECT_DOUBLE_EQ(sampler.all().cycles.value, 3000);
}

// Launches that were timed behind others which were not take something else than they would have: what, is known of those timed both ways.
TEST(Sampler, AddsWhatItMattersThatOthersWereNotTimed) {
  Sampler sampler(0.03, {}, 100);
  ExecutedLaunch launch(1000);
  Counting others;
  const auto execute = [&](bool times, Begin begin) {
    sampler.listen(launch.request, &others);
    sampler.mustTime(launch.request, launch.result, {});
    if (times) sampler.timed({500}, 1000, begin);
    sampler.forgetLaunch();
  };
  for (u32 i = 0; i < 3; ++i) execute(true, Begin::behindTimed);
  EXPECT_FALSE(sampler.isStateCheckDue());
  EXPECT_DOUBLE_EQ(sampler.all().cycles.value, 1500);
  EXPECT_TRUE(sampler.all().cycles.isExact());
  for (u32 i = 0; i < 6; ++i) execute(false, {});
  execute(true, Begin::recalled);
  EXPECT_TRUE(sampler.isStateCheckDue());
  EXPECT_DOUBLE_EQ(sampler.all().cycles.value, 5000) << "not known yet";
  sampler.stateChecked(500, 510);
  sampler.stateChecked(500, 510);
  EXPECT_FALSE(sampler.isStateCheckDue());
  // One of four timed launches was recalled, and as many of the six that follow from them.
  EXPECT_DOUBLE_EQ(sampler.all().cycles.value, 5000 + 10 * (1 + 6 / 4.0) / 2);
  EXPECT_DOUBLE_EQ(sampler.of("kernel", "app.ptx").cycles.value, sampler.all().cycles.value);
}

TEST(Sampler, AddsWhatWasTimedInFull) {
  Sampler sampler(0.03, {}, 100);
  ExecutedLaunch launch(1000);
  Counting others;
  sampler.listen(launch.request, &others);
  ASSERT_TRUE(sampler.mustTime(launch.request, launch.result, {}));
  sampler.timed({500}, 1000);
  sampler.timedInFull(launch.request, launch.result, {700});
  ExecutedLaunch allocating(10);
  allocating.kernel.name = "other";
  allocating.program.number = 1;
  allocating.program.program.code[0].opcode = isa::Opcode::syscall;
  allocating.program.program.code[0].target = static_cast<u32>(isa::SystemCall::malloc);
  EXPECT_FALSE(sampler.canExecuteFirst(allocating.request));
  sampler.timedInFull(allocating.request, allocating.result, {70});
  const Sampled kernel = sampler.of("kernel", "app.ptx");
  EXPECT_EQ(kernel.launches, 2u);
  EXPECT_EQ(kernel.besideOthers, 1u);
  EXPECT_EQ(kernel.warpInstructions, 2000u);
  EXPECT_DOUBLE_EQ(kernel.cycles.value, 1200);
  EXPECT_EQ(sampler.of("other", "app.ptx").notReplayable, 1u);
  EXPECT_DOUBLE_EQ(sampler.all().cycles.value, 1270);
  EXPECT_TRUE(sampler.all().cycles.isExact());
}

}  // namespace
}  // namespace warpwright::sampling
