// Clusters of blocks on the timed machine: where they are, what an access to another SM's shared memory takes, and that nothing of it
// depends on how many threads simulate.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "stats/json.hpp"
#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using isa::SpecialRegister;
using testing::Assembler;
using testing::fermi;
using testing::imm;
using testing::R;
using testing::second;
using testing::TimedMachine;

Machine clustered(u32 sms, u32 together) {
  Machine machine = testing::oneClock(fermi(sms));
  machine.clusterMultiprocessors = together;
  machine.sm.remoteSharedLatency = 180;
  machine.sm.remoteSharedBytes = 16;
  return machine;
}

// R4 the own rank, R5 the next of `blocks`, a power of two.
void ranks(Assembler& code, u32 blocks) {
  code.special(4, SpecialRegister::cluster_ctarank);
  code.emit(Opcode::add, DataType::u32, {R(5)}, {R(4), imm(1)});
  code.emit(Opcode::and_, DataType::u32, {R(5)}, {R(5), imm(blocks - 1)});
}

// R(to): what lies at R(offset) in the next block.
void map(Assembler& code, u32 to, u32 offset) { code.emit(Opcode::mapa, DataType::u32, {R(to)}, {R(offset), R(5)}); }

void barrier(Assembler& code) {
  code.emit(Opcode::fence, DataType::u32).modifiers.ordering = isa::Ordering::release;
  code.emit(Opcode::cluster_arrive, DataType::u32);
  code.emit(Opcode::cluster_wait, DataType::u32);
}

// In each round `lanes` lanes load a word of the next block each; gives the program and the load's place.
std::pair<isa::Program, u32> remoteLoads(u32 lanes) {
  u32 load = 0;
  isa::Program program = testing::twice([&](Assembler& code) {
    ranks(code, 2);
    code.special(6, SpecialRegister::laneid);
    code.compare(1, isa::Compare::lt, DataType::u32, R(6), imm(lanes));
    code.emit(Opcode::shl, DataType::u32, {R(6)}, {R(6), imm(2)});
    map(code, 7, 6);
    load = code.here();
    isa::Instruction& remote = code.load(Space::shared, DataType::u32, 8, R(7));
    remote.modifiers.wordAddress = true;
    remote.guard = testing::P(1);
    code.emit(Opcode::add, DataType::u32, {R(9)}, {R(8), R(8)});
    barrier(code);
  });
  program.functions.front().sharedBytes = 1024;
  return {std::move(program), load};
}

TEST(ClusterTiming, AnAccessToAnotherSmTakesItsLatencyAndItsBytes) {
  const Machine config = clustered(2, 2);
  for (const u32 lanes : {1u, 4u, 8u, 32u}) {
    const auto [program, load] = remoteLoads(lanes);
    TimedMachine machine(config);
    machine.cluster = Dim3{2, 1, 1};
    const auto result = machine.run(program, {2}, {32});
    const testing::Step step = second(machine, load);
    const u32 cycles = (lanes * 4 + 15) / 16;
    EXPECT_EQ(step.completed - step.issued, config::cyclesToPipe(config.sm) + config.sm.remoteSharedLatency + cycles - 1) << lanes;
    EXPECT_EQ(result.stats.sm.loadStore.remoteAccesses, 4u);
    EXPECT_EQ(result.stats.sm.loadStore.remoteBytes, 4u * 4 * lanes);
  }
}

// Warps of both SMs load from each other: each sends and receives 16 bytes a cycle.
TEST(ClusterTiming, TheWayBetweenSmsHasABandwidth) {
  constexpr u32 kWarps = 8, kLoads = 16;
  isa::Program program = testing::twice([&](Assembler& code) {
    ranks(code, 2);
    code.special(6, SpecialRegister::laneid);
    code.emit(Opcode::shl, DataType::u32, {R(6)}, {R(6), imm(2)});
    map(code, 7, 6);
    for (u32 i = 0; i < kLoads; ++i) code.load(Space::shared, DataType::u32, 10 + i, R(7)).modifiers.wordAddress = true;
    barrier(code);
  });
  program.functions.front().sharedBytes = 1024;
  TimedMachine machine(clustered(2, 2));
  machine.cluster = Dim3{2, 1, 1};
  const u64 cycles = machine.run(program, {2}, {32 * kWarps}).cycles;
  const u64 least = 2 * kWarps * kLoads * 128 / 16;
  EXPECT_GE(cycles, least);
  EXPECT_LE(cycles, least + 1500) << "two rounds of latency, and the barriers";
}

TEST(ClusterTiming, TheBarrierOpensWhenTheLastArrivalHasComeToAll) {
  u32 arrive = 0, wait = 0;
  isa::Program program = testing::twice([&](Assembler& code) {
    ranks(code, 2);
    // Rank 1 comes later.
    code.compare(1, isa::Compare::eq, DataType::u32, R(4), imm(0));
    const u32 first = code.branch(testing::P(1));
    for (u32 i = 0; i < 100; ++i) code.emit(Opcode::add, DataType::u32, {R(8)}, {R(8), R(8)});
    code.at(first).target = code.at(first).reconvergence = code.here();
    arrive = code.here();
    code.emit(Opcode::cluster_arrive, DataType::u32);
    wait = code.here();
    code.emit(Opcode::cluster_wait, DataType::u32);
  });
  const Machine config = clustered(2, 2);
  TimedMachine machine(config);
  machine.cluster = Dim3{2, 1, 1};
  machine.run(program, {2}, {32});
  u64 last = 0, behind = 0;
  for (u32 sm = 0; sm < 2; ++sm) {
    std::vector<u64> arrivals, next;
    for (const testing::Step& step : machine.timeline(sm).steps()) {
      if (step.what.pc == arrive) arrivals.push_back(step.issued);
      if (step.what.pc == wait + 1) next.push_back(step.issued);
    }
    ASSERT_EQ(arrivals.size(), 2u);
    ASSERT_EQ(next.size(), 2u);
    last = std::max(last, arrivals[1]);
    behind = std::max(behind, next[1]);
    EXPECT_GE(next[1], arrivals[1]);
  }
  EXPECT_GE(behind, last + config.sm.remoteSharedLatency / 2);
  EXPECT_LE(behind, last + config.sm.remoteSharedLatency / 2 + 20);
}

