// What the structures of mechanisms cost: so many events take so many times what the estimator says of an array.
#include "mechanisms/affine_tags/energy_events.hpp"

#include <gtest/gtest.h>

#include <map>

#include "energy/account.hpp"
#include "energy/event_energies.hpp"
#include "energy/machine_arrays.hpp"
#include "energy/sram.hpp"
#include "mechanisms/affine_tags/statistics.hpp"
#include "mechanisms/assist_warps/energy_events.hpp"
#include "mechanisms/assist_warps/statistics.hpp"
#include "mechanisms/avc/energy_events.hpp"
#include "mechanisms/avc/statistics.hpp"
#include "mechanisms/conflict_aware/energy_events.hpp"
#include "mechanisms/conflict_aware/statistics.hpp"
#include "mechanisms/elastic_mshr/energy_events.hpp"
#include "mechanisms/elastic_mshr/statistics.hpp"
#include "mechanisms/elastic_pipeline/energy_events.hpp"
#include "mechanisms/elastic_pipeline/statistics.hpp"
#include "mechanisms/line_compression/energy_events.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "mechanisms/many_thread_prefetcher/hardware.hpp"
#include "mechanisms/many_thread_prefetcher/statistics.hpp"
#include "mechanisms/stride_prefetcher/hardware.hpp"
#include "mechanisms/tiny_cache/energy_events.hpp"
#include "mechanisms/tiny_cache/statistics.hpp"
#include "stats/named_structure.hpp"

namespace warpwright::mechanisms {
namespace {

using energy::Account;
using energy::Energy;
using energy::estimate;
using energy::Sram;

constexpr u64 kCycles = 7;

class EnergyEvents : public ::testing::Test {
 protected:
  template <class S>
  static Account charged(const std::vector<energy::CountedEvent>& events, const char* name, const S& statistics) {
    stats::NamedStatistics named;
    named.add(name, stats::Structure(statistics));
    Account account;
    energy::addCounted(account, events, named, kCycles);
    return account;
  }
  // One line of the account is so many of these; to a millionth of a picojoule each, as the account rounds.
  static void expect(const Account& account, const char* unit, const char* event, u64 count, const Energy& each) {
    const Account::Line* line = account.find(unit, event);
    ASSERT_NE(line, nullptr) << unit << "." << event;
    EXPECT_EQ(line->count, count) << unit << "." << event;
    EXPECT_NEAR(line->amount.energy().value, static_cast<double>(count) * each.value, static_cast<double>(count) * 1e-18)
        << unit << "." << event;
  }
  // Of arrays that all SMs have.
  Energy leakageIn(const energy::Power& ofOne) const {
    return energyOf(static_cast<double>(machine.multiprocessors) * ofOne, 1 / (static_cast<double>(machine.coreClockKhz) * 1e3));
  }
  double nm() const { return table.nanometres; }
  energy::SramEstimate sram(const Sram& array) const { return estimate(array, nm()); }
  const Energy& entry(const char* path) const { return table.entries.find(path)->second.energy; }

