// Matrix products of warp groups, whose cycles follow from the rate of the matrix pipes and from what they read of shared memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/compiler.hpp"
#include "ptx/parser.hpp"
#include "timed_machine.hpp"

namespace warpwright {
namespace {

using config::Machine;
using isa::Opcode;
using testing::Step;
using testing::TimedMachine;

constexpr u32 kWarps = 4;
// From issue to the pipe, without collectors.
constexpr u64 kIssueToPipe = 1;

Machine hopper() {
  Machine machine = config::loadMachine("h100");
  machine.multiprocessors = 1;
  machine.sm.perfectFetch = true;
  machine.sm.prefetchLines = 0;
  config::validate(machine);
  return machine;
}

std::string sums(u32 n, u32 first) {
  std::string text;
  for (u32 i = 0; i < n / 2; ++i) text += fmt::format("{}%d{}", i ? ", " : "", first + i);
  return text;
}

std::string product(u32 n, bool inRegisters = false, u32 first = 0) {
  return fmt::format("wgmma.mma_async.sync.aligned.m64n{}k16.f32.f16.f16 {{{}}}, {}, %b, 1, 1, 1, 0{};\n", n, sums(n, first),
                     inRegisters ? "{%x, %x, %x, %x}" : "%b", inRegisters ? "" : ", 0");
}

constexpr const char* kCommit = "wgmma.commit_group.sync.aligned;\n";
std::string wait(u32 left) { return fmt::format("wgmma.wait_group.sync.aligned {};\n", left); }

// All matrices lie at the beginning of shared memory; distances of 128 and 256 bytes.
isa::Program programOf(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n.shared .align 128 .b8 tile[10240];\n"
      ".reg .f32 %d<256>;\n.reg .b32 %x, %y;\n.reg .b64 %b;\n"
      "mov.u32 %x, tile;\nshr.u32 %x, %x, 4;\ncvt.u64.u32 %b, %x;\nor.b64 %b, %b, 0x1000080000;\n" +
      body + "ret;\n}\n";
  return compiler::compile(ptx::parse(text, "test.ptx"));
}

class Timed {
 public:
  explicit Timed(const std::string& body, const Machine& machine = hopper()) : program_(programOf(body)), machine_(machine) {
    machine_.run(program_, {1}, {32 * kWarps});
  }

  // The steps of a warp at all instructions of the operation, in the order of the program.
  std::vector<Step> at(Opcode opcode, u32 warp = 0) const {
    std::vector<Step> steps;
    for (u32 pc = 0; pc < program_.code.size(); ++pc) {
      if (program_.code[pc].opcode != opcode) continue;
      for (const Step& step : machine_.timeline().at(pc, warp)) steps.push_back(step);
    }
    return steps;
  }