TEST(ClusterTiming, ClustersStayOnTheSmsOfAGroup) {
  Assembler code;
  code.program.addressBits = 64;
  code.special(0, SpecialRegister::tid_x);
  code.special(1, SpecialRegister::smid);
  code.special(4, SpecialRegister::ctaid_x);
  code.elementAddress(2, 0, R(4));
  code.store(Space::global, DataType::u32, R(2), R(1));
  barrier(code);
  code.exit();
  code.function("k").parameterBytes = 8;
  code.program.functions[0].registers = 16;
  TimedMachine machine(clustered(10, 4));  // groups of 4, 4 and 2
  machine.cluster = Dim3{4, 1, 1};
  u32* const sms = machine.array<u32>(64);
  machine.run(code.program, {64}, {32}, {reinterpret_cast<u64>(sms)});
  const auto group = [](u32 sm) { return std::min(sm / 4, 2u); };
  std::set<u32> used;
  for (u32 block = 0; block < 64; ++block) {
    EXPECT_EQ(group(sms[block]), group(sms[block / 4 * 4])) << block;
    used.insert(group(sms[block]));
  }
  EXPECT_EQ(used.size(), 3u) << "the group of two SMs holds several blocks on each";
}

// Stores, loads, atomics and polls between blocks, and what they leave in global memory.
isa::Program exchange() {
  Assembler code;
  code.program.addressBits = 64;
  ranks(code, 4);
  code.special(0, SpecialRegister::tid_x);
  code.special(1, SpecialRegister::ctaid_x);
  code.special(6, SpecialRegister::ntid_x);
  code.emit(Opcode::mad_lo, DataType::u32, {R(6)}, {R(1), R(6), R(0)});
  code.elementAddress(2, 0, R(6));
  code.emit(Opcode::shl, DataType::u32, {R(7)}, {R(0), imm(2)});
  map(code, 10, 7);
  code.emit(Opcode::mov, DataType::u32, {R(14)}, {imm(1024)});
  code.emit(Opcode::mov, DataType::u32, {R(16)}, {imm(0)});
  map(code, 12, 14);
  barrier(code);
  const u32 loop = code.here();
  code.store(Space::shared, DataType::u32, R(10), R(6)).modifiers.wordAddress = true;
  isa::Instruction& add = code.emit(Opcode::atom, DataType::u32, {R(11)}, {R(12), R(0)});
  add.modifiers.space = Space::shared;
  add.modifiers.atomic = isa::AtomicOp::add;
  add.modifiers.wordAddress = true;
  barrier(code);
  code.load(Space::shared, DataType::u32, 8, R(7)).modifiers.wordAddress = true;
  code.load(Space::shared, DataType::u32, 9, R(10)).modifiers.wordAddress = true;
  code.load(Space::shared, DataType::u32, 13, R(14)).modifiers.wordAddress = true;
  code.emit(Opcode::add, DataType::u32, {R(6)}, {R(8), R(9)});
  code.emit(Opcode::add, DataType::u32, {R(6)}, {R(6), R(13)});
  barrier(code);
  code.emit(Opcode::add, DataType::u32, {R(16)}, {R(16), imm(1)});
  code.compare(0, isa::Compare::lt, DataType::u32, R(16), imm(5));
  code.branch(testing::P(0), loop);
  code.store(Space::global, DataType::u32, R(2), R(6));
  code.exit();
  code.function("k").parameterBytes = 8;
  code.program.functions[0].registers = 32;
  code.program.functions[0].sharedBytes = 2048;
  return code.program;
}

TEST(ClusterTiming, GivesTheSameBitsHoweverSimulated) {
  constexpr u32 kBlocks = 32, kThreads = 96;
  TimedMachine functional(clustered(8, 4));
  functional.cluster = Dim3{4, 1, 1};
  u32* const expected = functional.array<u32>(kBlocks * kThreads);
  functional.runFunctionally(exchange(), {kBlocks}, {kThreads}, {reinterpret_cast<u64>(expected)});
  std::string first;
  for (const bool skip : {true, false}) {
    for (const u32 threads : {1u, 2u, 5u}) {
      machines::TimingOptions options;
      options.skip = skip;
      options.threads = threads;
      TimedMachine machine(clustered(8, 4), options);
      machine.cluster = Dim3{4, 1, 1};
      u32* const words = machine.array<u32>(kBlocks * kThreads);
      const auto result = machine.run(exchange(), {kBlocks}, {kThreads}, {reinterpret_cast<u64>(words)});
      EXPECT_TRUE(result.violations.empty()) << result.violations.front();
      EXPECT_TRUE(std::equal(words, words + kBlocks * kThreads, expected));
      const std::string all = std::to_string(result.cycles) + stats::toJson(result.stats).dump();
      if (first.empty()) first = all;
      EXPECT_EQ(all, first) << threads << " threads, skipping " << skip;
    }
  }
}

}  // namespace
}  // namespace warpwright
