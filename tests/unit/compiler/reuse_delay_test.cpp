#include "compiler/reuse_delay.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;

MachineInstruction& access(MachineBuilder& b, Opcode opcode, isa::Space space, Operand data, Operand address) {
  const bool loads = opcode == Opcode::ld;
  MachineInstruction& result =
      loads ? b.emit(opcode, DataType::u32, {data}, {address}) : b.emit(opcode, DataType::u32, {}, {address, data});
  result.modifiers.space = space;
  return result;
}

// Independent additions: one a cycle.
void fill(MachineBuilder& b, u32 count) {
  const Operand x = b.word();
  for (u32 i = 0; i < count; ++i) b.add(b.word(), x, b.number(i));
}

// How many instructions later the register of a value that instruction 0 is the last to read is free.
u32 delayOfFirst(const MachineBuilder& b) { return reuseDelays(b.function, buildControlFlow(b.function))[1] / 2; }

TEST(ReuseDelay, AsMeasuredForEachKindOfAccess) {
  const auto delay = [](Opcode opcode, isa::Space space) {
    MachineBuilder b;
    access(b, opcode, space, b.word(), b.pair());
    fill(b, 40);
    return delayOfFirst(b);
  };
  EXPECT_EQ(delay(Opcode::ld, isa::Space::global), 11u);
  EXPECT_EQ(delay(Opcode::ld, isa::Space::shared), 9u);
  EXPECT_EQ(delay(Opcode::ld, isa::Space::constant), 29u);
  EXPECT_EQ(delay(Opcode::st, isa::Space::global), 14u);
  EXPECT_EQ(delay(Opcode::st, isa::Space::shared), 12u);
}

TEST(ReuseDelay, AVectorStoreTakesLonger) {
  MachineBuilder b;
  access(b, Opcode::st, isa::Space::global, b.vector(4), b.pair()).vector = 4;
  fill(b, 40);
  EXPECT_EQ(delayOfFirst(b), 20u);
}

TEST(ReuseDelay, InstructionsOfFixedLatencyReadAtOnce) {
  MachineBuilder b;
  fill(b, 40);
  EXPECT_EQ(delayOfFirst(b), 0u) << "free for the result itself";
}

TEST(ReuseDelay, TimePassesWhileInstructionsWait) {
  MachineBuilder b;
  const Operand first = b.pair(), second = b.word();
  access(b, Opcode::ld, isa::Space::global, second, first);
  b.add(b.word(), second, b.number(1));
  fill(b, 40);
  EXPECT_EQ(delayOfFirst(b), 1u) << "the addition issues when the load is back";
}

TEST(ReuseDelay, EndsWithTheBlock) {
  MachineBuilder b;
  access(b, Opcode::ld, isa::Space::global, b.word(), b.pair());
  fill(b, 3);
  const u32 next = b.label();
  b.bind(next);
  fill(b, 40);
  b.branch(next);
  EXPECT_EQ(delayOfFirst(b), 4u);
}

}  // namespace
}  // namespace warpwright::compiler