 private:
  isa::Program program_;
  TimedMachine machine_;
};

std::string repeated(const std::string& text, u32 times) {
  std::string all;
  for (u32 i = 0; i < times; ++i) all += text;
  return all;
}

// 2048 multiply-adds of f16 a cycle and SM: 64 x 256 x 16 of them take 128 cycles.
TEST(WarpGroups, ProductsOfTheWidestShapeFollowEachOtherEvery128Cycles) {
  constexpr u32 kProducts = 8;
  const Timed run(repeated(product(256), kProducts) + kCommit + wait(0));
  for (u32 warp = 0; warp < kWarps; ++warp) {
    const std::vector<Step> steps = run.at(Opcode::wgmma, warp);
    ASSERT_EQ(steps.size(), kProducts);
    for (u32 i = 1; i < kProducts; ++i) EXPECT_EQ(steps[i].dispatched - steps[i - 1].dispatched, 128u) << warp << " " << i;
  }
}

// Columns at the pipes' rate, or lines of 32 bytes at 128 bytes a cycle.
TEST(WarpGroups, NarrowProductsWaitForSharedMemory) {
  const std::pair<u32, bool> products[] = {{8, false},   {16, false}, {32, false}, {64, false}, {96, false},
                                           {200, false}, {40, true},  {56, true},  {128, true}};
  for (const auto& [n, inRegisters] : products) {
    const Timed run(repeated(product(n, inRegisters), 4) + kCommit + wait(0));
    const std::vector<Step> steps = run.at(Opcode::wgmma);
    const u64 expected = std::max(n / 2, n / 4 + (inRegisters ? 0 : 16));
    for (u32 i = 1; i < steps.size(); ++i)
      EXPECT_EQ(steps[i].dispatched - steps[i - 1].dispatched, expected) << n << " columns, " << inRegisters;
  }
}

TEST(WarpGroups, ThePipesRateIsTheMachines) {
  Machine machine = hopper();
  machine.sm.groupMatrix.interval = 16;
  const Timed run(repeated(product(64), 4) + kCommit + wait(0), machine);
  const std::vector<Step> steps = run.at(Opcode::wgmma);
  for (u32 i = 1; i < steps.size(); ++i) EXPECT_EQ(steps[i].dispatched - steps[i - 1].dispatched, 16u * 64 / 8);
}

// The warp goes on behind a product, and the wait ends when the last columns have come out: as long after the pipe is free as a product of
// eight columns takes beyond its own interval.
TEST(WarpGroups, TheWaitIsForTheProductAndNothingElseIs) {
  const Machine machine = hopper();
  const Timed run(product(256) + kCommit + "add.u32 %y, %x, 1;\nst.shared.u32 [tile], %y;\n" + wait(0));
  const Step first = run.at(Opcode::wgmma).at(0);
  EXPECT_LT(run.at(Opcode::st).at(0).issued, first.issued + 20);
  const u64 behind = machine.sm.groupMatrix.latency - kIssueToPipe - machine.sm.groupMatrix.interval;
  EXPECT_EQ(first.completed, first.dispatched + 128 + behind);
  EXPECT_EQ(run.at(Opcode::wgmma_wait).at(0).issued, first.completed);
}

TEST(WarpGroups, AWaitMayLeaveGroupsPending) {
  const Timed run(product(128) + kCommit + product(128) + kCommit + wait(1) + wait(0));
  const std::vector<Step> products = run.at(Opcode::wgmma), waits = run.at(Opcode::wgmma_wait);
  ASSERT_EQ(waits.size(), 2u);
  for (u32 i = 0; i < 2; ++i) EXPECT_EQ(waits[i].issued, products[i].completed) << i;
}

TEST(WarpGroups, WhatWasNotCommittedIsNotWaitedFor) {
  const Timed run(product(256) + kCommit + product(256) + wait(1) + kCommit + wait(0));
  const std::vector<Step> products = run.at(Opcode::wgmma), waits = run.at(Opcode::wgmma_wait);
  EXPECT_LT(waits[0].issued, products[0].completed) << "one group may be pending, and there is one";
  EXPECT_EQ(waits[1].issued, products[1].completed);
}

// Two groups of warps share the pipes: each gets every other turn.
TEST(WarpGroups, GroupsShareThePipes) {
  constexpr u32 kProducts = 6;
  const isa::Program program = programOf(repeated(product(256), kProducts) + kCommit + wait(0));
  TimedMachine machine(hopper());
  machine.run(program, {1}, {2 * 32 * kWarps});
  std::vector<u64> entered;
  for (const Step& step : machine.timeline().steps())
    if (program.code[step.what.pc].opcode == Opcode::wgmma) entered.push_back(step.dispatched);
  std::sort(entered.begin(), entered.end());
  ASSERT_EQ(entered.size(), 2 * kWarps * kProducts);
  EXPECT_EQ(entered.back() - entered.front(), 128u * (2 * kProducts - 1));
}

// The warps of a group need not come together, but none passes the wait before all have executed their products.
TEST(WarpGroups, NoWarpPassesTheWaitBeforeTheLastHasItsProduct) {
  const std::string late = ".reg .pred %late;\nmov.u32 %y, %tid.x;\nsetp.lt.u32 %late, %y, 96;\n@%late bra begin;\n" +
                           repeated("sqrt.rn.f32 %d255, %d255;\n", 20) + "st.shared.f32 [tile+8192], %d255;\nbegin:\n";
  const Timed run(late + product(64) + kCommit + wait(0) + "add.u32 %y, %x, %y;\nst.shared.u32 [tile], %y;\n");
  const u64 last = run.at(Opcode::wgmma, 3).at(0).completed;
  EXPECT_GT(last, run.at(Opcode::wgmma, 0).at(0).completed + 100);
  for (u32 warp = 0; warp < kWarps; ++warp) EXPECT_GE(run.at(Opcode::st, warp).back().issued, last) << warp;
}

}  // namespace
}  // namespace warpwright
