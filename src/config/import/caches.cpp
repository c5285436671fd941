// The caches of an SM and an L2 slice.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "config/import/cache_text.hpp"
#include "config/import/parts.hpp"

namespace warpwright::config {
namespace {

constexpr u64 kMostWays = 64, kSector = 32, kMostAccesses = 65'535;

void applyWrites(char write, Cache& cache) {
  switch (write) {
    case 'B':
      cache.globalWrites = cache.localWrites = WritePolicy::writeBack;
      break;
    case 'T':
      cache.globalWrites = cache.localWrites = WritePolicy::writeThrough;
      break;
    case 'E':
      cache.globalWrites = cache.localWrites = WritePolicy::writeThroughEvict;
      break;
    case 'L':
      cache.globalWrites = WritePolicy::writeThroughEvict;
      cache.localWrites = WritePolicy::writeBack;
      break;
    default:
      break;  // read-only
  }
}

// Of the same capacity where the set would have more ways than a set may have.
void applyGeometry(Options& options, const Option& option, const CacheText& text, Cache& cache) {
  cache.bytes = text.sets * text.lineBytes * text.ways;
  if (text.lineBytes < kSector || text.lineBytes > 256 || !std::has_single_bit(text.lineBytes)) {
    refuse(option, fmt::format("lines of {} bytes; they have 32, 64, 128 or 256", text.lineBytes));
  }
  cache.lineBytes = static_cast<u32>(text.lineBytes);
  cache.sectorBytes = text.sectored ? kSector : cache.lineBytes;
  u64 ways = text.ways;
  while (ways > kMostWays && ways % 2 == 0) ways /= 2;
  if (ways > kMostWays) refuse(option, fmt::format("{} ways; a set has at most {}", text.ways, kMostWays));
  if (ways != text.ways)
    options.note(option, fmt::format("a set has at most {} ways: {} sets of {}", kMostWays, text.sets * text.ways / ways, ways));
  cache.ways = static_cast<u32>(ways);
}

void applySetIndex(Options& options, const Option& option, const CacheText& text, Cache& cache) {
  const bool isPossible = std::has_single_bit(cache.bytes / (u64{cache.ways} * cache.lineBytes));
  const bool isWanted = text.setIndex != 'L';
  cache.setHash = isWanted && isPossible ? SetHash::xorFold : SetHash::none;
  if (isWanted) {
    options.note(option, isPossible ? "the sets are hashed by exclusive-or, which is another function"
                                    : "the sets are not hashed: that needs a power of two of them");
  }
}

u32 limited(u64 value, u64 most) { return static_cast<u32>(std::min(value, most)); }

void importCache(Options& options, std::string_view name, Cache& cache) {
  const Option* option = options.take(name);
  if (option == nullptr) return;
  const auto text = parseCacheText(*option);
  if (!text) {
    cache.bytes = 0;
    return;
  }
  applyGeometry(options, *option, *text, cache);
  applySetIndex(options, *option, *text, cache);
  applyWrites(text->write, cache);
  cache.replacement = text->replacement == 'F' ? Replacement::fifo : Replacement::lru;
  cache.mshrs = limited(text->mshrs, kMostAccesses);
  cache.mergesPerMshr = limited(text->merges, std::max<u64>(kMostAccesses / cache.mshrs, 1));
  cache.missQueue = std::max(limited(text->missQueue, kMostAccesses), 2U);
  cache.fillBytesPerTick = text->portBytes > 0 ? limited(text->portBytes, 4096) : cache.lineBytes;
}

}  // namespace

void importCaches(Options& options, Machine& machine) {
  importCache(options, "gpgpu_cache:dl1", machine.l1d);
  options.number("gpgpu_l1_latency", machine.l1d.hitLatency);
  options.number("gpgpu_l1_banks", machine.l1d.banks);
  importCache(options, "gpgpu_cache:il1", machine.l1i);
  importCache(options, "gpgpu_const_cache:l1", machine.l1c);
  importCache(options, "gpgpu_tex_cache:l1", machine.textureCache);
  importCache(options, "gpgpu_cache:dl2", machine.l2);
  if (machine.sm.storesInFlight < machine.l1d.mshrs) machine.sm.storesInFlight = machine.l1d.mshrs;
}

}  // namespace warpwright::config
