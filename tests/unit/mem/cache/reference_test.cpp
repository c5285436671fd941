// Accesses one at a time, against a model of the cache as lists of lines: hits, misses, fetched sectors and write-backs must agree.
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "unit/mem/cache/cache_driver.hpp"
#include "unit/mem/conformance/random.hpp"

namespace warpwright::mem {
namespace {

struct ModelLine {
  u64 number = 0;
  u32 valid = 0, dirty = 0;
  std::map<u32, std::set<u32>> bytes = {};  // by sector: those written where it is not valid
};

// A write-back cache; LRU or FIFO; fetching on a write or lazily.
class Model {
 public:
  Model(const config::Cache& config, u64 sets) : config_(config), sets_(sets) {}

  // What goes below, as (type, line, sectors), and whether it hit.
  bool access(const Request& request, std::vector<std::string>& below) {
    const u64 number = request.address / config_.lineBytes;
    std::vector<ModelLine>& set = lines_[number % sets_];  // first to go first
    auto found = std::find_if(set.begin(), set.end(), [&](const ModelLine& line) { return line.number == number; });
    if (found == set.end()) {
      if (set.size() == config_.ways) evict(set, below);
      set.push_back({number});
      found = set.end() - 1;
    } else if (config_.replacement == "lru") {
      std::rotate(found, found + 1, set.end());
      found = set.end() - 1;
    }
    const bool writes = isWrite(request.type);
    const bool isHit = (request.sectors & ~found->valid) == 0;
    if (writes && config_.globalWrites == config::WritePolicy::writeBackLazy) {
      found->dirty |= request.sectors;
      noteBytes(request, *found);
      return isHit;
    }
    const u32 needed = request.sectors & ~found->valid & ~(writes ? request.wholeSectors : 0);
    const u32 fetched = whole(needed) & ~found->valid;
    if (fetched != 0) below.push_back("fetch " + std::to_string(number) + " " + std::to_string(fetched));
    found->valid |= fetched | request.sectors;
    if (writes) found->dirty |= request.sectors;
    return isHit;
  }

 private:
  static void evict(std::vector<ModelLine>& set, std::vector<std::string>& below) {
    const ModelLine line = set.front();
    set.erase(set.begin());
    if (line.dirty == 0) return;
    below.push_back("back " + std::to_string(line.number) + " " + std::to_string(line.dirty));
    for (const auto& [sector, bytes] : line.bytes) {
      if ((line.dirty & ~line.valid) >> sector & 1) below.back() += " " + std::to_string(sector) + ":" + std::to_string(bytes.size());
    }
  }
  static void noteBytes(const Request& request, ModelLine& line) {
    for (u32 s = 0; s < 8; ++s) {
      if ((request.sectors >> s & 1) == 0) continue;
      std::set<u32>& bytes = line.bytes[s];
      for (u32 byte = 0; byte < 32; ++byte) {
        if ((request.wholeSectors >> s & 1) != 0 || (request.written[s] >> byte & 1) != 0) bytes.insert(byte);
      }
      if (bytes.size() == 32) line.valid |= 1u << s;
    }
  }
  u32 whole(u32 sectors) const {
    u32 result = 0;
    for (u32 s = 0; s < config_.lineBytes / 32; ++s) {
      if ((sectors >> s & 1) == 0) continue;
      const u32 perGroup = config_.sectorBytes / 32;
      for (u32 t = s / perGroup * perGroup; t < (s / perGroup + 1) * perGroup; ++t) result |= 1u << t;
    }
    return result;
  }

