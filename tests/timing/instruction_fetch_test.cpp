// Code in the instruction caches, from launch to launch.
#include <gtest/gtest.h>

#include "timed_machine.hpp"

namespace warpwright {
namespace {

using testing::Assembler;
using testing::fermi;
using testing::R;
using testing::TimedMachine;

constexpr u32 kLength = 200;

isa::Program straightCode() {
  Assembler code;
  code.program.addressBits = 64;
  for (u32 i = 0; i < kLength; ++i) code.emit(isa::Opcode::add, isa::DataType::u32, {R(4)}, {R(4), R(5)});
  code.exit();
  code.function("k").registers = 8;
  return code.program;
}

u64 instructionMisses(const machines::TimedResult& result) { return result.stats.l1i.misses[mem::AccessType::instructionRead]; }
u64 instructionReads(const machines::TimedResult& result) {
  return result.stats.memory.partition.requests[mem::AccessType::instructionRead];
}

TEST(InstructionFetch, ALaterLaunchFindsTheCodeOfItsProgramInTheCache) {
  const config::Machine config = fermi();
  TimedMachine machine(config);
  const exec::LoadedProgram& program = machine.load(straightCode());
  const u64 lines = ((kLength + 1) * config.sm.instructionBytes + config.l1i.lineBytes - 1) / config.l1i.lineBytes;
  const auto first = machine.run(program, {1}, {32}), second = machine.run(program, {1}, {32});
  EXPECT_GE(instructionMisses(first), lines);
  // Fetches may reach for the line behind the end.
  EXPECT_LE(instructionMisses(second), 1u);
  EXPECT_LT(second.cycles, first.cycles);
}

// 25.1 lines of 128 B, or half of them.
TEST(InstructionFetch, ShorterInstructionsFillFewerLines) {
  config::Machine config = fermi();
  for (const auto& [bytes, lines] : {std::pair{16u, 26u}, {8u, 13u}}) {
    config.sm.instructionBytes = bytes;
    const u64 misses = instructionMisses(TimedMachine(config).run(straightCode(), {1}, {32}));
    EXPECT_GE(misses, lines);
    EXPECT_LE(misses, lines + 1) << "fetches may reach for the line behind the end";
  }
}

// 201 instructions: a launch has some of them brought before its first block begins.
TEST(InstructionFetch, ALaunchBringsTheFirstOfItsCode) {
  config::Machine config = fermi();
  const u64 lineBytes = config.l1i.lineBytes, bytes = (kLength + 1) * u64{config.sm.instructionBytes};
  const u64 lines = (bytes + lineBytes - 1) / lineBytes;
  u64 cyclesBefore = ~u64{0};
  for (const u64 brought : {u64{0}, 10 * lineBytes, bytes, 2 * bytes}) {
    config.sm.launchPrefetchBytes = static_cast<u32>(brought);
    const auto result = TimedMachine(config).run(straightCode(), {1}, {32});
    const u64 left = lines - (std::min(brought, bytes) + lineBytes - 1) / lineBytes;
    EXPECT_GE(instructionMisses(result), left) << brought;
    EXPECT_LE(instructionMisses(result), left + 1) << "fetches may reach for the line behind the end";
    EXPECT_LE(result.cycles, cyclesBefore) << brought;
    cyclesBefore = result.cycles;
  }
}

// What stream buffers of sub-cores ask for behind the kernel's end is there, so that no launch waits at its end for lines that nobody
// needs.
TEST(InstructionFetch, ALaunchBringsWhatStreamBuffersOfSubCoresFetchAhead) {
  config::Machine config = fermi();
  config.sm.l0Bytes = 4 * config.l1i.lineBytes;
  config.sm.launchPrefetchBytes = 64 * 1024;
  const auto plain = TimedMachine(config).run(straightCode(), {1}, {32});
  config.sm.l0PrefetchLines = 8;
  const auto ahead = TimedMachine(config).run(straightCode(), {1}, {32});
  EXPECT_EQ(instructionMisses(ahead), 0u);
  EXPECT_GT(ahead.stats.l1i.accesses[mem::AccessType::instructionRead], 0u);
  EXPECT_LE(ahead.cycles, plain.cycles);
}

// Straight code goes through the cache of a sub-core at the pace of its lines, be they fetched ahead or missed; the first comes at once.
// Two sub-cores have their lines side by side.
TEST(InstructionFetch, LinesComeToASubCoreAnIntervalApart) {
  config::Machine config = fermi();
  config.schedulersPerSm = 2;
  config.sm.l0Bytes = 4 * config.l1i.lineBytes;
  config.sm.launchPrefetchBytes = 64 * 1024;
  const u64 lines = ((kLength + 1) * u64{config.sm.instructionBytes} + config.l1i.lineBytes - 1) / config.l1i.lineBytes;
  for (const auto& [ahead, warps] : {std::pair{0u, 1u}, {8u, 1u}, {0u, 2u}, {8u, 2u}}) {
    config.sm.l0PrefetchLines = ahead;
    const auto cyclesWith = [&](u32 interval) {
      config.sm.l0LineInterval = interval;
      return TimedMachine(config).run(straightCode(), {1}, {32 * warps}).cycles;
    };
    EXPECT_EQ(cyclesWith(256) - cyclesWith(156), 100 * (lines - 1)) << ahead << " lines ahead, " << warps << " warps";
  }
}

TEST(InstructionFetch, WhatTheInstructionCacheHasLostIsInL2) {
  config::Machine config = fermi();
  config.l1i.bytes = 512;
  TimedMachine machine(config);
  const exec::LoadedProgram& program = machine.load(straightCode());
  const auto first = machine.run(program, {1}, {32}), second = machine.run(program, {1}, {32});
  EXPECT_GT(first.stats.memory.dram.reads, 0u);
  EXPECT_EQ(instructionReads(second), instructionReads(first));
  EXPECT_EQ(second.stats.memory.dram.reads, 0u);
}

// 26 lines of straight code: without the stream each is a way to DRAM, with it the first is, and all others are under way together.
TEST(InstructionFetch, AStreamFetchesStraightCodeAhead) {
  config::Machine config = fermi();
  const auto plain = TimedMachine(config).run(straightCode(), {1}, {32});
  config.sm.prefetchLines = 32;
  const auto ahead = TimedMachine(config).run(straightCode(), {1}, {32});
  EXPECT_GE(instructionMisses(ahead), instructionMisses(plain)) << "the cache itself has no more lines than before";
  EXPECT_EQ(instructionReads(ahead), 1u);
  EXPECT_EQ(ahead.stats.sm.usedPrefetches + 1, ahead.stats.l1i.fetches);
  EXPECT_EQ(ahead.stats.sm.prefetchedLines, ahead.stats.memory.partition.requests[mem::AccessType::prefetch]);
  EXPECT_EQ(ahead.stats.sm.prefetchedLines, ahead.stats.l1i.fetches - 1 + config.sm.prefetchLines) << "the lines behind the end, too";
  const double way = static_cast<double>(plain.cycles) / static_cast<double>(instructionMisses(plain));
  EXPECT_LT(static_cast<double>(ahead.cycles), 5 * way + kLength);
}

TEST(InstructionFetch, AnotherProgramHasAddressesOfItsOwn) {
  TimedMachine machine(fermi());
  const auto first = machine.run(straightCode(), {1}, {32}), other = machine.run(straightCode(), {1}, {32});
  EXPECT_EQ(instructionMisses(other), instructionMisses(first));
}

}  // namespace
}  // namespace warpwright
