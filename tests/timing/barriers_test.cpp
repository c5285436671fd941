// Barriers of a block: when the warps that meet there go on.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "two_rounds.hpp"

namespace warpwright {
namespace {

using config::Machine;
using testing::Assembler;
using testing::fermi;
using testing::kBegin;
using testing::second;
using testing::Step;
using testing::TimedMachine;

constexpr u32 kBarriers = 8;  // of each round

isa::Program meetings() {
  return testing::twice([](Assembler& code) {
    for (u32 i = 0; i < kBarriers; ++i) code.barrier();
  });
}

Machine fourSchedulers(u32 latency, u32 interval) {
  Machine machine = fermi();
  machine.schedulersPerSm = 4;
  machine.sm.barrierLatency = latency;
  machine.sm.barrierInterval = interval;
  return machine;
}

// Of the warps, when each issues its barrier of that number in the second round.
std::vector<u64> arrivals(const TimedMachine& machine, u32 warps, u32 barrier) {
  std::vector<u64> result;
  for (u32 warp = 0; warp < warps; ++warp) result.push_back(second(machine, kBegin + barrier, warp).issued);
  return result;
}

TEST(Barriers, LetWarpsGoOneAfterTheOther) {
  for (const auto& [latency, interval] : {std::pair{14u, 2u}, {20u, 0u}, {5u, 3u}, {0u, 4u}}) {
    for (const u32 warps : {1u, 2u, 3u, 8u, 32u}) {
      TimedMachine machine(fourSchedulers(latency, interval));
      machine.run(meetings(), {1}, {warps * 32});
      for (u32 barrier = 1; barrier < kBarriers; ++barrier) {
        const std::vector<u64> before = arrivals(machine, warps, barrier - 1), after = arrivals(machine, warps, barrier);
        const u64 opened = *std::max_element(before.begin(), before.end());
        for (u32 warp = 0; warp < warps; ++warp)
          EXPECT_GE(after[warp], opened + latency + warp * interval) << warps << " warps, " << latency << " + " << interval;
        if (interval == 0) continue;
        // Warps that come one after the other meet nobody at the schedulers.
        for (u32 warp = 1; warp < warps; ++warp) EXPECT_EQ(after[warp], opened + latency + warp * interval) << warp;
      }
    }
  }
}

// data/hardware/h100/micro.csv: 14, 16, 20.75, 28.625, 45.875 and 78.625 cycles.
TEST(Barriers, TakeWhatTheH100Measured) {
  const Machine h100 = config::loadMachine("h100");
  for (const auto& [warps, expected] : {std::pair{1u, 14u}, {2u, 16u}, {4u, 20u}, {8u, 28u}, {16u, 44u}, {32u, 76u}}) {
    TimedMachine machine(fourSchedulers(h100.sm.barrierLatency, h100.sm.barrierInterval));
    machine.run(meetings(), {1}, {warps * 32});
    EXPECT_EQ(second(machine, kBegin + 6).issued - second(machine, kBegin + 5).issued, expected) << warps;
  }
}

// The second half of the warps only says that it has come: it goes on at once, and the first half waits for it.
TEST(Barriers, DelayOnlyThoseThatWait) {
  Assembler code;
  code.program.addressBits = 64;
  code.special(0, isa::SpecialRegister::tid_x);
  code.compare(0, isa::Compare::ge, isa::DataType::u32, testing::R(0), testing::imm(32));
  const u32 branch = code.branch(testing::P(0));
  code.emit(isa::Opcode::bar_sync, isa::DataType::u32, {}, {testing::imm(1), testing::imm(64)}).modifiers.aligned = true;
  const u32 behindSync = code.here();
  code.exit();
  code.at(branch).target = code.at(branch).reconvergence = code.here();
  const u32 arrive = code.here();
  code.emit(isa::Opcode::bar_arrive, isa::DataType::u32, {}, {testing::imm(1), testing::imm(64)}).modifiers.aligned = true;
  code.exit();
  code.function("k").registers = 8;
  const auto timesWith = [&](u32 latency) {
    TimedMachine machine(fourSchedulers(latency, 0));
    machine.run(code.program, {1}, {64});
    const auto issued = [&](u32 pc, u32 warp) { return machine.timeline().at(pc, warp).at(0).issued; };
    return std::pair{issued(behindSync, 0) - issued(arrive, 1), issued(arrive + 1, 1) - issued(arrive, 1)};
  };
  EXPECT_EQ(timesWith(500).first, 500u);
  EXPECT_EQ(timesWith(500).second, timesWith(0).second);
}

TEST(Barriers, SkippingChangesNothing) {
  const auto cyclesWith = [](bool skip) {
    machines::TimingOptions options;
    options.skip = skip;
    TimedMachine machine(fourSchedulers(40, 3), options);
    return machine.run(meetings(), {4}, {5 * 32}).cycles;
  };
  EXPECT_EQ(cyclesWith(true), cyclesWith(false));
}

TEST(Barriers, WhoIsAboutToGoOnIsChargedToTheBarrier) {
  const auto slotsWith = [](u32 latency) {
    TimedMachine machine(fourSchedulers(latency, 0));
    return machine.run(meetings(), {1}, {4 * 32}).stats.sm.slots;
  };
  const auto without = slotsWith(0), with = slotsWith(100);
  // Four schedulers with a warp each; a barrier takes a cycle without the latency.
  EXPECT_NEAR(static_cast<double>(with[sm::Slot::barrier] - without[sm::Slot::barrier]), 4.0 * 2 * kBarriers * 100,
              4.0 * 2 * kBarriers * 2);
  EXPECT_LE(with[sm::Slot::fetch], without[sm::Slot::fetch] + 4 * 2 * kBarriers);
}

}  // namespace
}  // namespace warpwright
