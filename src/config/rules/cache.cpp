// Rules of each cache, and between the levels.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "config/rules/lists.hpp"

namespace warpwright::config {

using M = Machine;

namespace {

struct Named {
  const char* section;
  Cache Machine::*cache;
  bool isAlwaysThere = false;  // without a capacity, its MSHRs still merge, and lines of its size go to the network
};
constexpr Named kCaches[] = {
    {"l1d", &M::l1d, true}, {"l1i", &M::l1i}, {"l1c", &M::l1c}, {"l15c", &M::l15c}, {"texture_cache", &M::textureCache},
    {"l2", &M::l2},         {"llc", &M::llc}};

bool isThere(const Named& named, const M& machine) { return named.isAlwaysThere || (machine.*named.cache).bytes != 0; }

u64 bytesOfWays(const Cache& cache) { return u64{cache.ways} * cache.lineBytes; }

bool divides(const Cache& cache) { return cache.bytes % bytesOfWays(cache) == 0; }

// Asked only of caches that can be divided, so that a machine breaks one rule at a time.
bool hashesWell(const Cache& cache) {
  return cache.bytes == 0 || cache.setHash == "none" || !divides(cache) || std::has_single_bit(cache.bytes / bytesOfWays(cache));
}

void addRulesOf(const Named& named, std::vector<Rule>& list) {
  const std::string name = named.section;
  const auto add = [&](std::vector<std::string> keys, std::string text, bool (*holds)(const Cache&)) {
    for (std::string& key : keys) key = name + "." + key;
    list.push_back(
        {std::move(keys), std::move(text), [named, holds](const M& m) { return !isThere(named, m) || holds(m.*named.cache); }, true});
  };
  add({"bytes", "ways", "line_bytes"}, "the capacity must be a whole number of sets, each of ways x line_bytes", divides);
  add({"set_hash", "bytes", "ways", "line_bytes"}, "hashing needs a power of two of sets, bytes / (ways x line_bytes)", hashesWell);
  add({"mshrs", "merges_per_mshr"}, fmt::format("all MSHRs together hold at most {} accesses", kMostHeldAccesses),
      [](const Cache& c) { return u64{c.mshrs} * c.mergesPerMshr <= kMostHeldAccesses; });
  add({"sector_bytes", "line_bytes"}, "a sector cannot be larger than the line",
      [](const Cache& c) { return c.sectorBytes <= c.lineBytes; });
}

// A line of the upper cache must lie in one line of the lower.
Rule nests(const Named& upper, const Named& lower) {
  return {{std::string(upper.section) + ".line_bytes", std::string(lower.section) + ".line_bytes"},
          "a line cannot be larger than the lines of the cache below",
          [upper, lower](const M& m) {
            return !isThere(upper, m) || !isThere(lower, m) || (m.*upper.cache).lineBytes <= (m.*lower.cache).lineBytes;
          },
          true};
}

}  // namespace

Cache Machine::*cacheOfSection(std::string_view section) {
  const auto found = std::find_if(std::begin(kCaches), std::end(kCaches), [&](const Named& named) { return section == named.section; });
  if (found == std::end(kCaches)) throw Error(fmt::format("no section [{}] describes a cache", section));
  return found->cache;
}

std::vector<Rule> cacheRules() {
  std::vector<Rule> result;
  for (const Named& cache : kCaches) addRulesOf(cache, result);
  result.push_back({{"l1d.mshrs", "l1d.bytes"},
                    fmt::format("without a cache behind them there are at most {} MSHRs", kMostWays),
                    [](const M& m) { return m.l1d.bytes > 0 || m.l1d.mshrs <= kMostWays; },
                    true});
  constexpr std::size_t kL1c = 2, kL15c = 3, kL2 = 5, kLlc = 6;
  result.push_back({{"l15c.bytes", "l1c.bytes"},
                    "the second level of constant cache lies behind the first: without l1c there is none",
                    [](const M& m) { return m.l15c.bytes == 0 || m.l1c.bytes != 0; },
                    true});
  result.push_back(nests(kCaches[kL1c], kCaches[kL15c]));
  for (std::size_t upper = 0; upper < kL2; ++upper) result.push_back(nests(kCaches[upper], kCaches[kL2]));
  result.push_back(nests(kCaches[kL2], kCaches[kLlc]));
  for (const Named& cache : kCaches) {
    result.push_back({{std::string(cache.section) + ".line_bytes", "dram.interleave_bytes"},
                      "a line must lie in one DRAM channel",
                      [cache](const M& m) { return !isThere(cache, m) || (m.*cache.cache).lineBytes <= m.dram.interleaveBytes; },
                      true});
  }
  return result;
}

}  // namespace warpwright::config
