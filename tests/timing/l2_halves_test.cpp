// Two halves of L2: what an SM reads of the other half, and what it writes there.
#include <gtest/gtest.h>

#include <vector>

#include "mem/partition/address_map.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::TimedMachine;

constexpr u32 kHop = 50;     // ticks from one half to the other
constexpr u32 kPieces = 12;  // two of each partition
constexpr u64 kPieceBytes = 256;

// One SM in each half.
Machine inHalves(u32 halves = 2) {
  Machine machine = testing::fermi(2);
  machine.partition.halves = halves;
  machine.partition.halfLatency = kHop;
  config::validate(machine);
  return testing::oneClock(machine);
}

// One access of the first lane to the beginning of each piece, past L1, each when the one before is through.
isa::Program accesses(Opcode opcode) {
  isa::Program program = testing::twice([&](Assembler& code) {
    code.emit(Opcode::mov, DataType::u32, {R(2)}, {imm(0)});
    code.elementAddress(8, 0, R(2), 4);
    for (u32 piece = 0; piece < kPieces; ++piece) {
      isa::Instruction& access = opcode == Opcode::ld ? code.load(Space::global, DataType::u32, 4, R(8), s64{piece} * kPieceBytes)
                                                      : code.emit(opcode, DataType::u32, {R(4)}, {R(8), R(10)});
      access.modifiers.space = Space::global;
      access.modifiers.cache = isa::CacheOp::cg;
      access.modifiers.atomic = opcode == Opcode::atom ? isa::AtomicOp::add : isa::AtomicOp::none;
      access.offset = s64{piece} * kPieceBytes;
      code.emit(Opcode::add, DataType::u32, {R(10)}, {R(4), R(4)});
    }
  });
  program.functions.front().parameterBytes = 8;
  return program;
}

struct Times {
  std::vector<u64> cycles;  // of the accesses to each piece, in one round
  std::vector<u32> half;    // in which the piece lies
  machines::TimedResult result;
};

Times timesOf(const Machine& config, Opcode opcode, u32 sm, u32 round, bool skip = true) {
  machines::TimingOptions options;
  options.skip = skip;
  TimedMachine machine(config, options);
  auto* data = machine.array<u32>(kPieces * kPieceBytes / sizeof(u32));
  const GlobalAddress address(reinterpret_cast<u64>(data));
  machine.copied = {{address, kPieces * kPieceBytes}};
  Times times;
  times.result = machine.run(accesses(opcode), {sm + 1}, {1}, {reinterpret_cast<u64>(data)});
  const mem::AddressMap map(config.dram.channels, config.partition.slices, config.partition.networkPorts, config.dram.interleaveBytes,
                            config.dram.hashChannels);
  std::vector<testing::Step> steps;
  for (const testing::Step& step : machine.timeline(sm).steps())
    if (step.what.instruction->opcode == opcode) steps.push_back(step);
  for (u32 piece = 0; piece < kPieces; ++piece) {
    const testing::Step& step = steps.at(round * kPieces + piece);
    times.cycles.push_back(step.completed - step.issued);
    times.half.push_back(map.half(address + piece * kPieceBytes));
  }
  return times;
}

// The look-up of a slice that sends the request on, and its fill.
constexpr u64 kMostOfTheSlices = 12;

TEST(L2Halves, ALineOfTheOtherHalfIsFetchedOnce) {
  const u64 near = timesOf(inHalves(1), Opcode::ld, 0, 1).cycles.front();
  const Times first = timesOf(inHalves(), Opcode::ld, 0, 0), second = timesOf(inHalves(), Opcode::ld, 0, 1);
  for (u32 piece = 0; piece < kPieces; ++piece) {
    EXPECT_EQ(second.cycles[piece], near) << "a copy is as near as a line of the own half";
    if (first.half[piece] == 0) {
      EXPECT_EQ(first.cycles[piece], near);
    } else {
      EXPECT_GE(first.cycles[piece], near + 2 * kHop);
      EXPECT_LE(first.cycles[piece], near + 2 * kHop + kMostOfTheSlices);
    }
  }
  EXPECT_EQ(second.result.stats.memory.partition.partnerReads, kPieces / 2u);
}

TEST(L2Halves, AnSmOfTheSecondHalfHasTheOthersFarAway) {
  const Times times = timesOf(inHalves(), Opcode::ld, 1, 0);
  const u64 near = timesOf(inHalves(1), Opcode::ld, 1, 1).cycles.front();
  for (u32 piece = 0; piece < kPieces; ++piece)
    EXPECT_EQ(times.cycles[piece] >= near + 2 * kHop, times.half[piece] == 0) << "piece " << piece << " lies in half " << times.half[piece];
}

