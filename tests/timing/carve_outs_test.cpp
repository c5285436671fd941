// L1 of the size that shared memory leaves it.
#include <gtest/gtest.h>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::imm;
using testing::R;
using testing::TimedMachine;

constexpr u32 kRingLines = 24;  // of 128 bytes

// A warp loads as many lines, twice.
isa::Program loadsOfLines(u64 sharedBytes) {
  isa::Program program = testing::twice([](Assembler& code) {
    code.special(2, isa::SpecialRegister::laneid);
    code.elementAddress(8, 0, R(2));
    for (u32 line = 0; line < kRingLines; ++line) code.load(Space::global, DataType::u32, 12, R(8), line * 128);
    code.emit(Opcode::add, DataType::u32, {R(5)}, {R(12), R(5)});
  });
  program.functions.front().parameterBytes = 8;
  program.functions.front().sharedBytes = sharedBytes;
  return program;
}

// 4 KiB that L1 and shared memory have together, and an L1 of one set: 32 ways at most. A block has its SM to itself.
Machine oneMemory() {
  Machine config = testing::fermi();
  config.blocksPerSm = 1;
  config.l1d.bytes = 4096;
  config.l1d.ways = 32;
  config.l1d.setHash = "none";
  config.sm.carveOuts = "0 1 2 3";
  config.sm.unifiedBytes = 4096;
  return config;
}

u64 hitsOf(TimedMachine& machine, const isa::Program& program) {
  return machine.run(program, {1}, {32}, {reinterpret_cast<u64>(machine.array<u32>(kRingLines * 32))}).stats.l1d.hits.total();
}

// 24 lines are 3 KiB: they stay where a block needs no more than 1 KiB, and each displaces another else.
TEST(SharedAndL1, L1HoldsWhatSharedMemoryLeaves) {
  for (const auto& [sharedBytes, hits] : {std::pair<u64, u64>{0, kRingLines}, {1024, kRingLines}, {1025, 0}, {3072, 0}}) {
    TimedMachine machine(oneMemory());
    EXPECT_EQ(hitsOf(machine, loadsOfLines(sharedBytes)), hits) << sharedBytes;
  }
}

// Two blocks may be resident, though there is one.
TEST(SharedAndL1, HoldWhatAllBlocksNeedThatMayBeResident) {
  Machine config = oneMemory();
  config.blocksPerSm = 2;
  TimedMachine machine(config);
  EXPECT_EQ(hitsOf(machine, loadsOfLines(512)), kRingLines);
  EXPECT_EQ(hitsOf(machine, loadsOfLines(640)), 0u);
}

TEST(SharedAndL1, EachLaunchHasItsOwn) {
  TimedMachine machine(oneMemory());
  const exec::LoadedProgram &much = machine.load(loadsOfLines(2048)), &none = machine.load(loadsOfLines(0));
  const u64 words = reinterpret_cast<u64>(machine.array<u32>(kRingLines * 32));
  for (u32 i = 0; i < 2; ++i) {
    EXPECT_EQ(machine.run(much, {1}, {32}, {words}).stats.l1d.hits.total(), 0u);
    EXPECT_EQ(machine.run(none, {1}, {32}, {words}).stats.l1d.hits.total(), kRingLines);
  }
}

TEST(SharedAndL1, WithoutThemL1IsAsItWas) {
  Machine config = oneMemory();
  config.sm.carveOuts.clear();
  config.sm.unifiedBytes = 0;
  TimedMachine machine(config);
  EXPECT_EQ(hitsOf(machine, loadsOfLines(3072)), kRingLines);
}

}  // namespace
}  // namespace warpwright
