// Sub-cores: operands that are read in a window of cycles, and memory instructions that wait in a queue before the shared part.
#include <gtest/gtest.h>

#include "compiler/control_bits/control_bits.hpp"
#include "sm/instruction_info.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::fermi;
using testing::kBegin;
using testing::R;
using testing::second;
using testing::TimedMachine;
using testing::twice;

Machine subCore() {
  Machine machine = fermi();
  machine.sm.collectors = 0;
  machine.sm.registerBanks = 2;
  machine.sm.fp32 = {2, 32};
  return machine;
}

isa::Program withBitsFor(isa::Program program, const Machine& machine) {
  isa::IssueTiming timing = sm::issueTimingOf(machine.sm);
  if (machine.sm.operandCache) timing.operandBanks = 2;
  compiler::assignControlBits(program, timing);
  return program;
}

// Cycles of sixteen of many independent multiply-adds of these registers.
u64 cyclesOfSixteen(const Machine& config, u32 a, u32 b, u32 c) {
  config::validate(config);
  TimedMachine machine(config);
  const isa::Program program = twice([&](Assembler& code) {
    for (u32 i = 0; i < 64; ++i) code.emit(Opcode::fma, DataType::f32, {R(10 + i % 8)}, {R(a), R(b), R(c)});
  });
  machine.run(withBitsFor(program, config), {1}, {32});
  return second(machine, kBegin + 48).issued - second(machine, kBegin + 32).issued;
}

TEST(OperandWindow, ABankServesARegisterACycle) {
  Machine config = subCore();
  EXPECT_EQ(cyclesOfSixteen(config, 2, 4, 6), 16u) << "no window: ports limit nothing";
  config.sm.operandWindow = 3;
  EXPECT_EQ(cyclesOfSixteen(config, 2, 3, 5), 32u);
  EXPECT_EQ(cyclesOfSixteen(config, 2, 4, 6), 48u);
  config.sm.registerBankPorts = 2;
  EXPECT_EQ(cyclesOfSixteen(config, 2, 3, 5), 16u);
}

TEST(OperandWindow, OperandsThatStayNeedNoPort) {
  Machine config = subCore();
  config.sm.operandWindow = 3;
  config.sm.operandCache = true;
  for (const auto dependences : {config::Dependences::scoreboard, config::Dependences::controlBits}) {
    config.sm.dependences = dependences;
    EXPECT_EQ(cyclesOfSixteen(config, 2, 4, 6), 16u);
  }
}

// What an instruction is held, its result comes later, and who needs it issues later.
TEST(OperandWindow, AHeldInstructionHoldsItsConsumer) {
  for (const auto dependences : {config::Dependences::scoreboard, config::Dependences::controlBits}) {
    Machine config = subCore();
    config.sm.operandWindow = 3;
    config.sm.dependences = dependences;
    config::validate(config);
    TimedMachine machine(config);
    machine.run(withBitsFor(twice([](Assembler& code) {
                              code.emit(Opcode::fma, DataType::f32, {R(11)}, {R(2), R(4), R(6)});
                              code.emit(Opcode::fma, DataType::f32, {R(13)}, {R(2), R(4), R(6)});
                              code.emit(Opcode::fma, DataType::f32, {R(15)}, {R(13), R(3), R(5)});
                            }),
                            config),
                {1}, {32});
    const u64 held = 2;
    EXPECT_EQ(second(machine, kBegin + 1).issued, second(machine, kBegin).issued + 1);
    EXPECT_EQ(second(machine, kBegin + 1).completed - second(machine, kBegin + 1).issued, config.sm.fma32.latency + held);
    EXPECT_EQ(second(machine, kBegin + 2).issued, second(machine, kBegin + 1).completed);
  }
}

Machine queued() {
  Machine machine = subCore();
  machine.sm.subCoreQueue = 5;
  machine.sm.memoryQueue = 16;
  machine.sm.dependences = config::Dependences::controlBits;
  config::validate(machine);
  return machine;
}

// Loads from shared memory: there 9 cycles behind the issue, five at a time, then one in four cycles.
TEST(SubCoreQueue, LoadsWaitForAPlace) {
  const Machine config = queued();
  isa::Program program = twice([](Assembler& code) {
    for (u32 i = 0; i < 8; ++i) code.load(Space::shared, DataType::u32, 10 + i, R(4)).modifiers.wordAddress = true;
    for (u32 i = 0; i < 8; ++i) code.emit(Opcode::add, DataType::u32, {R(20)}, {R(20), R(10 + i)});
  });
  program.functions.front().sharedBytes = 128;
  TimedMachine machine(config);
  machine.run(withBitsFor(program, config), {1}, {32});
  const u64 expected[] = {0, 1, 2, 3, 4, 9, 13, 17};
  for (u32 i = 0; i < 8; ++i) {
    const testing::Step load = second(machine, kBegin + i);
    EXPECT_EQ(load.issued - second(machine, kBegin).issued, expected[i]) << i;
    EXPECT_EQ(load.dispatched - second(machine, kBegin).issued, 9 + 4 * i) << i;
  }
}

TEST(SubCoreQueue, OperandsAreFreeWhenTheyAreRead) {
  for (const bool isStore : {false, true}) {
    const Machine config = queued();
    isa::Program program = twice([&](Assembler& code) {
      isa::Instruction& access =
          isStore ? code.store(Space::shared, DataType::u32, R(4), R(8)) : code.load(Space::shared, DataType::u32, 8, R(4));
      access.modifiers.wordAddress = true;
      code.emit(Opcode::and_, DataType::u32, {R(4)}, {R(4), testing::imm(0)});
      code.emit(Opcode::add, DataType::u32, {R(9)}, {R(8), R(8)});
    });
    program.functions.front().sharedBytes = 128;
    TimedMachine machine(config);
    machine.run(withBitsFor(program, config), {1}, {32});
    EXPECT_EQ(second(machine, kBegin + 1).issued - second(machine, kBegin).issued, isStore ? 12u : 9u);
  }
}

}  // namespace
}  // namespace warpwright
