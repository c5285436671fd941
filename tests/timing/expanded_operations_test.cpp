// Operations that a GPU's assembler writes as several instructions: their scheduler is taken for as many cycles.
#include <gtest/gtest.h>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::second;
using testing::TimedMachine;

// One scheduler, whose divisions follow each other in their pipe without a gap.
Machine machineWith(u32 issues) {
  Machine machine = fermi();
  machine.schedulersPerSm = 1;
  machine.sm.sfu = {1, 32};
  machine.sm.divide32 = {45, 1, issues};
  return machine;
}

isa::Program divisions(u32 count) {
  return testing::twice([&](Assembler& code) {
    for (u32 i = 0; i < count; ++i) code.emit(Opcode::div, DataType::f32, {R(4 + i)}, {imm(1), imm(2)});
  });
}

u64 cyclesOfEight(u32 issues, bool skip = true) {
  machines::TimingOptions options;
  options.skip = skip;
  TimedMachine machine(machineWith(issues), options);
  machine.run(divisions(8), {1}, {32});
  return second(machine, kBegin + 7).issued - second(machine, kBegin).issued;
}

TEST(ExpandedOperations, TakeTheirScheduler) {
  EXPECT_EQ(cyclesOfEight(10), 70u);
  EXPECT_EQ(cyclesOfEight(10, false), 70u) << "without skipping";
  EXPECT_LT(cyclesOfEight(1), 30u);
}

// Another warp of the scheduler waits as long, one of another scheduler does not.
TEST(ExpandedOperations, KeepOtherWarpsOfTheirScheduler) {
  const auto cycles = [](u32 schedulers, u32 issues) {
    Machine config = machineWith(issues);
    config.schedulersPerSm = schedulers;
    config.sm.sfu.count = schedulers;
    TimedMachine machine(config);
    machine.run(divisions(8), {1}, {64});
    return std::max(second(machine, kBegin + 7, 0).issued, second(machine, kBegin + 7, 1).issued) -
           std::min(second(machine, kBegin, 0).issued, second(machine, kBegin, 1).issued);
  };
  EXPECT_GE(cycles(1, 10), 150u);
  EXPECT_LE(cycles(2, 10), 100u);
}

TEST(ExpandedOperations, AreWhatTheSchedulerIsBusyWith) {
  const auto slotsWith = [](u32 issues) {
    TimedMachine machine(machineWith(issues));
    return machine.run(divisions(8), {1}, {32}).stats.sm.slots;
  };
  const auto one = slotsWith(1), ten = slotsWith(10);
  EXPECT_EQ(one[sm::Slot::issued], ten[sm::Slot::issued]) << "an instruction is one";
  EXPECT_GE(ten[sm::Slot::computeStructural] - one[sm::Slot::computeStructural], 2u * 7 * 9);
}

}  // namespace
}  // namespace warpwright
