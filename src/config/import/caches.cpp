// The caches of an SM and an L2 slice.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "config/import/cache_text.hpp"
#include "config/import/parts.hpp"

namespace warpwright::config {
namespace {

constexpr u64 kSector = 32, kMostAccesses = 65'535;

WritePolicy writeBack(char allocate) {
  if (allocate == 'L') return WritePolicy::writeBackLazy;
  return allocate == 'N' ? WritePolicy::writeBackNoAllocate : WritePolicy::writeBack;
}

void applyWrites(Options& options, const Option& option, const CacheText& text, Cache& cache) {
  const bool writesThrough = text.write == 'T' || text.write == 'E';
  if (text.allocate == 'W' && text.write != 'R') {
    options.note(option,
                 "write allocation W sends each write below and fetches its line, too; the machine fetches what the write leaves out");
  } else if (writesThrough && text.allocate == 'F') {
    options.note(option, "writes that go below allocate no line");
  }
  switch (text.write) {
    case 'B':
      cache.globalWrites = cache.localWrites = writeBack(text.allocate);
      break;
    case 'T':
      cache.globalWrites = cache.localWrites = text.allocate == 'L' ? WritePolicy::writeThroughAllocate : WritePolicy::writeThrough;
      break;
    case 'E':
      cache.globalWrites = cache.localWrites = WritePolicy::writeThroughEvict;
      break;
    case 'L':
      cache.globalWrites = WritePolicy::writeThroughEvict;
      cache.localWrites = writeBack(text.allocate);
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
  cache.setHash = isWanted && isPossible ? "xor_fold" : "none";
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
  applyWrites(options, *option, *text, cache);
  cache.replacement = text->replacement == 'F' ? "fifo" : "lru";
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
  machine.sm.storesInFlight = 0;
  machine.l2.inputQueue = 1;  // it looks up what is first in the queue of its slice
}

}  // namespace warpwright::config
