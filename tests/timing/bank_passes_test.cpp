// Passes over the banks of shared memory: what each adds to an access, beside what it takes of the banks.
#include <gtest/gtest.h>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using testing::fermi;
using testing::kBegin;
using testing::second;
using testing::sharedLoads;
using testing::Step;
using testing::TimedMachine;

// One scheduler and no operand collectors, so that the cycles of an access are those of shared memory and one to get there.
Machine withPassesOf(const Machine& machine) {
  Machine result = fermi();
  result.sm.collectors = 0;
  result.sm.sharedLatency = machine.sm.sharedLatency;
  result.sm.passLatency = machine.sm.passLatency;
  return result;
}

// data/hardware/h100/micro.csv: 23, 25, 29, 37, 53 and 85 cycles.
TEST(BankPasses, TakeWhatTheH100Measured) {
  const Machine h100 = config::loadMachine("h100");
  for (const auto& [stride, expected] : {std::pair{1u, 23u}, {2u, 25u}, {4u, 29u}, {8u, 37u}, {16u, 53u}, {32u, 85u}, {31u, 23u}}) {
    TimedMachine machine(withPassesOf(h100));
    machine.run(sharedLoads(stride), {1}, {32});
    const Step load = second(machine, kBegin + 2);
    EXPECT_EQ(load.completed - load.issued, expected) << "stride " << stride;
  }
}

// The banks are free for the next warp after a cycle a pass, however long an access waits for its own.
TEST(BankPasses, TheirLatencyTakesNothingOfTheBanks) {
  constexpr u32 kWarps = 8, kDegree = 16;
  const auto cyclesWith = [](u32 passLatency) {
    Machine config = fermi();
    config.sm.passLatency = passLatency;
    TimedMachine machine(config);
    const u64 cycles = machine.run(sharedLoads(kDegree), {1}, {kWarps * 32}).cycles;
    const u64 first = second(machine, kBegin + 2, 0).completed, last = second(machine, kBegin + 2, kWarps - 1).completed;
    EXPECT_EQ(last - first, (kWarps - 1) * kDegree) << passLatency;
    return cycles;
  };
  // Of a round, what comes last waits for its own passes alone.
  const u64 more = cyclesWith(3) - cyclesWith(1), ofOneAccess = 2 * (kDegree - 1);
  EXPECT_GE(more, ofOneAccess);
  EXPECT_LE(more, 2 * ofOneAccess);
}

// Loads and stores whose guard lets no lane execute them.
isa::Program idleAccesses(u32 count) {
  isa::Program program = testing::twice([&](testing::Assembler& code) {
    code.compare(1, isa::Compare::gt, isa::DataType::u32, testing::R(0), testing::imm(99));
    for (u32 i = 0; i < count; ++i) {
      code.load(isa::Space::shared, isa::DataType::u32, 4, testing::imm(0)).guard = testing::P(1);
      code.store(isa::Space::shared, isa::DataType::u32, testing::imm(0), testing::R(5)).guard = testing::P(1);
    }
  });
  program.functions.front().sharedBytes = 128;
  return program;
}

TEST(BankPasses, AccessesOfNoLaneTakeOneWhereTheMachineSaysSo) {
  constexpr u32 kCount = 8, kRounds = 2, kWarps = 4;
  const auto passesWith = [](bool idlePass) {
    Machine config = fermi();
    config.sm.sharedIdlePass = idlePass;
    TimedMachine machine(config);
    return machine.run(idleAccesses(kCount), {1}, {kWarps * 32}).stats.sm.loadStore.sharedPasses;
  };
  EXPECT_EQ(passesWith(true), kWarps * kRounds * 2 * kCount);
  EXPECT_EQ(passesWith(false), 0u);
}

TEST(BankPasses, PassesOfOneCycleWaitForNothing) {
  Machine config = fermi();
  config.sm.sharedPorts = 4;
  config.sm.passLatency = 5;
  TimedMachine machine(config);
  machine.run(sharedLoads(4), {1}, {32});
  const Step load = second(machine, kBegin + 2);
  EXPECT_EQ(load.completed - load.issued, config::cyclesToPipe(config.sm) + config.sm.sharedLatency);
}

TEST(BankPasses, SkippingChangesNothing) {
  const auto cyclesWith = [](bool skip) {
    machines::TimingOptions options;
    options.skip = skip;
    Machine config = fermi();
    config.sm.passLatency = 7;
    TimedMachine machine(config, options);
    return machine.run(sharedLoads(8), {4}, {96}).cycles;
  };
  EXPECT_EQ(cyclesWith(true), cyclesWith(false));
}

}  // namespace
}  // namespace warpwright
