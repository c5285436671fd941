#include "compiler/access_joining.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::Space;

struct AccessJoining : ::testing::Test {
  // A multiple of 2^zeroBits that nothing else is known of.
  Operand base(u32 zeroBits) {
    const Operand thread = b.word(), result = b.word();
    b.emit(Opcode::s2r, DataType::u32, {thread}, {}).modifiers.special = isa::SpecialRegister::tid_x;
    b.emit(Opcode::shl, DataType::u32, {result}, {thread, MachineBuilder::number(zeroBits)});
    return result;
  }
  MachineInstruction& load(const Operand& from, s64 offset, Space space = Space::shared) {
    return access(b.emit(Opcode::ld, DataType::f32, {b.word()}, {from}), offset, space);
  }
  MachineInstruction& store(const Operand& to, s64 offset, const Operand& value, Space space = Space::shared) {
    return access(b.emit(Opcode::st, DataType::f32, {}, {to, value}), offset, space);
  }
  // offset:vector of every access that is left, in the order of the code.
  std::string accesses() const {
    std::string text;
    for (const MachineInstruction& instruction : b.function.code)
      if (instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st)
        text += (text.empty() ? "" : " ") + std::to_string(instruction.offset) + ":" + std::to_string(instruction.vector);
    return text;
  }

  MachineBuilder b;

 private:
  static MachineInstruction& access(MachineInstruction& instruction, s64 offset, Space space) {
    instruction.offset = offset;
    instruction.modifiers.space = space;
    instruction.modifiers.wordAddress = true;
    return instruction;
  }
};

TEST_F(AccessJoining, FourAlignedLoadsInAnyOrderBecomeOneAtTheFirst) {
  const Operand from = base(4);
  for (const s64 offset : {20, 16, 28, 24}) load(from, offset);
  EXPECT_TRUE(joinAccesses(b.function));
  EXPECT_EQ(accesses(), "16:4");
  EXPECT_EQ(b.function.code[2].opcode, Opcode::ld);
  EXPECT_EQ(std::count_if(b.function.code.begin(), b.function.code.end(), [](const auto& i) { return i.opcode == Opcode::mov; }), 4);
}

TEST_F(AccessJoining, TheBaseBoundsTheWidth) {
  const Operand pairs = base(3), words = base(2);
  for (s64 offset = 0; offset < 16; offset += 4) load(pairs, offset);
  for (s64 offset = 0; offset < 16; offset += 4) load(words, offset);
  joinAccesses(b.function);
  EXPECT_EQ(accesses(), "0:2 8:2 0:1 4:1 8:1 12:1");
}

TEST_F(AccessJoining, TheOffsetBoundsTheWidth) {
  const Operand from = base(4);
  for (s64 offset = 4; offset < 20; offset += 4) load(from, offset);
  joinAccesses(b.function);
  EXPECT_EQ(accesses(), "4:1 8:2 16:1");
}

TEST_F(AccessJoining, BytesThatNobodyReadsAreNotLoaded) {
  const Operand from = base(4);
  for (const s64 offset : {0, 4, 12}) load(from, offset);
  joinAccesses(b.function);
  EXPECT_EQ(accesses(), "0:2 12:1");
}

TEST_F(AccessJoining, StoresBecomeOneAtTheLast) {
  const Operand to = base(4), value = b.word();
  b.move(value, MachineBuilder::number(1));
  store(to, 0, value);
  b.move(value, MachineBuilder::number(2));
  store(to, 4, value);
  EXPECT_TRUE(joinAccesses(b.function));
  EXPECT_EQ(accesses(), "0:2");
  EXPECT_EQ(b.function.code.back().opcode, Opcode::st);
}

TEST_F(AccessJoining, AStoreToTheSameMemoryKeepsLoadsApart) {
  const Operand from = base(4), value = b.word();
  b.move(value, MachineBuilder::number(1));
  load(from, 0);
  store(base(2), 0, value);
  load(from, 4);
  EXPECT_FALSE(joinAccesses(b.function));
}

TEST_F(AccessJoining, AStoreToOtherMemoryDoesNot) {
  const Operand from = base(4), value = b.word();
  b.move(value, MachineBuilder::number(1));
  load(from, 0);
  store(Operand{}, 0, value, Space::global);
  load(from, 4);
  EXPECT_TRUE(joinAccesses(b.function));
}

TEST_F(AccessJoining, ABarrierKeepsThemApart) {
  const Operand from = base(4);
  load(from, 0);
  b.emit(Opcode::bar_sync, DataType::u32, {}, {MachineBuilder::number(0)});
  load(from, 4);
  EXPECT_FALSE(joinAccesses(b.function));
}

TEST_F(AccessJoining, ABaseThatChangesKeepsThemApart) {
  const Operand from = base(4);
  load(from, 0);
  b.add(from, from, MachineBuilder::number(16));
  load(from, 4);
  EXPECT_FALSE(joinAccesses(b.function));
}

TEST_F(AccessJoining, GuardsMustBeTheSame) {
  const Operand from = base(4), p = b.predicate();
  b.compare(p, from, MachineBuilder::number(64));
  load(from, 0).guard = p;
  load(from, 4);
  EXPECT_FALSE(joinAccesses(b.function));
}

TEST_F(AccessJoining, ConstantMemoryIsReadInPairsAndGlobalMemoryAsItWasWritten) {
  const Operand from = base(4);
  for (s64 offset = 0; offset < 16; offset += 4) load(from, offset, Space::constant);
  for (s64 offset = 0; offset < 16; offset += 4) load(from, offset, Space::global);
  joinAccesses(b.function);
  EXPECT_EQ(accesses(), "0:2 8:2 0:1 4:1 8:1 12:1");
}

TEST_F(AccessJoining, VolatileAccessesStayAsTheyAre) {
  const Operand from = base(4);
  load(from, 0).modifiers.ordering = isa::Ordering::volatile_;
  load(from, 4).modifiers.ordering = isa::Ordering::volatile_;
  EXPECT_FALSE(joinAccesses(b.function));
}

}  // namespace
}  // namespace warpwright::compiler
