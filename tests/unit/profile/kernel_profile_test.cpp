#include "profile/kernel_profile.hpp"

#include <gtest/gtest.h>

#include "launch_builder.hpp"
#include "profile/derived.hpp"

namespace warpwright::profile {
namespace {

using isa::DataType;
using isa::Opcode;
using isa::Space;
using testing::access;
using testing::Addresses;
using testing::HandMadeKernel;
using testing::operation;
using testing::strided;

constexpr Geometry kProfiledMachine{32, 32, 4};

struct Fixture : ::testing::Test {
  HandMadeKernel kernel{{access(Opcode::ld, Space::global, 10), operation(Opcode::fma, DataType::f32, 11),
                         access(Opcode::st, Space::global, 10), operation(Opcode::exit, DataType::u32, 0)}};
  Collector collector{kProfiledMachine};
  KernelProfile profile{"kernel", "kernel.ptx", 32};

  // A warp of 32 lanes, then one of 16.
  void launch() {
    kernel.result = {};
    kernel.result.counts.resize(4);
    kernel.result.blocksDone = 1;
    collector.begin(4);
    for (const LaneMask lanes : {LaneMask::first(32), LaneMask{0xffff}}) {
      kernel.access(collector, 0, strided(0x1000, 4), 4, lanes);
      kernel.issue(1, lanes);
      kernel.access(collector, 2, strided(0x2000, 8), 4, lanes);
      kernel.issue(3, lanes);
    }
  }
  void fold() { profile.add(kernel.request, kernel.result, 100, collector); }
};

TEST_F(Fixture, AddsUpClassesLanesAndTraffic) {
  kernel.launch->block = {48, 1, 1};
  launch();
  fold();
  const Counters& counters = profile.counters();
  EXPECT_EQ(counters.warpInstructions.total(), 8u);
  EXPECT_EQ(counters.warpInstructions[InstructionClass::fp32], 2u);
  EXPECT_EQ(counters.threadInstructions.total(), 4 * 48u);
  EXPECT_EQ(simdEfficiency(counters, 32), 0.75);
  EXPECT_EQ(counters.global.loads.sectors, 4u + 2u);
  EXPECT_EQ(counters.global.stores.sectors, 8u + 4u);
  EXPECT_EQ(sectorEfficiency(counters.global.stores), 0.5);
  EXPECT_EQ(lineEfficiency(counters.global.stores), (128.0 + 64.0) / (3 * 128.0));
  // The load reads a 64-bit address and writes one register, the store reads address and value.
  EXPECT_EQ(counters.registers.warpReads, 2u * 2 + 2u * 3);
  EXPECT_EQ(counters.registers.warpWrites, 2u);
  EXPECT_EQ(counters.registers.threadReads, 48u * 5);
  EXPECT_EQ(profile.footprint().sectors, 4u + 8u);
  EXPECT_EQ(profile.footprint().requests, 18u);
  EXPECT_EQ(profile.totals().warps, 2u);
  EXPECT_TRUE(profile.violations().empty());
}

TEST_F(Fixture, SeparatesSourceLines) {
  launch();
  fold();
  ASSERT_EQ(profile.lines().size(), 3u);
  const Counters& line = profile.lines().at({"kernel.cu", 10}).counters;
  EXPECT_EQ(line.warpInstructions.total(), 4u);
  EXPECT_EQ(line.global.loads.requests, 2u);
  EXPECT_EQ(line.global.stores.requests, 2u);
  // The second warp touches again half of what the first one did: 4 + 8 distinct sectors, 18 requests.
  EXPECT_EQ(profile.lines().at({"kernel.cu", 10}).footprintSectors, 12u);
  EXPECT_EQ(profile.lines().at({"kernel.cu", 11}).footprintSectors, 0u);
  EXPECT_EQ(profile.lines().at({"", 0}).counters.warpInstructions[InstructionClass::control], 2u);
}

// Its second warp copies for four lanes and fills the places of the others with zeros.
TEST(AsynchronousCopy, LoadsGlobalAndStoresSharedMemory) {
  HandMadeKernel kernel({operation(Opcode::cp_async, DataType::u32, 10)});
  Collector collector{kProfiledMachine};
  KernelProfile profile{"kernel", "kernel.ptx", 32};
  collector.begin(1);
  const Addresses from = strided(0x1000, 4), to = strided(0, 4);
  for (const LaneMask reading : {LaneMask::first(32), LaneMask::first(4)}) {
    kernel.issue(0);
    exec::MemoryEvent event;
    event.instruction = &kernel.loaded.program.code[0];
    event.bytesPerLane = 4;
    event.space = Space::global;
    event.isLoad = true;
    event.mask = reading;
    event.addresses = from.data();
    collector.memory(event);
    event.space = Space::shared;
    event.isLoad = false;
    event.isStore = true;
    event.mask = LaneMask::first(32);
    event.addresses = to.data();
    collector.memory(event);
  }
  profile.add(kernel.request, kernel.result, 100, collector);
  EXPECT_EQ(profile.counters().global.loads.lanes, 36u);
  EXPECT_EQ(profile.counters().global.stores.requests, 0u);
  EXPECT_EQ(profile.counters().shared.stores.lanes, 64u);
  EXPECT_EQ(profile.counters().shared.loads.requests, 0u);
  EXPECT_EQ(profile.violations(), std::vector<std::string>{});
}

TEST_F(Fixture, MergesLaunches) {
  launch();
  fold();
  launch();
  kernel.launch->grid = {2, 1, 1};
  fold();
  EXPECT_EQ(profile.totals().launches, 2u);
  EXPECT_EQ(profile.totals().blocks, 3u);
  EXPECT_EQ(profile.totals().nanoseconds, 200u);
  EXPECT_TRUE(profile.shapesVary());
  EXPECT_EQ(profile.footprint().sectors, 24u);  // twelve a launch
  EXPECT_EQ(profile.distinctSectors(), 12u);
  EXPECT_EQ(profile.distinctLines(), 3u);
  EXPECT_TRUE(profile.violations().empty());
}

TEST_F(Fixture, NoticesInstructionsThatNobodyIssued) {
  launch();
  ++kernel.result.warpInstructions;
  fold();
  EXPECT_EQ(profile.violations(), (std::vector<std::string>{"warp instructions by class, issued: 8 is not 9"}));
}

TEST_F(Fixture, NoticesAccessesThatRaisedNoEvent) {
  launch();
  kernel.issue(0);
  fold();
  ASSERT_EQ(profile.violations().size(), 1u);
  EXPECT_EQ(profile.violations()[0], "lanes of memory accesses, lanes of loads, stores and atomics: 96 is not 128");
}

TEST_F(Fixture, ALaunchThatFailedMayHaveAnAccessWithoutEvent) {
  launch();
  kernel.issue(0);
  kernel.result.status = exec::LaunchStatus::illegalAddress;
  fold();
  EXPECT_TRUE(profile.violations().empty());
  EXPECT_EQ(profile.totals().failed, 1u);
}

}  // namespace
}  // namespace warpwright::profile