  energy::Table table = energy::loadTable("40nm");
  config::Machine machine = config::loadMachine("gtx480");
};

// Entries of 112 bits (32 + 6 + 40 + 32 + 2), and a queue of addresses.
TEST_F(EnergyEvents, OfAStridePrefetcherAreItsTableAndItsQueue) {
  const auto events = stride_prefetcher::energyEvents({.entries = 64, .queue = 8}, machine, table);
  const Account account = charged(events, "stride_prefetcher", PrefetchCounts{.loads = 5, .sent = 3});
  const auto entries = sram({64 * 112 / 8, 112, 1, 1}), queue = sram({8 * 40 / 8, 40, 1, 1});
  expect(account, "stride_prefetcher", "table", 5, entries.read + entries.write);
  expect(account, "stride_prefetcher", "queue", 3, queue.read + queue.write);
  expect(account, "stride_prefetcher", "leakage", kCycles, leakageIn(entries.leakage + queue.leakage));
}

TEST_F(EnergyEvents, OfAManyThreadPrefetcherAreItsTables) {
  many_thread_prefetcher::Statistics counted{.prefetches = {.loads = 7, .sent = 3}};
  counted.perWarpLookups = 4;
  const Account account = charged(many_thread_prefetcher::energyEvents({.queue = 8}, machine, table), "many_thread_prefetcher", counted);
  const auto perWarp = sram({32 * 93 / 8, 93, 1, 1}), global = sram({8 * 52 / 8, 52, 1, 1}), interWarp = sram({8 * 133 / 8, 133, 1, 1}),
             queue = sram({8 * 32 / 8, 32, 1, 1});
  const auto search = [&](u64 bits) { return energy::searchEnergy(bits, nm()); };
  expect(account, "many_thread_prefetcher", "global", 7, search(8 * 32) + global.read);
  expect(account, "many_thread_prefetcher", "inter_warp", 7, search(8 * 32) + interWarp.read + interWarp.write);
  expect(account, "many_thread_prefetcher", "per_warp", 4, search(32 * 40) + perWarp.read + perWarp.write);
  expect(account, "many_thread_prefetcher", "queue", 3, queue.read + queue.write);
  expect(account, "many_thread_prefetcher", "leakage", kCycles,
         leakageIn(perWarp.leakage + global.leakage + interWarp.leakage + queue.leakage));
}

// Eight queued sub-warps of 8 lanes: results of 32 bits, addresses and data of 64.
TEST_F(EnergyEvents, OfAnElasticPipelineAreItsQueues) {
  machine.sm.loadStore.width = 8;
  const elastic_pipeline::Settings settings{.queues = elastic_pipeline::Queues::given, .nonmemQueue = 8, .prememQueue = 4};
  const auto events = elastic_pipeline::energyEvents(settings, machine, table);
  const Account account = charged(events, "elastic_pipeline", elastic_pipeline::Statistics{.queuedNonmem = 5, .queuedPremem = 3});
  const auto nonmem = sram({8 * 8 * 4, 8 * 32, 1, 1}), premem = sram({4 * 8 * 8, 8 * 64, 1, 1});
  expect(account, "elastic_pipeline", "nonmem", 5, nonmem.read + nonmem.write);
  expect(account, "elastic_pipeline", "premem", 3, premem.read + premem.write);
  expect(account, "elastic_pipeline", "leakage", kCycles, leakageIn(nonmem.leakage + premem.leakage));
}

// What hardware compresses and makes whole; what routines do is in their instructions. Lines of 128 bytes: 32 words against two bases in
// six shapes, and 32 additions to have them back; 8 KB in blocks of 256 bits beside each channel.
TEST_F(EnergyEvents, OfCompressedLinesAreAdditionsAndMetadata) {
  const auto events = line_compression::energyEvents(line_compression::Settings{}, machine, table);
  line_compression::Statistics counted;
  counted.compressions = 6;
  counted.decompressions = 10;
  counted.hardwareCompressions = 5;
  counted.hardwareDecompressions = 3;
  counted.metadata = {.hits = 7, .misses = 2, .merged = 1, .changed = 4, .writeBacks = 1};
  const Account account = charged(events, "line_compression", counted);
  const auto metadata = sram({8192, 256, 1, 1});
  expect(account, "line_compression", "compress", 5, 384.0 * entry("pipe.int_add"));
  expect(account, "line_compression", "decompress", 3, 32.0 * entry("pipe.int_add"));
  expect(account, "line_compression", "metadata_read", 7 + 2 + 1 + 1, metadata.read);
  expect(account, "line_compression", "metadata_fill", 2, metadata.write);
  expect(account, "line_compression", "metadata_write", 4, metadata.write);
  expect(account, "line_compression", "leakage", kCycles,
         energyOf(static_cast<double>(machine.dram.channels) * metadata.leakage, 1 / (static_cast<double>(machine.coreClockKhz) * 1e3)));
}

// With four tags for each line that fits, three times the tags beside those of the baseline: as a cache of three times the ways has them.
TEST_F(EnergyEvents, OfCachesOfCompressedLinesAreTheirFurtherTags) {
  line_compression::Settings settings;
  settings.metadataBytes = 0;
  settings.secondLevelTags = 4;
  machine.l2.bytes = 64 * 1024;
  machine.l2.ways = 8;
  line_compression::Statistics counted;
  counted.secondLevelLookups = 11;
  const Account account = charged(line_compression::energyEvents(settings, machine, table), "line_compression", counted);
  config::Cache further = machine.l2;
  further.bytes *= 3;
  further.ways *= 3;
  const auto tags = sram(energy::tagsOf(further));
  expect(account, "line_compression", "second_level_tags", 11, tags.read);
  const double slices = machine.dram.channels * machine.partition.slices;
  expect(account, "line_compression", "leakage", kCycles,
         energyOf(slices * tags.leakage, 1 / (static_cast<double>(machine.coreClockKhz) * 1e3)));
}

// A store of 256 instructions of 8 bytes, 48 + 48 entries of 6 + 32 + 32 + 2 + 3 * 8 bits, and two instructions of low priority with
// the IDs of their warps.
TEST_F(EnergyEvents, OfAssistWarpsAreMapStoreTableAndBuffer) {
  const auto events = assist_warps::energyEvents(assist_warps::Settings{}, machine, table);
  assist_warps::Statistics counted;
  counted.triggered = 4;
  counted.staged = 12;
  counted.instructions = 9;
  counted.wordsIn = 3;
  counted.wordsOut = 2;
  const Account account = charged(events, "assist_warps", counted);
  const auto map = sram({64 * 122 / 8, 122, 1, 1}), store = sram({1024 * 8, 64, 1, 1}), entries = sram({96 * 102 / 8, 102, 1, 1}),
             buffer = sram({18, 70, 1, 1});
  expect(account, "assist_warps", "store_read", 12, store.read);
  expect(account, "assist_warps", "map_read", 4, map.read);
  expect(account, "assist_warps", "table_write", 4, entries.write);
  expect(account, "assist_warps", "table_step", 12, entries.read + entries.write);
  expect(account, "assist_warps", "buffer_write", 12, buffer.write);
  expect(account, "assist_warps", "buffer_read", 9, buffer.read);
  EXPECT_EQ(account.find("register_file", "read")->count, 5u);
  EXPECT_EQ(account.find("register_file", "write")->count, 5u);
  expect(account, "assist_warps", "leakage", kCycles, leakageIn(map.leakage + store.leakage + entries.leakage + buffer.leakage));
}

// 16 lines of 64 bytes in 8 ways: entries of 81 bits, 32 control bits (section 3.2). A line goes past all lanes, twice the mean way, once.
TEST_F(EnergyEvents, OfTinyCachesAreTheirArraysAndTheWayOfLines) {
  const auto events = tiny_cache::energyEvents(tiny_cache::Settings{}, machine, table);
  tiny_cache::Statistics counted;
  counted.global = {.reads = 9, .readHits = 3, .readMisses = 6};
  counted.shared.readMisses = 2;
  counted.below = {.sectors = 4, .sharedLines = 1};
  const Account account = charged(events, "tiny_cache", counted);
  const auto words = sram({1024, 32, 1, 1}), lines = sram({1024, 512, 1, 1}), tags = sram({162, 81, 1, 1}), controls = sram({64, 32, 1, 1});
  expect(account, "tiny_cache", "tag", 9, energy::searchEnergy(8 * 81, nm()) + controls.read);
  expect(account, "tiny_cache", "read", 3, words.read);
  expect(account, "tiny_cache", "fill", 8, lines.write + tags.write + controls.write);
  const energy::EventEnergies baseline(table, machine);
  const Energy& word = *baseline.find("data_crossbar.cache_word");
  expect(account, "data_crossbar", "cache_word", 4, 2 * 8 * word);
  expect(account, "data_crossbar", "shared_word", 1, 2 * 16 * word);
  expect(account, "shared_memory", "read", 1, 16 * *baseline.find("shared_memory.read"));
  const double lanes = machine.warpSize;
  expect(account, "tiny_cache", "leakage", kCycles, leakageIn(lanes * (words.leakage + tags.leakage + controls.leakage)));
}

TEST_F(EnergyEvents, OfNoElasticPipelineAreNothing) {
  const elastic_pipeline::Settings settings{.queues = elastic_pipeline::Queues::given, .nonmemQueue = 0, .prememQueue = 4};
  const Account account =
      charged(elastic_pipeline::energyEvents(settings, machine, table), "elastic_pipeline", elastic_pipeline::Statistics{});
  EXPECT_EQ(account.lines().size(), 1u);
  EXPECT_EQ(account.total(), Energy{});
}

// Table 5.3: 256 sets of two entries of 5 bits with tags of 14 - 8, that is 704 bytes with two ports.
TEST_F(EnergyEvents, OfConflictAwareSchedulingAreItsHistoryCache) {
  const auto events = conflict_aware::energyEvents({}, machine, table);
  const Account account = charged(events, "conflict_aware", conflict_aware::Statistics{.accesses = 11});
  const auto cache = sram({704, 2 * 11, 1, 2});
  expect(account, "conflict_aware", "look_up", 11, cache.read);
  expect(account, "conflict_aware", "update", 11, sram({704, 11, 1, 2}).write);
  expect(account, "conflict_aware", "leakage", kCycles, leakageIn(cache.leakage));
  const Account oracle = charged(conflict_aware::energyEvents({.predictor = conflict_aware::Predictor::oracle}, machine, table),
                                 "conflict_aware", conflict_aware::Statistics{.accesses = 11});
  EXPECT_EQ(oracle.total(), Energy{});
}

TEST_F(EnergyEvents, OfElasticMshrsAreThoseOfMshrsAndTheirSizes) {
  machine = config::loadMachine("gt200-granularity");
  const energy::EventEnergies baseline(table, machine);
  elastic_mshr::Statistics statistics{.loads = 100, .primaries = 30, .secondaries = 50, .reservations = 20};
  statistics.combined = {.opened = 4, .joined = 6, .writes = 4, .bytes = 320};
  const Account plain = charged(elastic_mshr::energyEvents({}, machine, table), "elastic_mshr", statistics);
  expect(plain, "l1d", "mshr_search", 100, *baseline.find("l1d.mshr_search"));
  expect(plain, "l1d", "mshr_allocate", 50, *baseline.find("l1d.mshr_allocate"));
  expect(plain, "elastic_mshr", "search", 100, energy::searchEnergy(2 * machine.l1d.mshrs, nm()));
  EXPECT_EQ(plain.find("elastic_mshr", "store_write"), nullptr);
  EXPECT_EQ(plain.find("elastic_mshr", "predict"), nullptr);

  const elastic_mshr::Settings settings{
      .granularity = elastic_mshr::Choice::predicted, .predictorEntries = 64, .combineStores = true, .storeEntries = 16};
  const Account full = charged(elastic_mshr::energyEvents(settings, machine, table), "elastic_mshr", statistics);
  const auto predictor = sram({64 * 18 / 8, 18, 1, 1});
  const u32 block = machine.l1d.lineBytes;
  const auto stores = sram({u64{16} * machine.dram.interleaveBytes, block * 8, 1, 1});
  expect(full, "elastic_mshr", "predict", 30, predictor.read + predictor.write);
  expect(full, "elastic_mshr", "store_write", 10, energy::searchEnergy(16 * 40, nm()) + stores.write);
  expect(full, "elastic_mshr", "store_read", 320, 1.0 / block * stores.read);
  EXPECT_GT(full.find("elastic_mshr", "leakage")->amount.energy().value, plain.find("elastic_mshr", "leakage")->amount.energy().value);
}

// 32768 registers of 32 bits are 1024 of a warp.
TEST_F(EnergyEvents, OfAffineTagsAreTheTagsAndTheScalars) {
  ASSERT_EQ(machine.registersPerSm / machine.warpSize, 1024u);
  const affine_tags::TimedTagStats statistics{.tagsRead = 40, .tagsWritten = 20, .bankReadsSaved = 15, .bankWritesSaved = 5};
  const u32 banks = machine.sm.registerBanks, ports = machine.sm.registerBankPorts;
  const auto tags = sram({1024 * 6 / 8, 6, banks, ports}), scalars = sram({1024 * 8, 64, banks, ports});
  const Account inLanes = charged(affine_tags::energyEvents({}, machine, table), "affine_tags", statistics);
  expect(inLanes, "affine_tags", "tag_read", 40, tags.read);
  expect(inLanes, "affine_tags", "tag_write", 20, tags.write);
  expect(inLanes, "affine_tags", "leakage", kCycles, leakageIn(tags.leakage));
  EXPECT_EQ(inLanes.find("affine_tags", "scalar_read"), nullptr) << "they lie in the registers";
  const Account apart = charged(affine_tags::energyEvents({.operandsApart = true}, machine, table), "affine_tags", statistics);
  expect(apart, "affine_tags", "scalar_read", 15, scalars.read);
  expect(apart, "affine_tags", "scalar_write", 5, scalars.write);
  EXPECT_LT(scalars.read.value, energy::EventEnergies(table, machine).find("register_file.read")->value) << "what it is for";
  const Account code =
      charged(affine_tags::energyEvents({.detection = affine_tags::Detection::code}, machine, table), "affine_tags", statistics);
  EXPECT_EQ(code.total(), Energy{}) << "tags come with the code";
}

// 384 rows of 48 KB, each with a base, a stride of three bits, and 32 valid bits beside it.
TEST_F(EnergyEvents, OfAffineVectorsBesideBanks) {
  ASSERT_EQ(machine.sharedBytesPerSm, 49152u);
  avc::Settings settings;
  const std::size_t without = avc::energyEvents(settings, machine, table).size();
  settings.shared = true;
  const auto events = avc::energyEvents(settings, machine, table);
  EXPECT_GT(events.size(), without);
  const avc::SharedStats statistics{.hits = 9, .partialHits = 2, .writes = 12, .lookUps = 30, .entriesWritten = 10, .wordsMoved = 64};
  const Account account = charged(events, "avc_shared", statistics);
  const auto vectors = sram({384 * 67 / 8, 67, 1, 1});
  const energy::EventEnergies baseline(table, machine);
  expect(account, "avc_shared", "read", 30, vectors.read);
  expect(account, "avc_shared", "write", 10, vectors.write);
  expect(account, "avc_shared", "encode", 12, 32 * entry("pipe.int_add"));
  const Account::Line* decode = account.find("avc_shared", "decode");
  EXPECT_NEAR(decode->amount.energy().value, (11 * 32 + 64) * entry("pipe.int_add").value, 75e-18) << "a lane or a word each";
  expect(account, "avc_shared", "leakage", kCycles, leakageIn(vectors.leakage));
  expect(account, "shared_memory", "write", 64, *baseline.find("shared_memory.write"));
  expect(account, "data_crossbar", "shared_word", 30, 67 / 32.0 * *baseline.find("data_crossbar.shared_word"));
}

// Every path that a kind announces is one that its events have, under some settings; and none comes that it does not announce, but those of
// the baseline.
TEST_F(EnergyEvents, AreThoseAnnounced) {
  const auto pathsOf = [](const std::vector<energy::CountedEvent>& events) {
    std::map<std::string, u64> paths;
    for (const energy::CountedEvent& event : events) ++paths[event.unit + "." + event.name];
    return paths;
  };
  const auto check = [&](const std::vector<energy::CountedEvent>& events, std::span<const std::string_view> announced) {
    const auto paths = pathsOf(events);
    for (const std::string_view path : announced) EXPECT_TRUE(paths.contains(std::string(path))) << path;
    for (const auto& [path, count] : paths)
      EXPECT_TRUE(std::ranges::find(announced, path) != announced.end() || energy::EventEnergies(table, machine).find(path)) << path;
  };
  check(avc::energyEvents({.shared = true}, machine, table), avc::kEnergyPaths);
  check(affine_tags::energyEvents({.operandsApart = true}, machine, table), affine_tags::kEnergyPaths);
  check(conflict_aware::energyEvents({}, machine, table), conflict_aware::kEnergyPaths);
  check(elastic_pipeline::energyEvents({.queues = elastic_pipeline::Queues::given, .nonmemQueue = 2, .prememQueue = 2}, machine, table),
        elastic_pipeline::kEnergyPaths);
  machine = config::loadMachine("gt200-granularity");
  check(elastic_mshr::energyEvents({.granularity = elastic_mshr::Choice::predicted, .combineStores = true}, machine, table),
        elastic_mshr::kEnergyPaths);
}

}  // namespace
}  // namespace warpwright::mechanisms
