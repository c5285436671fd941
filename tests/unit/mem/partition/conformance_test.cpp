// The protocol of memory agents, and the records of atomics, on partitions of every composition and of every machine in configs/.
#include <map>
#include <string>

#include "config/machine.hpp"
#include "unit/mem/partition/partition_adapter.hpp"

namespace warpwright::mem {
namespace {

using conformance::Crossing;
using conformance::Event;
using conformance::Traffic;

struct Case {
  std::string name;
  PartitionSetup setup;
};

config::Cache cacheOf(u64 bytes) {
  config::Cache cache;
  cache.bytes = bytes;
  cache.globalWrites = cache.localWrites = config::WritePolicy::writeBack;
  cache.hitLatency = 6;
  cache.mshrs = 8;
  cache.mergesPerMshr = 4;
  cache.missQueue = 4;
  return cache;
}

PartitionSetup setupOf(u64 l2Bytes, u64 lastLevelBytes, u32 slices = 2) {
  PartitionSetup setup;
  setup.l2 = cacheOf(l2Bytes);
  setup.lastLevel = cacheOf(lastLevelBytes);
  setup.partition.slices = slices;
  setup.partition.atomicsPerTick = 4;
  return setup;
}

template <class Change>
PartitionSetup changed(PartitionSetup setup, Change change) {
  change(setup);
  return setup;
}

std::vector<Case> cases() {
  return {
      {"OneSlice", setupOf(8192, 0, 1)},
      {"TwoSlices", setupOf(8192, 0)},
      {"ThreeSlicesSectors", changed(setupOf(8192, 0, 3), [](auto& s) { s.l2.sectorBytes = 32; })},
      {"TwoPorts", changed(setupOf(8192, 0), [](auto& s) { s.partition.networkPorts = 2; })},
      {"FourSlicesTwoPorts", changed(setupOf(8192, 32768, 4), [](auto& s) { s.partition.networkPorts = 2; })},
      {"LazyWrites", changed(setupOf(8192, 0),
                             [](auto& s) {
                               s.l2.sectorBytes = 32;
                               s.l2.globalWrites = s.l2.localWrites = config::WritePolicy::writeBackLazy;
                             })},
      {"LazyWritesOfTwoLevels", changed(setupOf(4096, 8192),
                                        [](auto& s) {
                                          s.l2.globalWrites = s.l2.localWrites = config::WritePolicy::writeBackLazy;
                                          s.lastLevel.globalWrites = s.lastLevel.localWrites = config::WritePolicy::writeBackLazy;
                                        })},
      {"InputLatency", changed(setupOf(8192, 0), [](auto& s) { s.partition.latency = 30; })},
      {"LastLevel", setupOf(4096, 32768)},
      {"LastLevelAlone", setupOf(0, 32768)},
      {"NoCache", setupOf(0, 0, 1)},
      {"NoCacheTwoSlices", setupOf(0, 0)},
      {"WriteThroughAboveLastLevel", changed(setupOf(4096, 32768), [](auto& s) { s.l2.globalWrites = config::WritePolicy::writeThrough; })},
      {"TinyQueues", changed(setupOf(2048, 4096),
                             [](auto& s) {
                               s.partition.inputQueue = s.partition.outputQueue = s.partition.dramQueue = s.partition.fillQueue =
                                   s.partition.atomicsQueue = 1;
                               s.l2.inputQueue = s.lastLevel.inputQueue = 1;
                               s.l2.missQueue = s.lastLevel.missQueue = 2;
                             })},
      {"NoCacheTinyQueues", changed(setupOf(0, 0),
                                    [](auto& s) {
                                      s.partition.inputQueue = s.partition.outputQueue = s.partition.dramQueue = s.partition.fillQueue =
                                          s.partition.atomicsQueue = 1;
                                    })},
  };
}

std::vector<Case> machines() {
  std::vector<Case> result;
  for (const config::Machine& machine : config::presetMachines()) {
    if (!machine.timed) continue;
    std::string name = machine.name;
    std::replace(name.begin(), name.end(), '-', '_');
    // A partner in the other half of a chip is no part of the harness.
    config::Partition alone = machine.partition;
    alone.halves = 1;
    result.push_back({name, {alone, machine.l2, machine.llc, machine.dram.channels, machine.dram.interleaveBytes}});
  }
  return result;
}

// Each accepted atomic takes effect once, in order of time, after it came and not after its response was taken.
void expectAtomicsPerformedOnce(const conformance::Outcome& outcome) {
  std::map<u32, u64> accepted, delivered;
  for (const Event& event : outcome.events) {
    if (event.request.type != AccessType::atomic || event.crossing == Crossing::sentDown) continue;
    (event.crossing == Crossing::accepted ? accepted : delivered)[event.request.id] = event.time;
  }
  u64 last = 0;
  for (const auto& record : outcome.statistics.value("performed", stats::Json::array())) {
    const u64 time = record[0].get<u64>();
    const u32 id = record[2].get<u32>();
    EXPECT_LE(last, time);
    last = time;
    ASSERT_TRUE(accepted.contains(id)) << "id " << id << " is no atomic, or took effect twice";
    EXPECT_LT(accepted[id], time);
    EXPECT_LE(time, delivered[id]);
    accepted.erase(id);
  }
  EXPECT_TRUE(accepted.empty()) << accepted.size() << " atomics never took effect";
}

class PartitionConformance : public ::testing::TestWithParam<Case> {};

TEST_P(PartitionConformance, holds) {
  for (u64 seed = 1; seed <= 7; ++seed) {
    Traffic traffic;
    traffic.seed = seed;
    traffic.types = {AccessType::globalRead, AccessType::globalWrite, AccessType::writeBack, AccessType::atomic, AccessType::textureRead};
    traffic.bytes = seed % 2 != 0 ? 4096 : 64 * 1024;
    traffic.offerPercent = seed < 3 ? 95 : 30;
    traffic.takePercent = seed == 4 ? 10 : 80;
    traffic.lowerLatency = seed == 5 ? 400 : 20;
    traffic.lowerCapacity = seed == 6 ? 1 : 64;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto outcome = conformance::conform([&] { return PartitionAdapter(GetParam().setup); }, traffic);
    expectAtomicsPerformedOnce(outcome);
  }
}

INSTANTIATE_TEST_SUITE_P(Partitions, PartitionConformance, ::testing::ValuesIn(cases()), [](const auto& one) { return one.param.name; });
INSTANTIATE_TEST_SUITE_P(Machines, PartitionConformance, ::testing::ValuesIn(machines()), [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpwright::mem
