// What a fence takes that has nothing to wait for.
#include <gtest/gtest.h>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using testing::Assembler;
using testing::fermi;
using testing::kBegin;
using testing::second;
using testing::TimedMachine;

constexpr u32 kFences = 4;  // of each round

isa::Program fences(isa::Scope scope) {
  return testing::twice([&](Assembler& code) {
    for (u32 i = 0; i < kFences; ++i) code.emit(isa::Opcode::fence, isa::DataType::u32).modifiers.scope = scope;
  });
}

Machine withLatencies(const config::Sm& sm) {
  Machine machine = fermi();
  machine.sm.fenceBlockLatency = sm.fenceBlockLatency;
  machine.sm.fenceLatency = sm.fenceLatency;
  machine.sm.fenceSystemLatency = sm.fenceSystemLatency;
  return machine;
}

u64 cyclesEach(const Machine& config, isa::Scope scope, u32 warps = 1, bool skip = true) {
  machines::TimingOptions options;
  options.skip = skip;
  TimedMachine machine(config, options);
  machine.run(fences(scope), {1}, {32 * warps});
  return second(machine, kBegin + 2).issued - second(machine, kBegin + 1).issued;
}

// data/hardware/h100-3/hopper.csv, fences of one warp.
TEST(Fences, TakeWhatTheH100Measured) {
  const Machine machine = withLatencies(config::loadMachine("h100").sm);
  EXPECT_EQ(cyclesEach(machine, isa::Scope::cta), 30u);
  EXPECT_EQ(cyclesEach(machine, isa::Scope::gpu), 293u);
  EXPECT_EQ(cyclesEach(machine, isa::Scope::sys), 1044u);
  EXPECT_EQ(cyclesEach(machine, isa::Scope::gpu, 1, false), 293u) << "without skipping";
}

// hopper.csv, "fence behind a store": a block's fence takes 43 cycles and the GPU's 560, as only the latter waits until L2 has the store.
TEST(Fences, OfABlockWaitForNoStore) {
  const auto behindAStore = [](const config::Sm& latencies, isa::Scope scope) {
    TimedMachine machine(withLatencies(latencies));
    isa::Program program = testing::twice([&](Assembler& code) {
      code.elementAddress(2, 0, testing::imm(0));
      code.store(isa::Space::global, isa::DataType::u32, testing::R(2), testing::R(4));
      code.emit(isa::Opcode::fence, isa::DataType::u32).modifiers.scope = scope;
    });
    program.functions.front().parameterBytes = 8;
    machine.run(program, {1}, {32}, {reinterpret_cast<u64>(machine.array<u32>(1))});
    return second(machine, kBegin + 3).issued - second(machine, kBegin + 1).issued;
  };
  EXPECT_LE(behindAStore({.fenceBlockLatency = 30}, isa::Scope::cta), 33u);
  EXPECT_GT(behindAStore({.fenceBlockLatency = 30}, isa::Scope::gpu), 100u);
  EXPECT_GT(behindAStore({}, isa::Scope::cta), 100u) << "a machine that says nothing of blocks";
}

TEST(Fences, HoldTheirWarpAlone) {
  const Machine machine = withLatencies({.fenceLatency = 100});
  EXPECT_EQ(cyclesEach(machine, isa::Scope::gpu, 8), 100u) << "eight warps fence side by side";
  EXPECT_EQ(cyclesEach(machine, isa::Scope::cta), cyclesEach(fermi(), isa::Scope::cta)) << "a scope that has no latency";
}

TEST(Fences, AreWhatTheirWarpWaitsFor) {
  const auto slotsWith = [](u32 latency) {
    TimedMachine machine(withLatencies({.fenceLatency = latency}));
    return machine.run(fences(isa::Scope::gpu), {1}, {32}).stats.sm.slots;
  };
  const auto without = slotsWith(0), with = slotsWith(100);
  EXPECT_NEAR(static_cast<double>(with[sm::Slot::fence] - without[sm::Slot::fence]), 2.0 * kFences * 100, 2.0 * kFences * 12);
}

}  // namespace
}  // namespace warpwright
