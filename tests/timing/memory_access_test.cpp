// Where the accesses of a warp go, and in how many lines.
#include <gtest/gtest.h>

#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::CacheOp;
using isa::DataType;
using isa::Opcode;
using isa::Ordering;
using isa::Space;
using mem::AccessType;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::param;
using testing::R;
using testing::TimedMachine;

template <class Body>
machines::GpuStats statsOf(const Machine& config, Body body, u32 warps = 1) {
  Assembler code;
  code.program.addressBits = 64;
  body(code);
  code.exit();
  isa::Function& kernel = code.function("k");
  kernel.registers = 32;
  kernel.localBytes = 64;
  kernel.parameterBytes = 8;
  TimedMachine machine(config);
  const u64 words = reinterpret_cast<u64>(machine.array<u32>(4096));
  return machine.run(code.program, {1}, {warps * 32}, {words}).stats;
}

// Word w of all lanes lies side by side: a line of 128 B each, which is written in L1 and goes no further.
TEST(LocalMemory, AWordOfAllLanesIsALineThatStaysInL1) {
  constexpr u32 kWords = 3, kWarps = 2;
  const auto stats = statsOf(
      fermi(),
      [](Assembler& code) {
        for (u32 word = 0; word < kWords; ++word) code.store(Space::local, DataType::u32, imm(word * 4), R(10));
        for (u32 word = 0; word < kWords; ++word) code.load(Space::local, DataType::u32, 12 + word, imm(word * 4));
      },
      kWarps);
  EXPECT_EQ(stats.l1d.accesses[AccessType::localWrite], kWords * kWarps);
  EXPECT_EQ(stats.l1d.accesses[AccessType::localRead], kWords * kWarps);
  EXPECT_EQ(stats.l1d.accesses.total(), 2 * kWords * kWarps);
  EXPECT_EQ(stats.l1d.hits[AccessType::localRead], kWords * kWarps) << "whole lines were written: nothing is fetched";
  EXPECT_EQ(stats.l1d.fetches + stats.l1d.passed + stats.l1d.writeBacks, 0u);
}

// Eight warps write 16 words each, as many lines as this cache has sets.
machines::GpuStats eightWarpsFill(u32 spacing) {
  constexpr u32 kWords = 16, kWarps = 8;
  Machine config = fermi();
  config.warpsPerSm = kWarps;
  config.sm.localSpacing = spacing;
  config.l1d.bytes = kWords * kWarps * config.l1d.lineBytes;
  config.l1d.ways = 1;
  config.l1d.setHash = "none";
  const auto body = [](Assembler& code) {
    for (u32 word = 0; word < kWords; ++word) code.store(Space::local, DataType::u32, imm(word * 4), R(10));
  };
  return statsOf(config, body, kWarps);
}

TEST(LocalMemory, OfWarpsInPiecesOfTheirOwnLeavesSetsUnused) {
  const auto stats = eightWarpsFill(8192);
  EXPECT_EQ(stats.l1d.misses[AccessType::localWrite], 128u);
  EXPECT_EQ(stats.l1d.evictions, 128u - 2 * 16u) << "pieces begin at two places of the sets";
}

// A piece is as long as the words of a warp, and no longer.
TEST(LocalMemory, InPiecesWithoutRoomBetweenThemFillsACacheWithoutGaps) {
  const auto stats = eightWarpsFill(2048);
  EXPECT_EQ(stats.l1d.misses[AccessType::localWrite], 128u);
  EXPECT_EQ(stats.l1d.evictions, 0u);
}

TEST(LocalMemory, InterleavedWordByWordFillsACacheWithoutGaps) {
  const auto stats = eightWarpsFill(0);
  EXPECT_EQ(stats.l1d.misses[AccessType::localWrite], 128u) << "no two words of the warps share a line";
  EXPECT_EQ(stats.l1d.evictions, 0u);
}

TEST(LocalMemory, UnderWriteThroughItGoesBelow) {
  Machine config = fermi();
  config.l1d.localWrites = config::WritePolicy::writeThrough;
  const auto stats = statsOf(config, [](Assembler& code) { code.store(Space::local, DataType::u32, imm(0), R(10)); });
  EXPECT_EQ(stats.l1d.passed, 1u);
  EXPECT_EQ(stats.memory.partition.requests[AccessType::localWrite], 1u);
}

// The same line twice: once from memory, and then from L1 where it may be kept there.
machines::GpuStats loadTwice(const Machine& config, CacheOp cache, Ordering ordering) {
  return statsOf(config, [&](Assembler& code) {
    code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
    for (u32 i = 0; i < 2; ++i) {
      isa::Instruction& load = code.load(Space::global, DataType::u32, 4, R(2));
      load.modifiers.cache = cache;
      load.modifiers.ordering = ordering;
      code.emit(Opcode::add, DataType::u32, {R(5)}, {R(4), R(4)});  // the second waits for the first
    }
  });
}

void expectThroughL1(const machines::GpuStats& stats) {
  EXPECT_EQ(stats.l1d.accesses[AccessType::globalRead], 2u);
  EXPECT_EQ(stats.l1d.hits[AccessType::globalRead], 1u);
  EXPECT_EQ(stats.memory.partition.requests[AccessType::globalRead], 1u);
}
void expectBesideL1(const machines::GpuStats& stats) {
  EXPECT_EQ(stats.l1d.accesses[AccessType::globalRead], 0u);
  EXPECT_EQ(stats.memory.partition.requests[AccessType::globalRead], 2u);
}

TEST(GlobalLoads, WeakOnesGoThroughL1) {
  for (const CacheOp cache : {CacheOp::none, CacheOp::ca, CacheOp::nc}) expectThroughL1(loadTwice(fermi(), cache, Ordering::weak));
}

TEST(GlobalLoads, ThoseThatAskForItGoBesideL1) {
  for (const CacheOp cache : {CacheOp::cg, CacheOp::cv, CacheOp::cs}) expectBesideL1(loadTwice(fermi(), cache, Ordering::weak));
}

// They must see what other SMs wrote.
TEST(GlobalLoads, StrongOnesGoBesideL1) {
  for (const Ordering ordering : {Ordering::volatile_, Ordering::relaxed, Ordering::acquire})
    expectBesideL1(loadTwice(fermi(), CacheOp::none, ordering));
}

TEST(GlobalLoads, WhereL1IsNotForThemOnlyThoseThatAskForItUseIt) {
  Machine config = fermi();
  config.sm.cacheGlobalLoads = false;
  expectBesideL1(loadTwice(config, CacheOp::none, Ordering::weak));
  expectThroughL1(loadTwice(config, CacheOp::ca, Ordering::weak));
  expectThroughL1(loadTwice(config, CacheOp::nc, Ordering::weak));
}

}  // namespace
}  // namespace warpwright