  config::Cache config_;
  u64 sets_;
  std::map<u64, std::vector<ModelLine>> lines_;
};

std::vector<std::string> described(const std::vector<Request>& requests, u32 lineBytes) {
  std::vector<std::string> result;
  for (const Request& request : requests) {
    const char* const what = request.type == AccessType::writeBack ? "back " : "fetch ";
    result.push_back(what + std::to_string(request.address / lineBytes) + " " + std::to_string(request.sectors));
    for (u32 s = 0; s < 8; ++s) {
      const bool isPart = isWrite(request.type) && ((request.sectors & ~request.wholeSectors) >> s & 1) != 0;
      if (isPart) result.back() += " " + std::to_string(s) + ":" + std::to_string(std::popcount(request.written[s]));
    }
  }
  return result;
}

struct Shape {
  u64 bytes;
  u32 ways, lineBytes, sectorBytes;
  const char* replacement;
  config::WritePolicy writes = config::WritePolicy::writeBack;
};

class CacheReference : public ::testing::TestWithParam<Shape> {};

TEST_P(CacheReference, agrees) {
  const Shape shape = GetParam();
  config::Cache config = testCache();
  config.bytes = shape.bytes;
  config.ways = shape.ways;
  config.lineBytes = shape.lineBytes;
  config.sectorBytes = shape.sectorBytes;
  config.replacement = shape.replacement;
  config.globalWrites = config.localWrites = shape.writes;
  CacheDriver driver(config);
  Model model(config, shape.bytes / shape.ways / shape.lineBytes);
  conformance::Random random(shape.bytes + shape.ways);
  const u32 all = (1u << shape.lineBytes / 32) - 1;
  for (int step = 0; step < 3000; ++step) {
    Request request = load(random.below(shape.bytes * 2 / shape.lineBytes) * shape.lineBytes, 1 + static_cast<u32>(random.below(all)));
    request.lineBytes = shape.lineBytes;
    if (random.chance(40)) {
      request.type = random.chance(50) ? AccessType::globalWrite : AccessType::localWrite;
      request.wholeSectors = request.sectors & static_cast<u32>(random.next());
      for (u32 s = 0; s < 8; ++s) {
        if (((request.sectors & ~request.wholeSectors) >> s & 1) != 0) request.written[s] = 0xffffu << random.below(3) * 8;
      }
    }
    const u64 hitsBefore = driver.cache.statistics().hits.total();
    driver.sentDown.clear();
    driver.run(request);
    std::vector<std::string> below;
    const bool isHit = model.access(request, below);
    ASSERT_EQ(driver.cache.statistics().hits.total() - hitsBefore, isHit ? 1u : 0u) << "step " << step;
    ASSERT_EQ(described(driver.sentDown, shape.lineBytes), below) << "step " << step;
  }
}

constexpr auto kLazy = config::WritePolicy::writeBackLazy;
INSTANTIATE_TEST_SUITE_P(Shapes, CacheReference,
                         ::testing::Values(Shape{16384, 4, 128, 128, "lru"}, Shape{16384, 4, 128, 32, "lru"},
                                           Shape{12288, 6, 128, 64, "lru"}, Shape{12288, 24, 128, 128, "lru"},
                                           Shape{3072, 1, 64, 32, "fifo"}, Shape{8192, 8, 256, 64, "fifo"}, Shape{2048, 64, 32, 32, "fifo"},
                                           Shape{16384, 4, 128, 32, "lru", kLazy}, Shape{8192, 8, 256, 64, "lru", kLazy},
                                           Shape{3072, 1, 128, 128, "fifo", kLazy}));

// Set hashing only renames sets: a run of consecutive lines as long as the cache still fits, and a stride that falls into one set spreads.
// Lines that differ in none but high bits, of any group that is as wide as the number of a set.
TEST(SetHash, foldsEveryGroupOfBits) {
  config::Cache config = testCache();  // 4 sets of 2 ways
  config.setHash = "xor_fold";
  for (u32 shift = 2; shift < 30; shift += 2) {
    CacheDriver driver(config);
    for (u32 round = 0; round < 2; ++round)
      for (u64 line = 0; line < 4; ++line) driver.run(load((line << shift) * 128));
    EXPECT_EQ(driver.cache.statistics().hits.total(), 4u) << "bits from " << shift << " on";
  }
}

TEST(SetHash, spreadsStrides) {
  for (const std::string_view hash : {"none", "xor_fold"}) {
    config::Cache config = testCache();
    config.bytes = 16384;
    config.ways = 4;
    config.setHash = hash;
    CacheDriver consecutive(config), strided(config);
    for (int round = 0; round < 2; ++round) {
      for (u64 line = 0; line < 128; ++line) consecutive.run(load(line * 128));
      for (u64 line = 0; line < 32; ++line) strided.run(load(line * 32 * 128));
    }
    EXPECT_EQ(consecutive.cache.statistics().hits.total(), 128u);
    EXPECT_EQ(strided.cache.statistics().hits.total(), hash == "none" ? 0u : 32u);
  }
}

}  // namespace
}  // namespace warpwright::mem
