// What atomics of a warp take by the words that its lanes share.
#include <gtest/gtest.h>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::second;
using testing::TimedMachine;

// Each lane adds to the word `strideWords` behind that of the lane before it.
isa::Program atomicAdditions(Space space, u32 strideWords, DataType type = DataType::u32) {
  isa::Program program = testing::twice([&](Assembler& code) {
    code.special(2, isa::SpecialRegister::laneid);
    if (space == Space::global) {
      code.elementAddress(8, 0, R(2), strideWords * isa::sizeOf(type));
    } else {
      code.emit(Opcode::mul_lo, DataType::u32, {R(8)}, {R(2), imm(u64{strideWords} * 4)});
    }
    isa::Instruction& atomic = code.emit(Opcode::atom, type, {R(4)}, {R(8), R(10)});
    atomic.modifiers.space = space;
    atomic.modifiers.atomic = isa::AtomicOp::add;
    atomic.modifiers.wordAddress = space == Space::shared;
    code.emit(Opcode::add, DataType::u32, {R(5)}, {R(4), R(5)});
  });
  isa::Function& kernel = program.functions.front();
  kernel.sharedBytes = space == Space::shared ? 32 * 4 : 0;
  kernel.parameterBytes = 8;
  return program;
}

u64 cyclesOfAddition(const Machine& config, const isa::Program& program, u32 lanes) {
  TimedMachine machine(config);
  machine.run(program, {1}, {lanes}, {reinterpret_cast<u64>(machine.array<u32>(4096))});
  const testing::Step atomic = second(machine, kBegin + 2);
  EXPECT_EQ(atomic.what.instruction->opcode, Opcode::atom);
  return atomic.completed - atomic.issued;
}

// data/hardware/h100/micro.csv: 26 cycles for words of their own, 88 for one word; a load takes 23.
TEST(AtomicRates, OfSharedMemoryAreThoseOfTheH100) {
  const Machine h100 = config::loadMachine("h100");
  Machine config = fermi();
  config.sm.collectors = 0;
  config.sm.sharedLatency = h100.sm.sharedLatency;
  config.sm.sharedAtomicLatency = h100.sm.sharedAtomicLatency;
  config.sm.passLatency = h100.sm.passLatency;
  EXPECT_EQ(cyclesOfAddition(config, atomicAdditions(Space::shared, 1), 32), 26u);
  EXPECT_EQ(cyclesOfAddition(config, atomicAdditions(Space::shared, 0), 32), 88u);
}

Machine withRates(u32 perTick, u32 sectorTime, u32 repeatTime, u32 repeatLatency) {
  Machine config = testing::oneClock(fermi());
  config.partition.atomicsPerTick = perTick;
  config.partition.atomicSectorTime = sectorTime;
  config.partition.atomicRepeatTime = repeatTime;
  config.partition.atomicRepeatLatency = repeatLatency;
  return config;
}

TEST(AtomicRates, FurtherLanesOfOneWordTakeTheirTimeAndTheirLatency) {
  const isa::Program oneWord = atomicAdditions(Space::global, 0);
  const Machine config = withRates(32, 0, 3000, 0), late = withRates(32, 0, 3000, 2000);
  const u64 alone = cyclesOfAddition(config, oneWord, 1);
  for (const u32 lanes : {2u, 5u, 32u}) {
    EXPECT_EQ(cyclesOfAddition(config, oneWord, lanes) - alone, 3 * (lanes - 1)) << lanes;
    EXPECT_EQ(cyclesOfAddition(late, oneWord, lanes) - alone, 5 * (lanes - 1)) << lanes;
  }
  // Of words of their own there is none.
  EXPECT_EQ(cyclesOfAddition(config, atomicAdditions(Space::global, 1), 32),
            cyclesOfAddition(withRates(32, 0, 0, 0), atomicAdditions(Space::global, 1), 32));
}

TEST(AtomicRates, SectorsTakeTheirTime) {
  const isa::Program neighbours = atomicAdditions(Space::global, 1);
  // 32 words in four sectors: 32 ticks at one a tick; 4 x 3 and 28 at 28 a tick.
  const u64 atOneRate = cyclesOfAddition(withRates(1, 0, 0, 0), neighbours, 32),
            bySectors = cyclesOfAddition(withRates(28, 3000, 0, 0), neighbours, 32);
  EXPECT_EQ(atOneRate - bySectors, 32u - 13u);
}

// 64-bit additions come as half-warps, each of which has lanes of its own.
TEST(AtomicRates, HalfWarpsCountTheirOwnLanes) {
  const isa::Program oneWord = atomicAdditions(Space::global, 0, DataType::u64);
  const Machine config = withRates(32, 0, 3000, 0);
  const u64 alone = cyclesOfAddition(config, oneWord, 1), halfWarp = cyclesOfAddition(config, oneWord, 16);
  EXPECT_EQ(halfWarp - alone, 3u * 15);
  EXPECT_EQ(cyclesOfAddition(config, oneWord, 32) - halfWarp, 1 + 3u * 15) << "one after the other in the unit";
}

}  // namespace
}  // namespace warpwright
