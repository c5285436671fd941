// What the memory system did, by the instruction that caused it.
#include <gtest/gtest.h>

#include <utility>

#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"
#include "random_program.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::param;
using testing::R;
using testing::TimedMachine;

constexpr u64 kHeader = mem::kHeaderBytes, kLine = 128;

struct Ran {
  machines::TimedResult result;
  const mem::Traffic& at(u32 pc) const {
    static const mem::Traffic kNothing;
    return pc < result.traffic.size() ? result.traffic[pc] : kNothing;
  }
};

// Accesses and hits.
std::pair<u64, u64> looksUp(const mem::CacheUse& use) { return {use.accesses, use.hits}; }

template <class Body>
Ran run(const config::Machine& config, Body body, u32 warps = 1) {
  Assembler code;
  code.program.addressBits = 64;
  code.emit(Opcode::mov, DataType::u64, {R(2)}, {param(0)});
  body(code);
  code.exit();
  isa::Function& kernel = code.function("k");
  kernel.registers = 32;
  kernel.localBytes = 256;
  kernel.parameterBytes = 8;
  TimedMachine machine(config, {.lines = true});
  const u64 words = reinterpret_cast<u64>(machine.array<u32>(4096));
  Ran ran{machine.run(code.program, {1}, {warps * 32}, {words})};
  EXPECT_EQ(ran.result.violations, std::vector<std::string>{});
  return ran;
}

// The first load brings the line from DRAM, the second finds it in L1, and waits for nothing but the cache.
TEST(Traffic, OfALineThatTwoInstructionsRead) {
  u32 first = 0, second = 0;
  const config::Machine config = fermi();
  const Ran ran = run(config, [&](Assembler& code) {
    first = code.here();
    code.load(Space::global, DataType::u32, 4, R(2));
    code.emit(Opcode::add, DataType::u32, {R(5)}, {R(4), R(4)});
    second = code.here();
    code.load(Space::global, DataType::u32, 6, R(2));
    code.emit(Opcode::add, DataType::u32, {R(5)}, {R(6), R(6)});
  });
  EXPECT_EQ(looksUp(ran.at(first).l1d), std::pair(u64{1}, u64{0}));
  EXPECT_EQ(looksUp(ran.at(first).l2), std::pair(u64{1}, u64{0}));
  EXPECT_EQ(ran.at(first).dram, (mem::DramUse{kLine, 0, 1})) << "one row";
  EXPECT_EQ(ran.at(first).requests.bytes, kHeader);
  EXPECT_EQ(ran.at(first).responses.bytes, kHeader + kLine);
  EXPECT_EQ(looksUp(ran.at(second).l1d), std::pair(u64{1}, u64{1}));
  EXPECT_EQ(ran.at(first).l1d.sectorsFilled, ran.result.stats.l1d.sectorsFilled);
  EXPECT_EQ(ran.at(second).l1d.sectorsRead, ran.result.stats.l1d.sectorsRead);
  EXPECT_EQ(ran.at(first).l1d.mshrs, 1u);
  EXPECT_EQ(ran.at(first).sm.coalescedLanes, 32u);
  EXPECT_EQ(ran.at(second).sm.cacheWords, 32u);
  EXPECT_EQ(ran.at(second).l2, mem::CacheUse{});
  EXPECT_EQ(ran.at(second).dram, mem::DramUse{});
  EXPECT_EQ(ran.at(second).responses.bytes, 0u);
  EXPECT_EQ(ran.at(first).loads.count, 1u);
  EXPECT_EQ(ran.at(second).loads.count, 1u);
  EXPECT_EQ(ran.at(first).loads.cycles + ran.at(second).loads.cycles, ran.result.stats.sm.loadStore.loadLatency.sum());
  EXPECT_GT(ran.at(first).loads.cycles, ran.at(second).loads.cycles + config.dram.tRCD);
  EXPECT_EQ(ran.result.otherTraffic, mem::Traffic{});
}

TEST(Traffic, OfAtomicsAndStoresGoesToThem) {
  u32 atomic = 0, store = 0;
  const Ran ran = run(fermi(), [&](Assembler& code) {
    store = code.here();
    code.store(Space::global, DataType::u32, R(2), R(10));
    atomic = code.here();
    code.load(Space::global, DataType::u32, 4, R(2), 4 * kLine);
  });
  EXPECT_EQ(looksUp(ran.at(store).l1d), std::pair(u64{1}, u64{0}));
  EXPECT_EQ(ran.at(store).l2.accesses, 1u);
  EXPECT_EQ(ran.at(store).requests.bytes, kHeader + 32) << "a sector";
  EXPECT_EQ(ran.at(store).loads, mem::LoadUse{});
  EXPECT_EQ(ran.at(atomic).l2.accesses, 1u);
}

// Loads, fetches, stores and write-backs: wherever a packet is counted, its header is the machine's.
TEST(Traffic, HasTheHeadersOfTheMachine) {
  EXPECT_EQ(config::Network{}.headerBytes, mem::kHeaderBytes);
  for (const u32 header : {1u, 8u, 40u}) {
    config::Machine config = fermi();
    config.network.headerBytes = header;
    config.l1d.bytes = 16 * kLine;
    config.l1d.ways = 1;
    config.l1d.setHash = "none";
    u32 load = 0, store = 0, local = 0;
    const Ran ran = run(config, [&](Assembler& code) {
      load = code.here();
      code.load(Space::global, DataType::u32, 4, R(2));
      store = code.here();
      code.store(Space::global, DataType::u32, R(2), R(10), 8 * kLine);
      local = code.here();
      code.store(Space::local, DataType::u32, imm(0), R(10));
      code.store(Space::local, DataType::u32, imm(64), R(10));
    });
    EXPECT_EQ(ran.at(load).requests.bytes, header);
    EXPECT_EQ(ran.at(load).responses.bytes, header + kLine);
    EXPECT_EQ(ran.at(store).requests.bytes, header + 32);
    EXPECT_EQ(ran.at(local).requests.bytes, header + kLine) << "the write-back";
    const machines::GpuStats& stats = ran.result.stats;
    EXPECT_EQ(stats.sm.bytesToNetwork, stats.memory.requests.bytes);
    EXPECT_EQ(stats.memory.partition.bytesFromNetwork, stats.memory.requests.deliveredBytes);
    EXPECT_EQ(stats.l1d.bytesFromBelow, header + kLine + header) << "the line, and that the store is done";
    const u64 flits = (header + kLine + config.network.flitBytes - 1) / config.network.flitBytes;
    EXPECT_GE(stats.memory.responses.ejectedFlits, flits);
  }
}

