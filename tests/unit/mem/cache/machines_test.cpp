// The protocol of memory agents on every cache of the machines in configs/.
#include <algorithm>
#include <string>

#include "config/machine.hpp"
#include "unit/mem/cache/cache_adapter.hpp"

namespace warpwright::mem {
namespace {

using conformance::Traffic;

struct CacheOfMachine {
  std::string name;
  config::Cache cache;
  Atomics atomics;
  std::vector<AccessType> types;
  Interleave share;
};

const std::vector<AccessType> kOfData = {AccessType::globalRead, AccessType::globalWrite, AccessType::localRead,
                                         AccessType::localWrite, AccessType::atomic,      AccessType::prefetch};

void add(std::vector<CacheOfMachine>& cases, CacheOfMachine one) {
  // A data cache of no bytes still has its MSHRs; another one is absent.
  if (one.cache.bytes == 0 && one.types != kOfData) return;
  const auto isSame = [&](const CacheOfMachine& other) { return other.cache == one.cache && other.types == one.types; };
  if (std::none_of(cases.begin(), cases.end(), isSame)) cases.push_back(std::move(one));
}

std::vector<CacheOfMachine> cachesOfMachines() {
  std::vector<CacheOfMachine> result;
  for (const config::Machine& machine : config::presetMachines()) {
    if (!machine.timed) continue;
    std::string name = machine.name;
    std::replace(name.begin(), name.end(), '-', '_');
    const u32 slices = machine.dram.channels * machine.partition.slices;
    const u64 piece = machine.dram.interleaveBytes;
    add(result, {name + "_l1d", machine.l1d, Atomics::below, kOfData, {}});
    add(result, {name + "_l1i", machine.l1i, Atomics::below, {AccessType::instructionRead}, {}});
    add(result, {name + "_l1c", machine.l1c, Atomics::below, {AccessType::constantRead}, {}});
    add(result, {name + "_l15c", machine.l15c, Atomics::below, {AccessType::constantRead}, {}});
    add(result, {name + "_texture", machine.textureCache, Atomics::below, {AccessType::textureRead}, {}});
    add(result, {name + "_l2", machine.l2, Atomics::here, kFromCaches, {piece, slices}});
    add(result, {name + "_llc", machine.llc, Atomics::here, kFromCaches, {piece, machine.dram.channels}});
  }
  return result;
}

class CachesOfMachines : public ::testing::TestWithParam<CacheOfMachine> {};

TEST_P(CachesOfMachines, conform) {
  const CacheOfMachine& one = GetParam();
  for (const bool isTight : {false, true}) {
    Traffic traffic;
    traffic.types = one.types;
    traffic.lineBytes = one.cache.lineBytes;
    // Little more than it holds, and a few sets that everything goes to.
    traffic.bytes = isTight ? 4096 : std::max<u64>(one.cache.bytes * one.share.count * 2, 4096);
    traffic.offerPercent = 95;
    traffic.lowerLatency = isTight ? 400 : 20;
    conformance::conform([&] { return CacheAdapter(one.cache, one.atomics, one.share); }, traffic);
  }
}

INSTANTIATE_TEST_SUITE_P(Presets, CachesOfMachines, ::testing::ValuesIn(cachesOfMachines()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpwright::mem
