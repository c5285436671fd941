// What sampling hears of a launch: bytes that it replaces, lines that it touches, events of its blocks.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "sampling/block_events.hpp"
#include "sampling/recent_lines.hpp"
#include "sampling/replayable.hpp"
#include "sampling/undo_log.hpp"

namespace warpwright::sampling {
namespace {

// An access of some lanes, so many bytes each.
struct Access {
  Access(std::vector<u64> lanes, u32 bytes, bool stores) {
    std::copy(lanes.begin(), lanes.end(), addresses.begin());
    event.mask = LaneMask::first(static_cast<u32>(lanes.size()));
    event.bytesPerLane = bytes;
    event.isStore = stores;
    event.isLoad = !stores;
    event.addresses = addresses.data();
  }
  std::array<u64, kMaxWarpSize> addresses{};
  exec::MemoryEvent event;
};

u64 addressOf(const void* pointer) { return reinterpret_cast<u64>(pointer); }

TEST(UndoLog, PutsBackWhatWasStored) {
  std::vector<u8> memory(20'000), before;
  std::mt19937_64 random(1);
  for (u8& byte : memory) byte = static_cast<u8>(random());
  before = memory;
  UndoLog log;
  std::vector<bool> written(memory.size());
  for (int store = 0; store < 500; ++store) {
    const u32 bytes = 1u << random() % 5;
    const u64 at = random() % (memory.size() - 2 * bytes);
    log.memory(Access({addressOf(&memory[at]), addressOf(&memory[at + bytes])}, bytes, true).event);
    for (u64 i = at; i < at + 2 * bytes; ++i) {
      memory[i] = static_cast<u8>(random());
      written[i] = true;
    }
  }
  // What others write beside the launch's bytes stays.
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (!written[i]) memory[i] = before[i] = static_cast<u8>(random());
  log.undo();
  EXPECT_EQ(memory, before);
  memory[7] = 1;
  log.undo();
  EXPECT_EQ(memory[7], 1);
}

TEST(UndoLog, KeepsNothingOfLoadsAndOfOtherSpaces) {
  std::array<u8, 64> memory{};
  UndoLog log;
  log.memory(Access({addressOf(memory.data())}, 4, false).event);
  Access shared({addressOf(memory.data())}, 4, true);
  shared.event.space = isa::Space::shared;
  log.memory(shared.event);
  memory.fill(5);
  log.undo();
  EXPECT_EQ(memory[0], 5);
}

TEST(RecentLines, ComeInTheOrderOfTheLastTouch) {
  RecentLines lines({});
  lines.memory(Access({0, 256, 128}, 4, false).event);
  lines.memory(Access({32}, 4, true).event);
  const auto line = [](u64 address, u32 touched, u32 stored) { return TouchedLine{GlobalAddress(address), touched, stored}; };
  EXPECT_EQ(lines.count(), 3u);
  EXPECT_EQ(lines.latest(10), (std::vector{line(256, 1, 0), line(128, 1, 0), line(0, 3, 2)}));
  EXPECT_EQ(lines.latest(2), (std::vector{line(128, 1, 0), line(0, 3, 2)}));
  lines.forget();
  EXPECT_EQ(lines.count(), 0u);
  EXPECT_TRUE(lines.latest(10).empty());
}

TEST(RecentLines, AnAccessMayTouchSeveral) {
  RecentLines lines({.line = 64});
  // Bytes 56 … 71 of a page's end: the last sector of one line and the first of the next, in another page.
  const u64 end = 64 * 1024;
  lines.memory(Access({end - 8}, 16, true).event);
  const std::vector<TouchedLine> latest = lines.latest(10);
  ASSERT_EQ(latest.size(), 2u);
  EXPECT_EQ(latest[0], (TouchedLine{GlobalAddress(end - 64), 2, 2}));
  EXPECT_EQ(latest[1], (TouchedLine{GlobalAddress(end), 1, 1}));
}

// A first-level cache without sectors fetches whole lines, and so does L2 for it; what is stored goes through to L2 alone.
TEST(RecentLines, LoadsBringWhatIsFetchedAtOnce) {
  RecentLines lines({.line = 128, .loads = 128, .texels = 64});
  lines.memory(Access({32}, 4, false).event);
  lines.memory(Access({128 + 32}, 4, true).event);
  const std::array<u64, 1> texel{256 + 96};
  exec::TexelEvent event;
  event.addresses = texel.data();
  event.count = 1;
  event.bytes = 4;
  lines.texels(event);
  EXPECT_EQ(lines.latest(10), (std::vector{TouchedLine{GlobalAddress(0), 15, 0}, TouchedLine{GlobalAddress(128), 2, 2},
                                           TouchedLine{GlobalAddress(256), 12, 0}}));
}

TEST(RecentLines, TexelsAreAccesses) {
  RecentLines lines({});
  const std::array<u64, 2> addresses{0, 100};
  exec::TexelEvent event;
  event.addresses = addresses.data();
  event.count = 2;
  event.bytes = 4;
  lines.texels(event);
  EXPECT_EQ(lines.latest(10), (std::vector{TouchedLine{GlobalAddress(0), 9, 0}}));
}

TEST(BlockEvents, AreCountedByBlock) {
  BlockEvents events(3);
  Access access({0}, 4, false);
  access.event.warp.block = 1;
  events.memory(access.event);
  events.branch({{1, 0}, Pc{0}, nullptr, {}, {}, 1});
  events.branch({{2, 0}, Pc{0}, nullptr, {}, {}, 1});
  EXPECT_EQ(events.counts(), (std::vector<u64>{1, 3, 2}));
}

// A kernel of one instruction, another of another, and a function of a third.
isa::Program programOf(const isa::Instruction& first, const isa::Instruction& second, const isa::Instruction& third) {
  isa::Program program;
  program.code = {first, second, third};
  for (u32 i = 0; i < 3; ++i) {
    isa::Function function;
    function.isKernel = i < 2;
    function.begin = Pc(i);
    function.end = Pc(i + 1);
    program.functions.push_back(function);
  }
  return program;
}

isa::Instruction instructionOf(isa::Opcode opcode, u32 target = 0) {
  isa::Instruction instruction;
  instruction.opcode = opcode;
  instruction.target = target;
  return instruction;
}
isa::Instruction calling(isa::SystemCall which) { return instructionOf(isa::Opcode::syscall, static_cast<u32>(which)); }

TEST(Replayable, IsWhatOnlyStoresToGlobalMemory) {
  const auto isReplayableWith = [](const isa::Instruction& instruction) {
    const isa::Program program = programOf(instruction, {}, {});
    return isReplayable(program, program.functions.front());
  };
  EXPECT_TRUE(isReplayableWith(instructionOf(isa::Opcode::st)));
  EXPECT_TRUE(isReplayableWith(instructionOf(isa::Opcode::suld)));
  EXPECT_TRUE(isReplayableWith(calling(isa::SystemCall::vprintf)));
  EXPECT_FALSE(isReplayableWith(calling(isa::SystemCall::malloc)));
  EXPECT_FALSE(isReplayableWith(calling(isa::SystemCall::free)));
  EXPECT_FALSE(isReplayableWith(instructionOf(isa::Opcode::sust)));
  EXPECT_FALSE(isReplayableWith(instructionOf(isa::Opcode::sured)));
}

TEST(Replayable, WhatOtherBlocksDoIsHeardByStrongLoadsAndResultsOfAtomics) {
  const auto mayHearWith = [](const isa::Instruction& instruction) {
    const isa::Program program = programOf(instruction, {}, {});
    return mayHearOfOthers(program, program.functions.front());
  };
  isa::Instruction load = instructionOf(isa::Opcode::ld);
  EXPECT_FALSE(mayHearWith(load));
  load.modifiers.ordering = isa::Ordering::volatile_;
  EXPECT_TRUE(mayHearWith(load));
  load.modifiers.space = isa::Space::shared;
  EXPECT_FALSE(mayHearWith(load));
  load.modifiers = {.ordering = isa::Ordering::acquire, .space = isa::Space::global};
  EXPECT_TRUE(mayHearWith(load));
  load.modifiers = {.cache = isa::CacheOp::cg, .space = isa::Space::global};
  EXPECT_TRUE(mayHearWith(load));
  isa::Instruction atomic = instructionOf(isa::Opcode::atom);
  EXPECT_FALSE(mayHearWith(atomic)) << "nobody learns what it found";
  atomic.destinations[0] = isa::Operand::makeRegister(4);
  EXPECT_TRUE(mayHearWith(atomic));
  EXPECT_FALSE(mayHearWith(instructionOf(isa::Opcode::st)));
}

TEST(Replayable, OtherKernelsDoNotMatterAndFunctionsDo) {
  const isa::Program inKernel = programOf({}, calling(isa::SystemCall::malloc), {});
  EXPECT_TRUE(isReplayable(inKernel, inKernel.functions[0]));
  EXPECT_FALSE(isReplayable(inKernel, inKernel.functions[1]));
  const isa::Program inFunction = programOf({}, {}, calling(isa::SystemCall::malloc));
  EXPECT_FALSE(isReplayable(inFunction, inFunction.functions[0]));
}

}  // namespace
}  // namespace warpwright::sampling
