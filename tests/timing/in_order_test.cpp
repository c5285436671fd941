// Kernels whose cycles can be counted by hand on the machine of Gou's elastic pipeline study ("Customizable Memory Schemes for Data
// Parallel Accelerators", table 5.4): 24 stages, 4 of them for memory, 8 lanes, strict barrel processing.
//
// A loop runs each piece of code twice; the second time all of it lies in the instruction cache.
#include <gtest/gtest.h>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::DataType;
using isa::Opcode;
using isa::Space;
using sm::Slot;
using testing::Assembler;
using testing::chainOfAdds;
using testing::imm;
using testing::kBegin;
using testing::R;
using testing::second;
using testing::sharedLoads;
using testing::Step;
using testing::TimedMachine;
using testing::twice;

constexpr u32 kSubWarps = 4;

Machine barrel() {
  Machine machine = config::loadMachine("gt200-elastic");
  machine.multiprocessors = 1;
  machine.l1i.bytes = 64 * 1024;
  config::validate(machine);
  return machine;
}

Machine ofWidth(u32 lanes) {
  Machine machine = barrel();
  for (config::Pipes* pipes : {&machine.sm.integer, &machine.sm.fp32, &machine.sm.loadStore}) pipes->width = lanes;
  return machine;
}

isa::Program independentAdds(u32 length) {
  return twice([&](Assembler& code) {
    for (u32 i = 0; i < length; ++i) code.emit(Opcode::add, DataType::u32, {R(4 + i % 8)}, {R(20), R(21)});
  });
}

TEST(InOrder, AChainTakesThePipelinesLengthForEachInstruction) {
  for (const u32 stages : {12u, 24u, 28u}) {
    for (const u32 lanes : {8u, 16u, 32u}) {
      Machine config = ofWidth(lanes);
      config.sm.stages = stages;
      TimedMachine machine(config);
      constexpr u32 kLength = 20;
      machine.run(chainOfAdds(kLength), {1}, {32});
      for (u32 i = 1; i < kLength; ++i)
        ASSERT_EQ(second(machine, kBegin + i).issued - second(machine, kBegin + i - 1).issued, stages) << lanes << " lanes, " << i;
    }
  }
}

// 24 stages x 8 lanes: 192 threads, six warps, hide the pipeline (section 5.3.1).
TEST(InOrder, SixWarpsHideThePipeline) {
  for (const u32 warps : {1u, 3u, 5u, 6u, 7u, 8u, 16u}) {
    TimedMachine machine(barrel());
    machine.run(chainOfAdds(40), {1}, {warps * 32});
    const u64 each = std::max<u64>(24, u64{warps} * kSubWarps);
    for (u32 warp = 0; warp < warps; ++warp)
      for (u32 i = 20; i < 30; ++i)
        ASSERT_EQ(second(machine, kBegin + i, warp).issued - second(machine, kBegin + i - 1, warp).issued, each)
            << warps << " warps, instruction " << i << " of warp " << warp;
  }
}

// A strict barrel has one instruction of a warp in flight; a relaxed one as many as are independent.
TEST(InOrder, ARelaxedBarrelIssuesIndependentInstructionsBackToBack) {
  for (const auto& [scheduler, each] : {std::pair{"strict_barrel", 24u}, std::pair{"relaxed_barrel", kSubWarps}}) {
    Machine config = barrel();
    config.sm.scheduler = scheduler;
    config.sm.fetchWidth = 8;
    config.sm.instructionBuffer = 16;
    TimedMachine machine(config);
    machine.run(independentAdds(48), {1}, {32});
    EXPECT_EQ(second(machine, kBegin + 40).issued - second(machine, kBegin + 16).issued, 24u * each);
  }
}

// --- shared memory

