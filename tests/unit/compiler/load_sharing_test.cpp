#include "compiler/load_sharing.hpp"

#include <gtest/gtest.h>

#include "machine_builder.hpp"

namespace warpwright::compiler {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Operand;
using isa::Space;

class LoadSharing : public ::testing::Test {
 protected:
  LoadSharing() { b.emit(Opcode::mov, DataType::u64, {pointer}, {Operand::makeParam(0)}); }

  MachineInstruction& load(Operand to, s64 offset = 0, DataType type = DataType::f32) {
    MachineInstruction& result = b.emit(Opcode::ld, type, {to}, {pointer});
    result.modifiers.space = Space::global;
    result.offset = offset;
    return result;
  }
  Opcode last() const { return b.function.code.back().opcode; }

  MachineBuilder b;
  const Operand pointer = b.pair(), x = b.word(), y = b.word(), p = b.predicate();
};

TEST_F(LoadSharing, ARepetitionBecomesACopy) {
  load(x, 4);
  load(y, 4);
  EXPECT_TRUE(shareLoads(b.function));
  EXPECT_EQ(b.function.code[1].opcode, Opcode::ld);
  EXPECT_EQ(last(), Opcode::mov);
  EXPECT_EQ(b.function.code.back().type, DataType::u32);
  EXPECT_EQ(b.function.code.back().sources[0], x);
  EXPECT_EQ(b.function.code.back().offset, 0);
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, PairsAreCopiedWhole) {
  load(b.pair(), 8, DataType::f64);
  load(b.pair(), 8, DataType::f64);
  EXPECT_TRUE(shareLoads(b.function));
  EXPECT_EQ(b.function.code.back().type, DataType::u64);
}

TEST_F(LoadSharing, OtherBytesAreLoaded) {
  load(x, 4);
  load(y, 8);
  load(b.word(), 4, DataType::u8);
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, AWriteMayChangeThem) {
  load(x);
  b.store(x);
  load(y);
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, SoMayOtherThreadsBehindABarrier) {
  load(x);
  b.emit(Opcode::bar_sync, DataType::u32, {}, {b.number(0)});
  load(y);
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, OrderedLoadsAreLoads) {
  load(x).modifiers.ordering = isa::Ordering::volatile_;
  load(y).modifiers.ordering = isa::Ordering::volatile_;
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, LoadsThatFetchAgainAreLoads) {
  load(x).modifiers.cache = isa::CacheOp::cv;
  load(y).modifiers.cache = isa::CacheOp::cv;
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, SharedMemoryIsLeftAlone) {
  load(x).modifiers.space = Space::shared;
  load(y).modifiers.space = Space::shared;
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, AnotherBlockLoadsAgain) {
  const u32 next = b.label();
  load(x);
  b.branchIf(p, next);
  b.bind(next);
  load(y);
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, AGuardedLoadIsNotInAllLanes) {
  load(x).guard = p;
  load(y);
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, AGuardedRepetitionStaysGuarded) {
  load(x);
  load(y).guard = p;
  EXPECT_TRUE(shareLoads(b.function));
  EXPECT_EQ(last(), Opcode::mov);
  EXPECT_EQ(b.function.code.back().guard, p);
}

TEST_F(LoadSharing, AnAddressThatMovesOnIsAnotherOne) {
  load(x);
  b.emit(Opcode::add, DataType::s64, {pointer}, {pointer, b.number(4)});
  load(y);
  EXPECT_FALSE(shareLoads(b.function));
}

TEST_F(LoadSharing, AResultThatIsWrittenAgainIsLost) {
  load(x);
  b.move(x, b.number(0));
  load(y);
  EXPECT_FALSE(shareLoads(b.function));
}

}  // namespace
}  // namespace warpwright::compiler
