// The protocol of memory agents, and what must cross a cache's borders, on every kind of cache.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "mem/cache/replacement/pc_bypass.hpp"
#include "unit/mem/cache/cache_adapter.hpp"

namespace warpwright::mem {
namespace {

using conformance::Crossing;
using conformance::Event;
using conformance::Traffic;

struct Case {
  std::string name;
  config::Cache cache;
  Atomics atomics = Atomics::below;
  std::vector<AccessType> types = {AccessType::globalRead, AccessType::globalWrite, AccessType::localRead,
                                   AccessType::localWrite, AccessType::atomic,      AccessType::prefetch};
  u32 requestLine = 128;
};

config::Cache small() {
  config::Cache cache;
  cache.bytes = 8 * 1024;
  cache.hitLatency = 5;
  cache.mshrs = 6;
  cache.mergesPerMshr = 3;
  cache.missQueue = 4;
  return cache;
}

// Accesses of an instruction go by as soon as one of its lines has left unused.
config::Policy eagerBypass() {
  config::Policy policy(kPcBypass.kind);
  std::any_cast<PcBypassSettings&>(policy.settings).counterBits = 1;
  return policy;
}

config::Cache backing() {
  config::Cache cache = small();
  cache.globalWrites = cache.localWrites = config::WritePolicy::writeBack;
  return cache;
}

template <class Change>
config::Cache changed(config::Cache cache, Change change) {
  change(cache);
  return cache;
}

config::Cache lazy(config::Cache cache) {
  cache.globalWrites = cache.localWrites = config::WritePolicy::writeBackLazy;
  return cache;
}

std::vector<Case> cases() {
  std::vector<Case> result = {
      {"L1Data", small()},
      {"WriteThrough", changed(small(), [](auto& c) { c.globalWrites = c.localWrites = config::WritePolicy::writeThrough; })},
      {"Sectors", changed(small(), [](auto& c) { c.sectorBytes = 32; })},
      {"TwoSectors", changed(backing(), [](auto& c) { c.sectorBytes = 64; }), Atomics::here},
      {"L2Slice", backing(), Atomics::here, kFromCaches},
      {"L2SliceSectors", changed(backing(), [](auto& c) { c.sectorBytes = 32; }), Atomics::here, kFromCaches},
      {"LazySlice", lazy(backing()), Atomics::here, kFromCaches},
      {"LazySliceSectors", lazy(changed(backing(), [](auto& c) { c.sectorBytes = 32; })), Atomics::here, kFromCaches},
      {"LazySmallRequests", lazy(backing()), Atomics::here, kFromCaches, 32},
      {"LazyTinyQueues", lazy(changed(backing(), [](auto& c) { c.inputQueue = 1, c.missQueue = 2, c.mshrs = 1, c.mergesPerMshr = 1; })),
       Atomics::here},
      {"WriteThroughAllocate",
       changed(small(), [](auto& c) { c.sectorBytes = 32, c.globalWrites = c.localWrites = config::WritePolicy::writeThroughAllocate; })},
      {"WriteBackNoAllocate", changed(backing(), [](auto& c) { c.localWrites = config::WritePolicy::writeBackNoAllocate; })},
      {"LazyBesideFetching", changed(backing(), [](auto& c) { c.globalWrites = config::WritePolicy::writeBackLazy; }), Atomics::here},
      {"WriteBackAtomicsBelow", backing()},
      {"Banks", changed(small(), [](auto& c) { c.banks = 4, c.ports = 3; })},
      {"FastFill", changed(small(), [](auto& c) { c.fillBytesPerTick = 128, c.missLatency = 4; })},
      {"TinyQueues", changed(backing(), [](auto& c) { c.inputQueue = 1, c.missQueue = 2, c.mshrs = 1, c.mergesPerMshr = 1; }),
       Atomics::here},
      {"DirectMapped", changed(backing(), [](auto& c) { c.ways = 1; })},
      {"OneSet", changed(backing(), [](auto& c) { c.bytes = 1024, c.ways = 8; })},
      {"TreePlruSixWays", changed(small(), [](auto& c) { c.bytes = 6144, c.ways = 6, c.replacement = "tree_plru"; })},
      {"Fifo", changed(small(), [](auto& c) { c.replacement = "fifo"; })},
      {"Random", changed(backing(), [](auto& c) { c.replacement = "random"; })},
      {"Ship", changed(small(), [](auto& c) { c.replacement = "ship"; })},
      {"ShipSlice", changed(backing(), [](auto& c) { c.replacement = "ship"; }), Atomics::here, kFromCaches},
      {"PcBypass", changed(small(), [](auto& c) { c.replacement = eagerBypass(); })},
      {"PcBypassSlice", changed(backing(), [](auto& c) { c.replacement = eagerBypass(); }), Atomics::here, kFromCaches},
      {"PcBypassSectors", lazy(changed(backing(), [](auto& c) { c.replacement = eagerBypass(), c.sectorBytes = 32; })), Atomics::here,
       kFromCaches},
      {"PcBypassWriteThroughAllocate",
       changed(small(), [](auto& c) { c.replacement = eagerBypass(), c.globalWrites = config::WritePolicy::writeThroughAllocate; })},
      {"Hash", changed(backing(), [](auto& c) { c.setHash = "xor_fold"; })},
      {"LongLines", changed(backing(), [](auto& c) { c.lineBytes = 256, c.sectorBytes = 64; }), Atomics::here},
      {"SmallRequests", backing(), Atomics::here, kFromCaches, 32},
      {"MshrsAlone", changed(small(), [](auto& c) { c.bytes = 0, c.sectorBytes = 32; })},
      {"ReadOnly", small(), Atomics::below, {AccessType::constantRead}},
  };
  return result;
}

class CacheConformance : public ::testing::TestWithParam<Case> {};

// Sectors as addresses of their first bytes.
std::vector<u64> sectorsOf(const Request& request) {
  std::vector<u64> result;
  for (u32 s = 0; s < request.lineBytes / Request::kSectorBytes; ++s) {
    if ((request.sectors >> s & 1) != 0) result.push_back(request.address + s * u64{Request::kSectorBytes});
  }
  return result;
}

// Nothing goes below that the stream did not cause: a fetch asks for a sector of a line that was accessed, a write-back carries sectors
// that were written; and in the end, every sector written has gone below.
void expectTrafficBelowIsCaused(const std::vector<Event>& events, u32 lineBytes) {
  std::set<u64> touchedLines, written, unwritten;
  for (const Event& event : events) {
    const Request& request = event.request;
    const bool writes = isWrite(request.type) || request.type == AccessType::atomic;
    if (event.crossing == Crossing::accepted) {
      touchedLines.insert(request.address / lineBytes);
      if (!writes) continue;
      for (const u64 sector : sectorsOf(request)) written.insert(sector), unwritten.insert(sector);
    }
    if (event.crossing != Crossing::sentDown) continue;
    EXPECT_TRUE(touchedLines.contains(request.address / lineBytes)) << "line " << std::hex << request.address;
    EXPECT_NE(request.sectors, 0u);
    if (!writes) continue;
    for (const u64 sector : sectorsOf(request)) {
      EXPECT_TRUE(written.contains(sector)) << "sector " << std::hex << sector;
      unwritten.erase(sector);
    }
  }
  EXPECT_TRUE(unwritten.empty()) << unwritten.size() << " sectors were written and never went below";
}

// What goes below by a mask has been written.
void expectMasksAreCaused(const std::vector<Event>& events) {
  std::map<u64, u32> written;  // by sector, since the stream began
  for (const Event& event : events) {
    const Request& request = event.request;
    if (!isWrite(request.type) || event.crossing == Crossing::delivered) continue;
    for (const u64 sector : sectorsOf(request)) {
      const u64 place = (sector - request.address) / Request::kSectorBytes;
      const u32 bytes = (request.wholeSectors >> place & 1) != 0 ? ~u32{0} : request.written[place];
      if (event.crossing == Crossing::accepted) {
        written[sector] |= bytes;
      } else if ((request.wholeSectors >> place & 1) == 0) {
        EXPECT_EQ(bytes & ~written[sector], 0u) << "bytes of sector " << std::hex << sector << " that nobody wrote";
      }
    }
  }
}

u64 bytesOf(const std::vector<Event>& events, Crossing crossing) {
  u64 bytes = 0;
  for (const Event& event : events) bytes += event.crossing == crossing ? event.request.wireBytes() : 0;
  return bytes;
}

TEST_P(CacheConformance, holds) {
  const Case& one = GetParam();
  for (u64 seed = 1; seed <= 6; ++seed) {
    Traffic traffic;
    traffic.seed = seed;
    traffic.types = one.types;
    traffic.lineBytes = one.requestLine;
    traffic.bytes = seed % 2 != 0 ? 4096 : 64 * 1024;
    traffic.offerPercent = seed < 3 ? 95 : 30;
    traffic.takePercent = seed == 4 ? 10 : 80;
    traffic.lowerLatency = seed == 5 ? 400 : 20;
    traffic.lowerCapacity = seed == 6 ? 1 : 64;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto outcome = conformance::conform([&] { return CacheAdapter(one.cache, one.atomics); }, traffic);
    expectTrafficBelowIsCaused(outcome.events, one.cache.lineBytes);
    expectMasksAreCaused(outcome.events);
    EXPECT_EQ(outcome.statistics["bytes_from_above"], bytesOf(outcome.events, Crossing::accepted));
    EXPECT_EQ(outcome.statistics["bytes_to_above"], bytesOf(outcome.events, Crossing::delivered));
    EXPECT_EQ(outcome.statistics["bytes_to_below"], bytesOf(outcome.events, Crossing::sentDown));
    EXPECT_EQ(outcome.statistics["sectors_dirtied"], outcome.statistics["sectors_written_back"]);
    const auto accepted = std::count_if(outcome.events.begin(), outcome.events.end(),
                                        [](const Event& event) { return event.crossing == Crossing::accepted; });
    u64 accesses = 0;
    for (const auto& count : outcome.statistics["accesses"]) accesses += count.get<u64>();
    EXPECT_EQ(accesses, static_cast<u64>(accepted));
  }
}

INSTANTIATE_TEST_SUITE_P(Caches, CacheConformance, ::testing::ValuesIn(cases()), [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpwright::mem
