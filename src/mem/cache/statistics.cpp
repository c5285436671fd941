#include "mem/cache/statistics.hpp"

#include <string>

namespace warpwright::mem {

void RefusalStats::add(Refusal cause, AccessType type, u64 ticks) {
  switch (cause) {
    case Refusal::none:
      return;
    case Refusal::bankConflict:
      bankConflict[type] += ticks;
      return;
    case Refusal::mergeLimit:
      mergeLimit[type] += ticks;
      return;
    case Refusal::mshrsFull:
      mshrsFull[type] += ticks;
      return;
    case Refusal::noLine:
      noLine[type] += ticks;
      return;
    case Refusal::missQueueFull:
      missQueueFull[type] += ticks;
      return;
    case Refusal::responseQueueFull:
      responseQueueFull[type] += ticks;
      return;
  }
}

void check(const CacheStats& stats, stats::Conservation& laws) {
  for (std::size_t i = 0; i < kAccessTypes; ++i) {
    const auto type = static_cast<AccessType>(i);
    laws.equal("cache: hits + misses + merges = accesses, " + std::string(name(type)),
               stats.hits[type] + stats.misses[type] + stats.merges[type], stats.accesses[type]);
  }
  const PrefetchStats& prefetched = stats.prefetched;
  laws.atMost("cache: prefetched lines used, late and unused <= lines", prefetched.used + prefetched.late + prefetched.unused,
              prefetched.lines);
  laws.atMost("cache: prefetched lines <= misses of prefetches", prefetched.lines, stats.misses[AccessType::prefetch]);
  laws.atMost("cache: bypassed <= misses", stats.bypassed, stats.misses.total());
  laws.atMost("cache: fills <= fetches", stats.fills, stats.fetches);
  laws.atMost("cache: sectors filled <= sectors fetched", stats.sectorsFilled, stats.sectorsFetched);
  laws.atMost("cache: sectors dirtied <= sectors written", stats.sectorsDirtied, stats.sectorsWritten);
  laws.atMost("cache: sectors written back <= sectors dirtied", stats.sectorsWrittenBack, stats.sectorsDirtied);
}

void checkAtRest(const CacheStats& stats, stats::Conservation& laws) {
  check(stats, laws);
  laws.equal("cache: fills = fetches", stats.fills, stats.fetches);
  laws.equal("cache: sectors filled = sectors fetched", stats.sectorsFilled, stats.sectorsFetched);
}

}  // namespace warpwright::mem
