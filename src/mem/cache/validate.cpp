#include "mem/cache/validate.hpp"

#include <fmt/format.h>

#include <bit>

#include "base/error.hpp"
#include "mem/cache/replacement/replacement.hpp"
#include "mem/request.hpp"

namespace warpwright::mem {
namespace {

constexpr u32 kLargestLine = 8 * Request::kSectorBytes;
constexpr u32 kMostBanks = 64;
constexpr u32 kMostWaiters = 1u << 16;

class Checker {
 public:
  explicit Checker(std::string_view section) : section_(section) {}

  void require(bool holds, std::string_view keys, std::string cause, std::string remedy) const {
    if (holds) return;
    throw Error(fmt::format("{}.{}: {}", section_, keys, cause), {}, std::move(remedy));
  }
  void atLeastOne(u32 value, std::string_view key) const {
    require(value != 0, key, "is 0", fmt::format("set {}.{} to 1 or more", section_, key));
  }

 private:
  std::string_view section_;
};

void validateLines(const config::Cache& cache, const Checker& checker) {
  checker.require(std::has_single_bit(cache.lineBytes) && cache.lineBytes >= Request::kSectorBytes && cache.lineBytes <= kLargestLine,
                  "line_bytes", fmt::format("a line of {} bytes", cache.lineBytes), "a line has 32, 64, 128 or 256 bytes");
  checker.require(
      std::has_single_bit(cache.sectorBytes) && cache.sectorBytes >= Request::kSectorBytes && cache.sectorBytes <= cache.lineBytes,
      "sector_bytes", fmt::format("a sector of {} bytes in a line of {}", cache.sectorBytes, cache.lineBytes),
      "a sector has a power of two of bytes, from 32 up to line_bytes");
}

void validateSets(const config::Cache& cache, const Checker& checker) {
  if (cache.bytes == 0) {
    checker.require(cache.mshrs <= kMaxWays, "mshrs", fmt::format("{} entries without a cache behind them", cache.mshrs),
                    fmt::format("a cache of 0 bytes has at most {} MSHRs", kMaxWays));
    return;
  }
  checker.require(cache.ways >= 1 && cache.ways <= kMaxWays, "ways", fmt::format("{} ways", cache.ways),
                  fmt::format("1 to {} ways", kMaxWays));
  checker.require(
      cache.bytes % (u64{cache.ways} * cache.lineBytes) == 0, "bytes",
      fmt::format("{} bytes do not divide into sets of ways x line_bytes = {} x {} bytes", cache.bytes, cache.ways, cache.lineBytes),
      "make bytes a multiple of ways x line_bytes");
  checker.require(cache.bytes / cache.lineBytes < kMostWaiters * u64{1024}, "bytes", fmt::format("{} bytes are too many", cache.bytes),
                  "make the cache smaller");
}

}  // namespace

void validate(const config::Cache& cache, std::string_view section) {
  const Checker checker(section);
  validateLines(cache, checker);
  checker.atLeastOne(cache.mshrs, "mshrs");
  checker.atLeastOne(cache.mergesPerMshr, "merges_per_mshr");
  checker.require(u64{cache.mshrs} * cache.mergesPerMshr <= kMostWaiters, "merges_per_mshr",
                  fmt::format("{} MSHRs of {} accesses each are too many", cache.mshrs, cache.mergesPerMshr),
                  fmt::format("keep mshrs x merges_per_mshr at {} or below", kMostWaiters));
  validateSets(cache, checker);
  checker.atLeastOne(cache.hitLatency, "hit_latency");
  checker.atLeastOne(cache.missLatency, "miss_latency");
  checker.atLeastOne(cache.ports, "ports");
  checker.atLeastOne(cache.inputQueue, "input_queue");
  checker.atLeastOne(cache.fillBytesPerTick, "fill_bytes_per_tick");
  checker.require(cache.banks >= 1 && cache.banks <= kMostBanks, "banks", fmt::format("{} banks", cache.banks),
                  fmt::format("1 to {} banks", kMostBanks));
  checker.require(cache.missQueue >= 2, "miss_queue", fmt::format("room for {} requests", cache.missQueue),
                  "a miss that displaces a dirty line needs 2: set miss_queue to 2 or more");
}

}  // namespace warpwright::mem
