// Bookings of operand collectors, register banks, pipes and write-back ports, counted by hand.
#include "sm/backend.hpp"

#include <gtest/gtest.h>

namespace warpwright::sm {
namespace {

config::Sm small() {
  config::Sm sm;
  sm.registerBanks = 4;
  sm.collectors = 2;
  sm.writeBackPorts = 1;
  sm.integer = sm.fp32 = sm.sfu = {1, 32};
  return sm;
}

InstructionInfo instruction(std::initializer_list<u8> reads, std::initializer_list<u8> writes = {}, u32 interval = 1,
                            isa::Unit unit = isa::Unit::integer) {
  InstructionInfo info;
  info.unit = unit;
  info.interval = interval;
  for (const u8 number : reads) info.reads[info.readCount++] = number;
  for (const u8 number : writes) info.writes[info.writeCount++] = number;
  return info;
}

TEST(Backend, OperandsOfDifferentBanksAreReadTogether) {
  Backend backend(small());
  EXPECT_EQ(backend.dispatch(instruction({0, 1, 2}), SlotId{0}, {10}), Cycle{12});  // read in 11
  EXPECT_EQ(backend.stats().operandReads, 3u);
  EXPECT_EQ(backend.stats().readConflicts, 0u);
}

TEST(Backend, CountsForWhichPipesInstructionsWait) {
  Backend backend(small());
  backend.dispatch(instruction({}, {}, 4, isa::Unit::sfu), SlotId{0}, {10});  // enters in 11
  backend.dispatch(instruction({}, {}, 4, isa::Unit::sfu), SlotId{0}, {10});  // in 15
  backend.dispatch(instruction({}), SlotId{0}, {20});
  EXPECT_EQ(backend.stats().pipeCycles[Pipe::sfu], 8u);
  EXPECT_EQ(backend.stats().dispatchWaits[Pipe::sfu], 4u);
  EXPECT_EQ(backend.stats().pipeCycles[Pipe::integer], 1u);
  EXPECT_EQ(backend.stats().dispatchWaits.total(), 4u);
  EXPECT_EQ(name(Pipe::loadStore), "load_store");
}

TEST(Backend, OperandsOfOneBankAreReadOneAfterTheOther) {
  Backend backend(small());
  EXPECT_EQ(backend.dispatch(instruction({0, 4, 8}), SlotId{0}, {10}), Cycle{14});  // in 11, 12, 13
  EXPECT_EQ(backend.stats().readConflicts, 1u + 2u);
}

TEST(Backend, ABankServesAsManyOperandsACycleAsItHasPorts) {
  config::Sm sm = small();
  sm.registerBankPorts = 2;
  Backend backend(sm);
  EXPECT_EQ(backend.dispatch(instruction({0, 4, 8}), SlotId{0}, {10}), Cycle{13});  // two in 11, one in 12
  EXPECT_EQ(backend.stats().readConflicts, 1u);
  EXPECT_EQ(backend.writeBack(instruction({}, {0, 4}), SlotId{0}, {20}, {19}), Cycle{20});
  EXPECT_EQ(backend.stats().writeConflicts, 0u);
  EXPECT_EQ(backend.dispatch(instruction({8}), SlotId{0}, {19}), Cycle{22});  // both ports are busy in 20
}

TEST(Backend, PortsOfABankAreNotThoseOfItsNeighbour) {
  config::Sm sm = small();
  sm.registerBankPorts = 2;
  Backend backend(sm);
  EXPECT_EQ(backend.dispatch(instruction({3, 7}), SlotId{0}, {10}), Cycle{12});
  EXPECT_EQ(backend.dispatch(instruction({0, 4}, {}, 1, isa::Unit::sfu), SlotId{0}, {10}), Cycle{12});
  EXPECT_EQ(backend.dispatch(instruction({11}, {}, 1, isa::Unit::fp32), SlotId{0}, {10}), Cycle{13});
}

TEST(Backend, BanksAreSkewedByTheWarp) {
  Backend backend(small());
  EXPECT_EQ(backend.dispatch(instruction({0}), SlotId{0}, {10}), Cycle{12});
  // Register 0 of warp 1 lies in bank 1, register 3 of it in bank 0, which is taken in 11.
  EXPECT_EQ(backend.dispatch(instruction({3}, {}, 1, isa::Unit::sfu), SlotId{1}, {10}), Cycle{13});
  EXPECT_EQ(backend.stats().readConflicts, 1u);
}

TEST(Backend, AnInstructionWithoutOperandsStillTakesItsCycle) {
  Backend backend(small());
  EXPECT_EQ(backend.dispatch(instruction({}), SlotId{0}, {10}), Cycle{11});
}

TEST(Backend, ThePipeTakesOneInstructionAnInterval) {
  Backend backend(small());
  EXPECT_EQ(backend.dispatch(instruction({0}, {}, 4), SlotId{0}, {10}), Cycle{12});
  EXPECT_EQ(backend.dispatch(instruction({1}, {}, 4), SlotId{0}, {10}), Cycle{16});
  EXPECT_EQ(backend.stats().dispatchWaits.total(), 4u);
  // Another pipe is free.
  EXPECT_EQ(backend.dispatch(instruction({2}, {}, 4, isa::Unit::sfu), SlotId{0}, {10}), Cycle{12});
}

TEST(Backend, TwoPipesTakeTwo) {
  config::Sm sm = small();
  sm.integer.count = 2;
  Backend backend(sm);
  EXPECT_EQ(backend.dispatch(instruction({0}, {}, 4), SlotId{0}, {10}), Cycle{12});
  EXPECT_EQ(backend.dispatch(instruction({1}, {}, 4), SlotId{0}, {10}), Cycle{12});
  EXPECT_EQ(backend.dispatch(instruction({2}, {}, 4), SlotId{0}, {10}), Cycle{16});
}

TEST(Backend, IntegersMayShareTheFloatPipes) {
  config::Sm sm = small();
  sm.integerOnFp32 = true;
  Backend shared(sm), apart(small());
  for (Backend* backend : {&shared, &apart}) backend->dispatch(instruction({0}, {}, 8), SlotId{0}, {10});
  EXPECT_EQ(shared.dispatch(instruction({1}, {}, 1, isa::Unit::fp32), SlotId{0}, {10}), Cycle{20});
  EXPECT_EQ(apart.dispatch(instruction({1}, {}, 1, isa::Unit::fp32), SlotId{0}, {10}), Cycle{12});
}

TEST(Backend, CollectorsAreHeldUntilDispatch) {
  Backend backend(small());
  backend.dispatch(instruction({0}, {}, 8), SlotId{0}, {10});  // enters in 12
  EXPECT_TRUE(backend.canIssue(isa::Unit::integer, {10}));
  backend.dispatch(instruction({1}, {}, 8), SlotId{0}, {10});  // enters in 20
  EXPECT_FALSE(backend.canIssue(isa::Unit::sfu, {11}));
  EXPECT_EQ(backend.nextFree({11}), Cycle{12});
  EXPECT_EQ(backend.nextFree({12}), Cycle{12});
  EXPECT_TRUE(backend.canIssue(isa::Unit::sfu, {12}));
}

TEST(Backend, WithoutCollectorsAnInstructionWaitsForItsPipeBeforeIssue) {
  config::Sm sm = small();
  sm.collectors = 0;
  Backend backend(sm);
  EXPECT_EQ(backend.dispatch(instruction({0, 4, 8}, {}, 4), SlotId{0}, {10}), Cycle{11});  // no bank conflicts
  EXPECT_FALSE(backend.canIssue(isa::Unit::integer, {13}));
  EXPECT_TRUE(backend.canIssue(isa::Unit::integer, {14}));  // enters in 15
  EXPECT_TRUE(backend.canIssue(isa::Unit::sfu, {11}));
  EXPECT_EQ(backend.nextFree({11}), Cycle{14});
  EXPECT_EQ(backend.nextFree({14}), Cycle{14});
}

TEST(Backend, ResultsShareTheWriteBackPorts) {
  Backend backend(small());
  EXPECT_EQ(backend.writeBack(instruction({}, {0}), SlotId{0}, {20}, {20}), Cycle{20});
  EXPECT_EQ(backend.writeBack(instruction({}, {1}), SlotId{0}, {20}, {20}), Cycle{21});
  EXPECT_EQ(backend.stats().writeBackConflicts, 1u);
  EXPECT_EQ(backend.writeBack(instruction({}), SlotId{0}, {20}, {20}), Cycle{20});  // nothing to write
  EXPECT_EQ(backend.stats().operandWrites, 2u);
}

TEST(Backend, APairOfOneBankIsWrittenInTwoCycles) {
  Backend backend(small());
  EXPECT_EQ(backend.writeBack(instruction({}, {0, 4}), SlotId{0}, {20}, {19}), Cycle{21});
  EXPECT_EQ(backend.stats().writeConflicts, 1u);
  // Register 0's bank is busy in 20 and 21: the operand is read in 22.
  EXPECT_EQ(backend.dispatch(instruction({8}), SlotId{0}, {19}), Cycle{23});
}

}  // namespace
}  // namespace warpwright::sm
