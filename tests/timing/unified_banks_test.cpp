// Loads through L1 on machines whose L1 keeps its data in the banks of shared memory.
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
using testing::Step;
using testing::TimedMachine;

constexpr u32 kFirstLoad = kBegin + 2;  // the first of them

// Each lane loads from `strideBytes` behind the lane before it, so many times. In the second round L1 has the lines.
isa::Program cachedLoads(u32 strideBytes, DataType type = DataType::u32, u32 times = 1) {
  isa::Program program = testing::twice([&](Assembler& code) {
    code.special(2, isa::SpecialRegister::laneid);
    code.elementAddress(8, 0, R(2), strideBytes);
    for (u32 i = 0; i < times; ++i) code.load(Space::global, type, 12 + 2 * i, R(8));
    for (u32 i = 0; i < times; ++i) code.emit(Opcode::add, DataType::u32, {R(5)}, {R(12 + 2 * i), R(5)});
  });
  program.functions.front().parameterBytes = 8;
  return program;
}

struct RunOfLoads {
  explicit RunOfLoads(const Machine& config, const isa::Program& program, const machines::TimingOptions& options = {})
      : machine(config, options), result(machine.run(program, {1}, {32}, {reinterpret_cast<u64>(machine.array<u32>(4096))})) {}

  u64 cyclesOf(u32 pc) const { return second(machine, pc).completed - second(machine, pc).issued; }

  TimedMachine machine;
  machines::TimedResult result;
};

// Without operand collectors, whose banks would meet the results of so many loads.
Machine unifiedFermi() {
  Machine config = fermi();
  config.sm.collectors = 0;
  config.sm.unifiedBanks = true;
  config.sm.passLatency = 2;
  config.l1d.ports = 4;
  return config;
}

// L1 and the banks as the H100 has them.
Machine asH100() {
  const Machine h100 = config::loadMachine("h100");
  Machine config = fermi();
  config.sm.coalescing = h100.sm.coalescing;
  config.sm.unifiedBanks = h100.sm.unifiedBanks;
  config.sm.passLatency = h100.sm.passLatency;
  config.l1d = h100.l1d;
  return config;
}

// data/hardware/h100/micro.csv, `coalescing`: cycles that a warp takes more than lanes of one word, by stride in words from 1 on.
TEST(UnifiedBanks, TakeWhatTheH100MeasuredAtEveryStride) {
  constexpr u32 kMeasured[] = {0, 2, 0, 6, 1, 3, 1, 15, 2, 4, 2, 8, 3, 5, 3, 33, 4, 6, 4, 10, 5, 7, 5, 19, 6, 8, 6, 12, 7, 9, 7, 69};
  const Machine config = asH100();
  const u64 oneWord = RunOfLoads(config, cachedLoads(0)).cyclesOf(kFirstLoad);
  EXPECT_EQ(oneWord, config::cyclesToPipe(config.sm) + 1 + config.l1d.hitLatency + 1);
  for (u32 stride = 1; stride <= std::size(kMeasured); ++stride)
    EXPECT_EQ(RunOfLoads(config, cachedLoads(stride * 4)).cyclesOf(kFirstLoad) - oneWord, kMeasured[stride - 1]) << "stride " << stride;
}

// 127 bytes a cycle were measured, of loads of 64 bits a lane.
TEST(UnifiedBanks, GiveAWordOfEachBankACycle) {
  for (const auto& [type, bytes] : {std::pair{DataType::u32, 4u}, {DataType::u64, 8u}}) {
    for (const bool isUnified : {true, false}) {
      constexpr u32 kTimes = 8;
      Machine config = unifiedFermi();
      config.sm.unifiedBanks = isUnified;
      const RunOfLoads run(config, cachedLoads(bytes, type, kTimes));
      const u64 cycles = second(run.machine, kFirstLoad + kTimes - 1).completed - second(run.machine, kFirstLoad).completed;
      EXPECT_EQ(cycles, (kTimes - 1) * (isUnified ? bytes / 4 : 1)) << bytes << " bytes a lane, " << isUnified;
      EXPECT_EQ(run.result.stats.sm.loadStore.cachePasses, isUnified ? 2 * kTimes * bytes / 4 : 0);
    }
  }
}

// Of a lane's bytes beyond those that fill the banks once, each pass comes behind the last.
TEST(UnifiedBanks, WideLoadsWaitForTheirFurtherPasses) {
  const Machine config = unifiedFermi();
  EXPECT_EQ(RunOfLoads(config, cachedLoads(8, DataType::u64)).cyclesOf(kFirstLoad),
            RunOfLoads(config, cachedLoads(4)).cyclesOf(kFirstLoad) + config.sm.passLatency);
}

TEST(UnifiedBanks, AreSharedWithSharedMemory) {
  constexpr u32 kDegree = 8;
  const auto cyclesWith = [](bool isUnified) {
    isa::Program program = testing::twice([](Assembler& code) {
      code.special(2, isa::SpecialRegister::laneid);
      code.elementAddress(8, 0, R(2));
      code.emit(Opcode::mul_lo, DataType::u32, {R(2)}, {R(2), imm(kDegree * 4)});
      code.load(Space::shared, DataType::u32, 4, R(2)).modifiers.wordAddress = true;
      code.load(Space::global, DataType::u32, 12, R(8));
      code.emit(Opcode::add, DataType::u32, {R(5)}, {R(4), R(12)});
    });
    program.functions.front().sharedBytes = 32 * kDegree * 4;
    program.functions.front().parameterBytes = 8;
    Machine config = unifiedFermi();
    config.sm.unifiedBanks = isUnified;
    const RunOfLoads run(config, program);
    EXPECT_EQ(second(run.machine, kBegin + 4).issued - second(run.machine, kBegin + 3).issued, 1u);
    return run.cyclesOf(kBegin + 4);
  };
  // The load comes a cycle behind the access to shared memory, whose passes it has to wait for.
  EXPECT_EQ(cyclesWith(true) - cyclesWith(false), kDegree - 1);
}

TEST(UnifiedBanks, ServeWordsOfLocalMemoryAndNoStores) {
  constexpr u32 kWords = 3;
  isa::Program program = testing::twice([](Assembler& code) {
    for (u32 word = 0; word < kWords; ++word) code.store(Space::local, DataType::u32, imm(word * 4), R(10));
    for (u32 word = 0; word < kWords; ++word) code.load(Space::local, DataType::u32, 12 + word, imm(word * 4));
  });
  program.functions.front().localBytes = 64;
  program.functions.front().parameterBytes = 8;
  EXPECT_EQ(RunOfLoads(unifiedFermi(), program).result.stats.sm.loadStore.cachePasses, 2 * kWords);
}

TEST(UnifiedBanks, LoadsBesideL1TakeNone) {
  isa::Program program = cachedLoads(128);
  program.code[kFirstLoad].modifiers.cache = isa::CacheOp::cg;
  EXPECT_EQ(RunOfLoads(unifiedFermi(), program).result.stats.sm.loadStore.cachePasses, 0u);
}

TEST(UnifiedBanks, SkippingChangesNothing) {
  const auto cyclesWith = [](bool skip) {
    machines::TimingOptions options;
    options.skip = skip;
    return RunOfLoads(unifiedFermi(), cachedLoads(64, DataType::u64, 4), options).result.cycles;
  };
  EXPECT_EQ(cyclesWith(true), cyclesWith(false));
}

}  // namespace
}  // namespace warpwright
