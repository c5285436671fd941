// Scheduling of random blocks: what depends on something comes after it, and nothing is lost.
#include "spe/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "spe/programs/program.hpp"

namespace warpwright::spe {
namespace {

Block randomBlock(std::mt19937& random) {
  const auto below = [&](u32 most) { return static_cast<u32>(random() % most); };
  Block block;
  ValueId next = 0;
  const u32 count = 2 + below(40);
  for (u32 i = 0; i < count; ++i) {
    constexpr std::array kOpcodes{Opcode::fa, Opcode::shufb, Opcode::lqd, Opcode::stqd, Opcode::ai, Opcode::fm};
    Instruction instruction{.opcode = kOpcodes[below(kOpcodes.size())]};
    for (std::size_t source = 0; source < 2 && next > 0; ++source) instruction.sources[source] = below(next);
    if (isLoad(instruction.opcode) || isStore(instruction.opcode)) {
      const u32 begin = 16 * below(4);
      instruction.touched = {begin, begin + 16};
    }
    if (!isStore(instruction.opcode)) instruction.target = next++;
    block.instructions.push_back(instruction);
  }
  block.instructions.push_back({.opcode = Opcode::br, .taken = true});
  return block;
}

bool mustFollow(const Instruction& first, const Instruction& second) {
  for (const ValueId source : second.sources)
    if (source != kNoValue && source == first.target) return true;
  return (isStore(first.opcode) || isStore(second.opcode)) && first.touched.overlaps(second.touched);
}

TEST(Schedule, KeepsWhatDependsInOrder) {
  std::mt19937 random(1);
  const Machine machine = machineOf("original");
  for (u32 round = 0; round < 300; ++round) {
    const Block block = randomBlock(random);
    const std::vector<u32> order = scheduled(block, machine);
    std::vector<u32> position(order.size());
    for (u32 i = 0; i < order.size(); ++i) position[order[i]] = i;
    std::vector<u32> sorted = order;
    std::ranges::sort(sorted);
    for (u32 i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
    EXPECT_EQ(order.back(), block.instructions.size() - 1) << "the branch is last";
    for (u32 i = 0; i < order.size(); ++i)
      for (u32 j = i + 1; j < order.size(); ++j)
        ASSERT_TRUE(!mustFollow(block.instructions[i], block.instructions[j]) || position[i] < position[j]);
  }
}

// Blocks of the same instructions are ordered differently where accesses meet.
TEST(Schedule, WhatIsRememberedIsWhatWouldBeFound) {
  std::mt19937 random(2);
  const Machine machine = machineOf("sams");
  Schedules schedules(machine);
  for (u32 round = 0; round < 100; ++round) {
    const Block block = randomBlock(random);
    Block apart = block;
    for (u32 i = 0; i < apart.instructions.size(); ++i)
      if (apart.instructions[i].touched.end != 0) apart.instructions[i].touched = {1024 * i, 1024 * i + 16};
    for (u32 again = 0; again < 2; ++again) {
      EXPECT_EQ(schedules.of(block), scheduled(block, machine));
      EXPECT_EQ(schedules.of(apart), scheduled(apart, machine));
    }
  }
}

// fluidanimate and streamcluster have their own tests, as they take seconds.
TEST(Schedule, MakesThePublishedLoopsFaster) {
  for (const char* const name : {"complex-multiplication", "transpose", "vector-matrix", "wilson-dirac"}) {
    const Program& program = programOf(name);
    for (const char* const spe : {"original", "sams"}) {
      u64 cycles[2];
      for (const Order order : {Order::program, Order::scheduled}) {
        Machine machine = machineOf(spe);
        machine.order = order;
        Spu spu(machine);
        EXPECT_EQ(program.run(spu), program.expected()) << name << ' ' << spe;
        spu.finish();
        EXPECT_TRUE(spu.statistics().isConserved());
        cycles[order == Order::scheduled] = spu.statistics().cycles;
      }
      EXPECT_LT(cycles[1], cycles[0]) << name << ' ' << spe;
    }
  }
}

}  // namespace
}  // namespace warpwright::spe
