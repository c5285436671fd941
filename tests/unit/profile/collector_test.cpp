#include "profile/collector.hpp"

#include <gtest/gtest.h>

#include "launch_builder.hpp"
#include "profile/address_multiplicity.hpp"

namespace warpwright::profile {
namespace {

using isa::Opcode;
using isa::Space;
using testing::access;
using testing::Addresses;
using testing::HandMadeKernel;
using testing::strided;

constexpr Geometry kMachine{32, 32, 4};

// Runs one access and gives its events.
InstructionEvents eventsOf(const isa::Instruction& instruction, const Addresses& addresses, u32 bytes, LaneMask lanes,
                           Geometry machine = kMachine) {
  HandMadeKernel kernel({instruction});
  Collector collector(machine);
  collector.begin(1);
  kernel.raise(collector, 0, addresses, bytes, lanes);
  return *collector.find(Pc{0});
}

TEST(Collector, CountsGlobalTraffic) {
  const InstructionEvents events = eventsOf(access(Opcode::ld, Space::global, 1), strided(0x1000, 128), 4, LaneMask::first(32));
  EXPECT_EQ(events.kind, AccessKind::load);
  EXPECT_EQ(events.global.requests, 1u);
  EXPECT_EQ(events.global.lanes, 32u);
  EXPECT_EQ(events.global.bytesAsked, 128u);
  EXPECT_EQ(events.global.bytesUsed, 128u);
  EXPECT_EQ(events.global.sectors, 32u);
  EXPECT_EQ(events.global.idealSectors, 4u);
  EXPECT_EQ(events.global.lines, 32u);
  EXPECT_EQ(events.global.sectorBytes(), 1024u);
  EXPECT_EQ(events.global.lineBytes(), 4096u);
  EXPECT_EQ(events.strides.global.stride(), 128);
}

TEST(Collector, ABroadcastUsesOneWord) {
  const InstructionEvents events = eventsOf(access(Opcode::ld, Space::global, 1), strided(0x1000, 0), 4, LaneMask::first(32));
  EXPECT_EQ(events.global.bytesAsked, 128u);
  EXPECT_EQ(events.global.bytesUsed, 4u);
  EXPECT_EQ(events.global.sectors, 1u);
}

TEST(Collector, LocalMemoryIsPhysicallyInterleaved) {
  const InstructionEvents events = eventsOf(access(Opcode::st, Space::local, 1), strided(16, 0), 8, LaneMask::first(32));
  EXPECT_EQ(events.kind, AccessKind::store);
  EXPECT_EQ(events.local.sectors, 8u);
  EXPECT_EQ(events.local.idealSectors, 8u);
  EXPECT_EQ(events.local.lines, 2u);
  EXPECT_EQ(events.global.requests, 0u);
}

TEST(Collector, CountsBankConflictsByPhase) {
  const InstructionEvents events = eventsOf(access(Opcode::ld, Space::shared, 1), strided(0, 8), 4, LaneMask::first(32));
  EXPECT_EQ(events.shared.phases, 1u);
  EXPECT_EQ(events.shared.passes, 2u);
  EXPECT_EQ(events.shared.degree[2], 1u);
  EXPECT_EQ(events.strides.shared.stride(), 8);
}

TEST(Collector, AtomicsCountLanesAtOneAddress) {
  Addresses addresses = strided(0x1000, 4);
  for (u32 lane = 0; lane < 10; ++lane) addresses[lane * 3] = 0x1000;
  const InstructionEvents events = eventsOf(access(Opcode::atom, Space::global, 1), addresses, 4, LaneMask::first(32));
  EXPECT_EQ(events.kind, AccessKind::atomic);
  EXPECT_EQ(events.atomics.steps, 10u);
  EXPECT_EQ(events.atomics.degree[10], 1u);
  EXPECT_EQ(events.global.requests, 1u);
}

TEST(Collector, ConstantAndParameterAccessesAreOnlyCounted) {
  EXPECT_EQ(eventsOf(access(Opcode::ld, Space::constant, 1), strided(0, 4), 4, LaneMask::first(8)).constant.bytesAsked, 32u);
  EXPECT_EQ(eventsOf(access(Opcode::ld, Space::param, 1), strided(0, 4), 8, LaneMask(0x3)).parameters.bytesAsked, 16u);
}

TEST(Collector, CountsDivergentBranches) {
  HandMadeKernel kernel({testing::operation(Opcode::bra, isa::DataType::u32, 1)});
  Collector collector(kMachine);
  collector.begin(1);
  kernel.branch(collector, 0, LaneMask::first(16), {});
  kernel.branch(collector, 0, LaneMask::first(16), LaneMask::first(16));
  kernel.branch(collector, 0, LaneMask::first(16), LaneMask::first(8));
  EXPECT_EQ(collector.find(Pc{0})->control.branches, 3u);
  EXPECT_EQ(collector.find(Pc{0})->control.divergent, 1u);
}

TEST(Collector, ForgetsALaunchThatWasNeverFolded) {
  HandMadeKernel kernel({access(Opcode::ld, Space::global, 1)});
  Collector collector(kMachine);
  collector.begin(1);
  kernel.raise(collector, 0, strided(0x1000, 4), 4, LaneMask::first(32));
  collector.begin(1);
  TouchedSectors all;
  EXPECT_EQ(collector.find(Pc{0}), nullptr);
  EXPECT_EQ(collector.takeFootprint(all).sectors, 0u);
}

TEST(MostLanesAtOneAddress, OfNoneOneAndAll) {
  const Addresses same = strided(64, 0), apart = strided(64, 4);
  EXPECT_EQ(mostLanesAtOneAddress(same.data(), {}), 0u);
  EXPECT_EQ(mostLanesAtOneAddress(same.data(), LaneMask(~u64{0})), 64u);
  EXPECT_EQ(mostLanesAtOneAddress(apart.data(), LaneMask(~u64{0})), 1u);
  EXPECT_EQ(mostLanesAtOneAddress(same.data(), LaneMask(0x101)), 2u);
}

}  // namespace
}  // namespace warpwright::profile
