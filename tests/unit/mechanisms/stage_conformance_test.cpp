// Line stages as memory agents: nothing lost, doubled or invented, the same with and without skipping, and no word that is not memory's.
#include "mechanisms/avc/link.hpp"
#include "stages/example_stages.hpp"
#include "stages/stage_adapter.hpp"

namespace warpwright::mechanisms {
namespace {

using mem::conformance::Traffic;
using testing::Splitter;
using testing::SplitterStats;
using testing::StageAdapter;

config::Cache levelOne() {
  config::Cache cache;
  cache.bytes = 8 * 1024;
  cache.hitLatency = 5;
  cache.mshrs = 6;
  cache.mergesPerMshr = 3;
  cache.missQueue = 4;
  cache.localWrites = config::WritePolicy::writeBack;
  return cache;
}

TEST(StageConformance, OfAStageThatSplits) {
  for (u64 seed = 1; seed <= 4; ++seed) {
    SplitterStats stats;
    const auto make = [&](const sm::StageContext& context) {
      stats = {};
      return std::make_unique<Splitter>(config::Machine{}, context, stats);
    };
    const auto count = [&](const Splitter&) { return stats::toJson(stats); };
    conform([&] { return StageAdapter<Splitter>(levelOne(), make, count); }, Traffic{.seed = seed});
    EXPECT_GT(stats.accesses, 100u);
  }
}

struct AvcCase {
  std::string name;
  avc::Settings settings;
  config::Cache cache = levelOne();
};

std::vector<AvcCase> avcCases() {
  config::Cache wide = levelOne();
  wide.ports = 2;
  config::Cache joint = levelOne();
  joint.bytes = 32768;
  joint.ways = 4;
  std::vector<AvcCase> cases = {{"plain", {}},
                                {"of global data", {.global = true}},
                                {"two ports, slow", {.extraLatency = 3, .global = true}, wide},
                                {"of no bytes", {}}};
  cases.back().settings.geometry.bytes = 0;
  cases.push_back({"joint tags", {}, joint});
  cases.back().settings.geometry.jointTags = true;
  cases.back().settings.geometry.ways = 4;
  cases.back().settings.geometry.bytes = 32768;
  cases.push_back({"victim lines", {}});
  cases.back().settings.geometry.victimLines = 4;
  cases.push_back({"skewed", {}});
  cases.back().settings.geometry.skewed = true;
  cases.push_back({"compressed below", {}});
  cases.back().settings.geometry.compressedBelow = true;
  cases.push_back({"half vectors", {}});
  cases.back().settings.geometry.subVectors = 2;
  return cases;
}

TEST(StageConformance, OfAffineVectorCaches) {
  for (const AvcCase& each : avcCases()) {
    SCOPED_TRACE(each.name);
    u64 wrong = 0, hits = 0;
    const auto make = [&](const sm::StageContext& context) { return std::make_unique<avc::Link>(each.settings, each.cache, context); };
    const auto count = [&](const avc::Link& link) {
      wrong += link.stats().wrongWords;
      hits += link.stats().hits;
      return stats::toJson(link.stats());
    };
    for (u64 seed = 1; seed <= 4; ++seed)
      conform([&] { return StageAdapter<avc::Link>(each.cache, make, count); }, Traffic{.seed = seed, .bytes = 32 * 1024});
    EXPECT_EQ(wrong, 0u);
    if (each.settings.geometry.bytes != 0) EXPECT_GT(hits, 0u);
  }
}

}  // namespace
}  // namespace warpwright::mechanisms
