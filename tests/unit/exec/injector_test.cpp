// Faults that are injected: where a seed says, one bit each, and nowhere else.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "assembler.hpp"

namespace warpwright::exec {
namespace {

using testing::Assembler;
using testing::imm;
using testing::R;

constexpr u32 kThreads = 64, kBlocks = 4;

// Each thread stores its number, through shared memory.
isa::Program numbers() {
  Assembler a;
  a.globalThread(2);
  a.special(4, isa::SpecialRegister::tid_x);
  a.emit(isa::Opcode::mul_lo, isa::DataType::u32, {R(4)}, {R(4), imm(4)});
  a.store(isa::Space::shared, isa::DataType::u32, R(4), R(2)).modifiers.wordAddress = true;
  a.load(isa::Space::shared, isa::DataType::u32, 5, R(4)).modifiers.wordAddress = true;
  a.elementAddress(6, 0, R(2));
  a.store(isa::Space::global, isa::DataType::u32, R(6), R(5));
  a.exit();
  isa::Function& kernel = a.function("numbers");
  kernel.registers = 8;
  kernel.parameterBytes = 8;
  kernel.sharedBytes = kThreads * 4;
  return a.program;
}

struct Injected {
  LaunchResult result;
  std::vector<u32> stored;
};

Injected runWith(const InjectionPlan* plan, u64 launch = 1) {
  testing::Runner runner;
  u32* const out = runner.array<u32>(kThreads * kBlocks);
  runner.pass(out);
  runner.request.injection = plan;
  runner.request.gridId = launch;
  LaunchResult result = runner.run(numbers(), {kBlocks, 1, 1}, {kThreads, 1, 1});
  return {std::move(result), {out, out + kThreads * kBlocks}};
}

u32 bitsThatDiffer(const std::vector<u32>& a, const std::vector<u32>& b) {
  u32 bits = 0;
  for (std::size_t i = 0; i < a.size(); ++i) bits += static_cast<u32>(std::popcount(a[i] ^ b[i]));
  return bits;
}

InjectionPlan choosing(u64 count, InjectionTarget target = InjectionTarget::result) {
  InjectionPlan plan;
  plan.targets = static_cast<u8>(1 << static_cast<u32>(target));
  plan.choose = count;
  return plan;
}

InjectionPlan at(const InjectionPoint& point) {
  InjectionPlan plan;
  plan.at = {point};
  return plan;
}

TEST(Injector, ChoosesPlacesWithoutInjecting) {
  const InjectionPlan plan = choosing(40);
  const Injected chosen = runWith(&plan);
  EXPECT_EQ(chosen.stored, runWith(nullptr).stored);
  EXPECT_TRUE(chosen.result.injection.faults.empty());
  std::set<InjectionPoint> points;
  for (const InjectionCandidate& each : chosen.result.injection.candidates) points.insert(each.at);
  EXPECT_EQ(points.size(), 40u);
}

TEST(Injector, InjectsOneFaultWhereItIsTold) {
  const InjectionPlan plan = choosing(40);
  const Injected golden = runWith(nullptr);
  for (const InjectionCandidate& each : runWith(&plan).result.injection.candidates) {
    const InjectionPlan one = at(each.at);
    const Injected injected = runWith(&one);
    ASSERT_EQ(injected.result.injection.faults.size(), 1u);
    EXPECT_EQ(injected.result.injection.faults[0].at, each.at);
    EXPECT_EQ(runWith(&one).stored, injected.stored) << "the same bit each time";
  }
}

// What is loaded from shared memory is stored as it is: a bit there is one in the result.
TEST(Injector, FlipsOneBitOfAResult) {
  const Injected golden = runWith(nullptr);
  constexpr u64 kLoad = 7;  // of the results of a warp
  const InjectionPlan one = at({1, 2, 1, InjectionTarget::result, kLoad});
  const Injected injected = runWith(&one);
  const InjectedFault& fault = injected.result.injection.faults.at(0);
  EXPECT_EQ(fault.place, 5u) << "the register";
  EXPECT_EQ(bitsThatDiffer(golden.stored, injected.stored), 1u);
  const u32 number = 2 * kThreads + fault.thread;
  EXPECT_GE(fault.thread, 32u);
  EXPECT_EQ(injected.stored[number], golden.stored[number] ^ u32{1} << fault.bit);
}

// Of the register that is stored, when the store issues: bits that were set are cleared, and others set.
TEST(Injector, FlipsOneBitOfARegister) {
  const Injected golden = runWith(nullptr);
  constexpr u64 kStore = 10;  // of the instructions of a warp, before the last one
  u32 set = 0, cleared = 0;
  for (u64 seed = 1; seed < 400; ++seed) {
    InjectionPlan one = at({1, 2, 1, InjectionTarget::reg, kStore});
    one.seed = seed;
    const Injected injected = runWith(&one);
    const InjectedFault& fault = injected.result.injection.faults.at(0);
    if (fault.place != 5) continue;
    const u32 number = 2 * kThreads + fault.thread;
    ASSERT_EQ(injected.stored[number], golden.stored[number] ^ u32{1} << fault.bit) << seed;
    ASSERT_EQ(bitsThatDiffer(golden.stored, injected.stored), 1u) << seed;
    ++(injected.stored[number] > golden.stored[number] ? set : cleared);
  }
  EXPECT_GT(set, 0u);
  EXPECT_GT(cleared, 0u);
}

TEST(Injector, FlipsOneBitOfMemory) {
  const Injected golden = runWith(nullptr);
  // The last instruction of the last warp: what is in global memory has been stored.
  const InjectionPlan one = at({1, kBlocks - 1, kThreads / 32 - 1, InjectionTarget::global, 11});
  const Injected injected = runWith(&one);
  ASSERT_EQ(injected.result.injection.faults.size(), 1u);
  EXPECT_EQ(bitsThatDiffer(golden.stored, injected.stored), 1u);
}

// In shared memory, where no fault ends a launch before its time.
TEST(Injector, HitsAsOftenAsTheRateSays) {
  InjectionPlan plan;
  plan.targets = 1 << static_cast<u32>(InjectionTarget::shared);
  plan.rate = 0.002;
  constexpr u32 kInstructions = 12;  // of a thread
  u64 faults = 0;
  constexpr u64 kLaunches = 50;
  for (u64 launch = 1; launch <= kLaunches; ++launch) faults += runWith(&plan, launch).result.injection.faults.size();
  const double expected = plan.rate * kInstructions * kThreads * kBlocks * kLaunches;
  EXPECT_NEAR(static_cast<double>(faults), expected, 4 * std::sqrt(expected));
}

TEST(Injector, GivesOtherSeedsOtherFaults) {
  InjectionPlan one = choosing(20), other = choosing(20);
  other.seed = 2;
  EXPECT_NE(runWith(&one).result.injection.candidates, runWith(&other).result.injection.candidates);
  EXPECT_EQ(runWith(&one).result.injection.candidates, runWith(&one).result.injection.candidates);
}

TEST(Injector, LeavesOtherLaunchesAlone) {
  const InjectionPlan one = at({2, 0, 0, InjectionTarget::result, 3});
  EXPECT_EQ(runWith(&one, 1).stored, runWith(nullptr).stored);
  EXPECT_TRUE(runWith(&one, 1).result.injection.faults.empty());
}

}  // namespace
}  // namespace warpwright::exec
