// Assist warps on the timed machine: what each priority promises, and what is staged when.
#include <gtest/gtest.h>

#include "assist_programs.hpp"

namespace warpwright::assist_tests {
namespace {

TEST(AssistWarps, OfHighPriorityCountEveryStoreOfZero) {
  const Ran without = run(fermi(2), kWork);
  const Ran with = run(withAssistWarps(fermi(2)), kWork + countingZeros("assist on=store priority=high in=value out=count"));
  EXPECT_EQ(with.memory, without.memory) << "the program's results";
  EXPECT_GT(zerosStored(with.memory), 100u);
  EXPECT_EQ(with.counted.counted, zerosStored(with.memory));
  EXPECT_EQ(with.counted.deployedHigh, kStores);
  EXPECT_EQ(with.counted.wordsIn, kStores);
  EXPECT_EQ(with.routines.at("assist_routine_countZeros").counted, with.counted.counted);
  EXPECT_GT(with.result.cycles, without.result.cycles);
}

// Between a store and the warp's next instruction lies the whole routine.
TEST(AssistWarps, OfHighPriorityComeBeforeTheirWarp) {
  Machine machine = fermi();
  machine.schedulersPerSm = 2;
  const Ran ran = run(withAssistWarps(machine), kWork + countingZeros("assist on=store priority=high in=value out=count"));
  const u64 each = ran.counted.instructions / ran.counted.deployed();
  std::map<u32, u64> due;  // by slot: instructions of assist warps that come next
  u64 stores = 0;
  for (const Step& step : ran.steps) {
    u64& rest = due[step.what.slot];
    if (step.what.helper != Context::kParent) {
      ASSERT_GT(rest, 0u);
      --rest;
      continue;
    }
    EXPECT_EQ(rest, 0u) << "at " << step.issued;
    if (step.what.instruction->opcode != isa::Opcode::st) continue;
    rest = each;
    ++stores;
  }
  EXPECT_EQ(stores, kStores);
}

TEST(AssistWarps, OfLowPriorityTakeNoSlotThatAWarpCouldUse) {
  Picked picked;
  const Ran ran = run(withAssistWarps(fermi()), kWork + looping("assist on=store,load priority=low in=address", true), {}, &picked);
  u64 seen = 0;
  for (const Step& step : ran.steps) {
    if (step.what.helper == Context::kParent) continue;
    EXPECT_FALSE(picked.contains({0, step.issued})) << step.issued;
    ++seen;
  }
  EXPECT_GT(seen, 300u);
}

// Cycles in which assist warps issued, by slot of their warps; 99: all slots together.
std::map<u32, std::vector<u64>> issuesOf(const Ran& ran) {
  std::map<u32, std::vector<u64>> issues;
  for (const Step& step : ran.steps) {
    if (step.what.helper == Context::kParent) continue;
    issues[step.what.slot].push_back(step.issued);
    issues[99].push_back(step.issued);
  }
  for (auto& [slot, cycles] : issues) std::sort(cycles.begin(), cycles.end());
  return issues;
}
u64 shortestDistance(const std::vector<u64>& cycles) {
  u64 least = ~u64{0};
  for (std::size_t i = 1; i < cycles.size(); ++i) least = std::min(least, cycles[i] - cycles[i - 1]);
  return least;
}

// What is staged in a cycle issues in the next at the earliest, and its place is free in the one behind that.
TEST(AssistWarps, IssueOnlyWhatHasBeenStaged) {
  Machine machine = fermi();
  machine.schedulersPerSm = 2;
  const auto narrow = [](Settings& settings) { settings.warpEntries = settings.lowEntries = 1; };
  for (const std::string priority : {"high", "normal", "low"}) {
    const std::string code = kWork + countingZeros("assist on=store priority=" + priority + " in=value out=count");
    const Ran wide = run(withAssistWarps(machine), code), one = run(withAssistWarps(machine, narrow), code);
    const auto issues = issuesOf(one);
    for (const auto& [slot, cycles] : issues) {
      if (slot == 99 && priority != "low") continue;
      EXPECT_GE(shortestDistance(cycles), 2u) << priority << " in " << slot;
    }
    EXPECT_GE(one.counted.unstaged, one.counted.instructions - one.counted.ended) << priority;
    EXPECT_LT(shortestDistance(issuesOf(wide).at(99)), 2u) << priority;
  }
}

// The loop goes back nine times, each time from the instruction before one that is staged already.
TEST(AssistWarps, DropWhatIsStagedBehindAJump) {
  const Ran ran = run(withAssistWarps(fermi()), kWork + looping("assist on=atomic priority=high"));
  EXPECT_GT(ran.counted.flushed, 0u);
  EXPECT_LE(ran.counted.flushed, 9 * ran.counted.deployedHigh);
}

TEST(AssistWarps, WaitLongerForANarrowerDecoder) {
  Machine machine = fermi();
  machine.schedulersPerSm = 2;
  const std::string code = kWork + countingZeros("assist on=store priority=high in=value out=count");
  const auto unstaged = [&](u32 width) {
    const Ran ran = run(withAssistWarps(machine, [width](Settings& settings) { settings.width = width; }), code);
    EXPECT_LE(ran.counted.staged, width * ran.result.cycles);
    return ran.counted.unstaged;
  };
  EXPECT_GT(unstaged(1), unstaged(4));
}

TEST(AssistWarps, WithoutARoutineAreTheBaselineToTheBit) {
  const Machine machine = fermi(2);
  const std::string plain = run(machine, kWork).counters;
  EXPECT_EQ(run(withAssistWarps(machine), kWork).counters, plain);
  EXPECT_EQ(run(withAssistWarps(machine), kWork + looping("assist on=load kernel=other")).counters, plain) << "of another kernel";
  const auto none = [](Settings& settings) { settings.only = "nothing"; };
  EXPECT_EQ(run(withAssistWarps(machine, none), kWork + looping("assist on=load")).counters, plain) << "none is enabled";
  const std::string reading = "assist priority=high in=reg:%d1 on=line" + lineOf(kWork, "add.u32 %r7");
  EXPECT_EQ(run(withAssistWarps(machine, none), kWork + looping(reading, true)).counters, plain) << "nor are registers read";
}

TEST(AssistWarps, ThatAreSpeculativeDoNotFault) {
  for (const std::string priority : {"high", "normal", "low"}) {
    const Ran ran = run(withAssistWarps(fermi(2)), kWork + looping("assist on=load priority=" + priority));
    EXPECT_EQ(ran.memory, run(fermi(2), kWork).memory) << priority;
    EXPECT_GT(ran.counted.deployed(), 0u) << priority;
  }
}

}  // namespace
}  // namespace warpwright::assist_tests