TEST(L2Halves, AtomicsGoToWhereTheWordLies) {
  const u64 near = timesOf(inHalves(1), Opcode::atom, 0, 1).cycles.front();
  for (const u32 round : {0u, 1u}) {
    const Times times = timesOf(inHalves(), Opcode::atom, 0, round);
    for (u32 piece = 0; piece < kPieces; ++piece) EXPECT_EQ(times.cycles[piece], near + (times.half[piece] == 0 ? 0 : 2 * kHop)) << piece;
    EXPECT_EQ(times.result.stats.memory.partition.partnerReads, 0u);
  }
}

TEST(L2Halves, SkippingChangesNothing) {
  for (const u32 bytesPerTick : {0u, 8u}) {
    Machine config = inHalves();
    config.partition.halfBytesPerTick = bytesPerTick;
    for (const Opcode opcode : {Opcode::ld, Opcode::atom}) {
      const Times skipping = timesOf(config, opcode, 1, 0), each = timesOf(config, opcode, 1, 0, false);
      EXPECT_EQ(skipping.cycles, each.cycles);
      EXPECT_EQ(skipping.result.cycles, each.result.cycles);
    }
  }
}

// Every warp reads lines of all partitions and adds to some of them, with room for a request or two everywhere.
isa::Program readsAndAdditions() {
  isa::Program program = testing::twice([&](Assembler& code) {
    code.globalThread(2);
    code.elementAddress(8, 0, R(2), 128);
    for (u32 i = 0; i < 6; ++i) {
      code.load(Space::global, DataType::u32, 12 + i, R(8), s64{i} * 4096).modifiers.cache = isa::CacheOp::cg;
      isa::Instruction& atomic = code.emit(Opcode::atom, DataType::u32, {R(4)}, {R(8), R(10)});
      atomic.modifiers.space = Space::global;
      atomic.modifiers.atomic = isa::AtomicOp::add;
      atomic.offset = s64{i} * 4096 + 64;
    }
  });
  program.functions.front().parameterBytes = 8;
  return program;
}

TEST(L2Halves, WithLittleRoomTheyDoNotWaitForEachOther) {
  Machine config = inHalves();
  config.l2.mshrs = 1;
  config.l2.missQueue = 2;
  config.partition.inputQueue = config.partition.outputQueue = config.partition.dramQueue = config.partition.fillQueue = 1;
  config.l2.bytes = 4096;
  for (const u32 threads : {1u, 2u}) {
    machines::TimingOptions options;
    options.threads = threads;
    options.deadlockCycles = 20'000;
    TimedMachine machine(config, options);
    auto* data = machine.array<u32>(1 << 20);
    const machines::TimedResult result = machine.run(readsAndAdditions(), {4}, {256}, {reinterpret_cast<u64>(data)});
    EXPECT_TRUE(result.violations.empty());
    EXPECT_GT(result.stats.memory.partition.partnerReads, 0u);
  }
}

// Blocks of the first SM alone write, all lines of which half lie in the other half.
TEST(L2Halves, TheLinkHoldsUpWhatCrosses) {
  const auto cyclesWith = [](u32 bytesPerTick) {
    Machine config = inHalves();
    config.partition.halfBytesPerTick = bytesPerTick;
    config.l1d.bytes = 0;
    TimedMachine machine(config);
    isa::Program program = testing::twice([](Assembler& code) {
      code.globalThread(2);
      code.elementAddress(8, 0, R(2), 4);
      for (u32 i = 0; i < 32; ++i) code.store(Space::global, DataType::u32, R(8), R(10), s64{i} * 4096);
    });
    program.functions.front().parameterBytes = 8;
    auto* data = machine.array<u32>(1 << 20);
    return machine.run(program, {1}, {1024}, {reinterpret_cast<u64>(data)}).cycles;
  };
  // 32 rows of 4 KiB twice, half of them to the three partitions over there, with headers of 8 bytes to 128.
  constexpr double kBytesOfALink = 2 * 32 * 4096 / 2.0 / 3 * 136 / 128;
  const double slow = static_cast<double>(cyclesWith(2)), slower = static_cast<double>(cyclesWith(1));
  EXPECT_NEAR(slower - slow, kBytesOfALink / 2, kBytesOfALink / 20);
  EXPECT_LT(cyclesWith(0), slow);
}

TEST(L2Halves, AnyNumberOfThreadsTakesTheSameTime) {
  std::vector<u64> cycles;
  for (const u32 threads : {1u, 2u, 4u}) {
    machines::TimingOptions options;
    options.threads = threads;
    TimedMachine machine(inHalves(), options);
    auto* data = machine.array<u32>(1 << 20);
    cycles.push_back(machine.run(readsAndAdditions(), {8}, {256}, {reinterpret_cast<u64>(data)}).cycles);
  }
  EXPECT_EQ(cycles, std::vector<u64>(3, cycles.front()));
}

}  // namespace
}  // namespace warpwright