// Words 0 and 64 of a lane lie in lines of one set; the line that goes was written twice.
TEST(Traffic, OfAWriteBackBelongsToTheLastWriter) {
  config::Machine config = fermi();
  config.l1d.bytes = 16 * kLine;
  config.l1d.ways = 1;
  config.l1d.setHash = "none";
  u32 first = 0, last = 0, displaces = 0;
  const Ran ran = run(config, [&](Assembler& code) {
    first = code.here();
    code.store(Space::local, DataType::u32, imm(0), R(10));
    last = code.here();
    code.store(Space::local, DataType::u32, imm(0), R(10));
    displaces = code.here();
    code.store(Space::local, DataType::u32, imm(64), R(10));
  });
  ASSERT_EQ(ran.result.stats.l1d.writeBacks, 1u);
  EXPECT_EQ(ran.at(first).requests.bytes, 0u);
  EXPECT_EQ(ran.at(last).requests.bytes, kHeader + kLine);
  EXPECT_EQ(ran.at(last).l2.accesses, 1u);
  EXPECT_EQ(ran.at(displaces).requests.bytes, 0u);
}

TEST(Traffic, OfInstructionFetchesBelongsToTheInstructionsFetched) {
  config::Machine config = fermi();
  config.sm.fetchWidth = config.sm.instructionBuffer = 1;
  const Ran ran = run(config, [](Assembler& code) {
    for (u32 i = 0; i < 20; ++i) code.emit(Opcode::add, DataType::u32, {R(5)}, {R(6), R(7)});
  });
  // 8 instructions of 16 bytes a line.
  for (u32 pc = 0; pc < 20; ++pc) {
    EXPECT_EQ(ran.at(pc).l1i.accesses, 1u) << pc;
    EXPECT_EQ(ran.at(pc).l1i.hits, pc % (config.l1i.lineBytes / 16) == 0 ? 0u : 1u) << pc;
  }
}

// The sum over the instructions and the rest is what the parts count, also of what a launch before has left behind, with any number of
// threads.
TEST(Traffic, AddsUpToTheCountersOfTheParts) {
  config::Machine config = fermi(2);
  config.l1d.bytes = 2048;
  config.l1i.bytes = 512;
  config.l2.bytes = 2048;
  config.l2CacheBytes = u64{config.l2.bytes} * config.partition.slices * config.dram.channels;
  config.sm.fetchWidth = config.sm.instructionBuffer = 2;
  config::validate(config);
  const testing::RandomProgramOptions shape;
  const isa::Program program = compiler::compile(ptx::parse(testing::randomProgram(7, shape), "test.ptx"), {});
  std::vector<mem::TrafficByPc> traffic;
  std::vector<mem::Traffic> others;
  for (const u32 threads : {1u, 2u, 3u}) {
    TimedMachine machine(config, {.threads = threads, .lines = true});
    constexpr u32 kThreads = 96, kBlocks = 6;
    auto* in = machine.array<u32>(kThreads * kBlocks * testing::kInputWords);
    auto* out = machine.array<u8>(u64{kThreads} * kBlocks * testing::outputBytes(shape));
    const auto& loaded = machine.load(program);
    machines::TimedResult result;
    for (u32 launch = 0; launch < 2; ++launch) {
      result = machine.run(loaded, {kBlocks}, {kThreads}, {reinterpret_cast<u64>(out), reinterpret_cast<u64>(in)});
      ASSERT_EQ(result.violations, std::vector<std::string>{});
    }
    mem::Traffic sum = result.otherTraffic;
    for (const mem::Traffic& each : result.traffic) stats::merge(sum, each);
    EXPECT_EQ(sum.l1d.accesses, result.stats.l1d.accesses.total());
    EXPECT_EQ(sum.l1i.hits, result.stats.l1i.hits.total());
    EXPECT_EQ(sum.l2.accesses, result.stats.memory.partition.l2.accesses.total());
    EXPECT_EQ(sum.dram.bytesRead + sum.dram.bytesWritten, result.stats.memory.dram.movedBytes);
    EXPECT_NE(result.otherTraffic.dram.bytesWritten, 0u) << "dirty lines of the first launch";
    traffic.push_back(result.traffic);
    others.push_back(result.otherTraffic);
  }
  EXPECT_EQ(traffic[1], traffic[0]);
  EXPECT_EQ(traffic[2], traffic[0]);
  EXPECT_EQ(others[1], others[0]);
  EXPECT_EQ(others[2], others[0]);
}

TEST(Traffic, IsNotCountedUnlessLinesAreAskedFor) {
  Assembler code;
  code.exit();
  code.function("k").registers = 8;
  TimedMachine machine(fermi());
  EXPECT_TRUE(machine.run(code.program, {1}, {32}).traffic.empty());
}

}  // namespace
}  // namespace warpwright