// Eight lanes meet in eight banks: stride k has degree gcd(k, 8), and each of the four sub-warps waits for itself. The pipeline stands
// still for that long.
TEST(InOrder, AConflictOfDegreeKStopsThePipelineForKMinusOneCyclesASubWarp) {
  for (const auto& [stride, degree] : {std::pair{0u, 1u}, {1u, 1u}, {2u, 2u}, {3u, 1u}, {4u, 4u}, {6u, 2u}, {8u, 8u}}) {
    TimedMachine machine(barrel());
    const auto result = machine.run(sharedLoads(stride), {1}, {32});
    const Step load = second(machine, kBegin + 2);
    const u64 conflict = (degree - 1) * kSubWarps;
    EXPECT_EQ(load.completed - load.issued, 24 + conflict) << "stride " << stride;
    EXPECT_EQ(second(machine, kBegin + 3).issued, load.completed);
    EXPECT_EQ(result.stats.sm.slots[Slot::bankConflict], 2 * conflict);
    EXPECT_EQ(result.stats.sm.loadStore.sharedPasses, 2 * degree * kSubWarps);
  }
}

// Warps that load and warps that add, eight together: the pipeline is always full, and each conflict costs all of them its cycles. Split
// memory stages let others pass by, but what they gain they lose at write-back (figure 5.4).
TEST(InOrder, ConflictsCostAFullPipelineTheSameWithSplitStages) {
  u64 cycles[2][2];
  for (const bool split : {false, true}) {
    for (const bool conflicts : {false, true}) {
      Machine config = barrel();
      config.sm.splitMemoryStages = split;
      TimedMachine machine(config);
      const auto result = machine.run(sharedLoads(conflicts ? 8 : 1), {1}, {16 * 32});
      cycles[split][conflicts] = result.cycles;
    }
  }
  EXPECT_EQ(cycles[0][1] - cycles[0][0], 2 * 16 * 7 * kSubWarps);
  EXPECT_EQ(cycles[1][0], cycles[0][0]);
  EXPECT_LE(cycles[1][1], cycles[0][1]);
  EXPECT_GT(cycles[1][1], cycles[1][0] + 2 * 16 * 7 * kSubWarps / 2);
}

// --- branches, barriers, global memory

TEST(InOrder, EveryInstructionPassesAllStages) {
  TimedMachine machine(barrel());
  machine.run(twice([](Assembler& code) {
                code.jump(code.here() + 1);
                code.barrier();
                code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(1)});
                code.emit(Opcode::div, DataType::u32, {R(5)}, {R(5), R(6)});
                code.emit(Opcode::mov, DataType::u32, {R(5)}, {imm(1)});
              }),
              {1}, {32});
  for (u32 i = 0; i < 4; ++i) EXPECT_EQ(second(machine, kBegin + i + 1).issued - second(machine, kBegin + i).issued, 24u) << i;
}

// One lane of double precision a cycle: a warp takes 32 slots.
TEST(InOrder, NarrowUnitsTakeMoreSlots) {
  TimedMachine machine(barrel());
  machine.run(twice([](Assembler& code) {
                for (u32 i = 0; i < 20; ++i) code.emit(Opcode::add, DataType::f64, {R(4)}, {R(6), R(8)});
              }),
              {1}, {8 * 32});
  EXPECT_EQ(second(machine, kBegin + 15).issued - second(machine, kBegin + 14).issued, 8 * 32u);
}

// All cycles of the front end are accounted for: issues, the sub-warps behind them, stalls, and cycles in which no warp was ready.
TEST(InOrder, SlotsAddUp) {
  TimedMachine machine(barrel());
  const auto result = machine.run(sharedLoads(4), {6}, {256});
  const sm::SmStats& stats = result.stats.sm;
  EXPECT_TRUE(result.violations.empty());
  EXPECT_EQ(stats.slots.total(), stats.cycles);
  EXPECT_EQ(stats.slots[Slot::issued], stats.warpInstructions);
  EXPECT_LE(stats.slots[Slot::subWarps], stats.warpInstructions * (kSubWarps - 1));
  EXPECT_EQ(stats.slots[Slot::bankConflict], 6 * 8 * 2 * 3 * kSubWarps);
}

}  // namespace
}  // namespace warpwright
