#include "mechanisms/tiny_cache/statistics.hpp"

namespace warpwright::mechanisms::tiny_cache {
namespace {

void checkSpace(const SpaceStats& s, stats::Conservation& laws) {
  laws.equal("tiny caches: hits, waits and misses = reads", s.readHits + s.readWaits + s.readMisses + s.readsInvalid, s.reads);
  laws.equal("tiny caches: write hits and misses = writes", s.writeHits + s.writesInvalid + s.writesLast + s.writeMisses, s.writes);
  laws.atMost("tiny caches: reads <= words read", s.reads, s.wordsRead);
  laws.atMost("tiny caches: writes <= words written", s.writes, s.wordsWritten);
  laws.atMost("tiny caches: words written back <= words written", s.wordsWrittenBack, s.wordsWritten);
  laws.atMost("tiny caches: lines written back <= words written back", s.linesWrittenBack, s.wordsWrittenBack);
}

u64 allocations(const SpaceStats& s) { return s.readMisses + s.writeMisses; }
u64 allocations(const Statistics& s) { return allocations(s.global) + allocations(s.shared) + allocations(s.privateMemory); }

}  // namespace

void check(const Statistics& s, stats::Conservation& laws) {
  checkSpace(s.global, laws);
  checkSpace(s.shared, laws);
  checkSpace(s.privateMemory, laws);
  laws.atMost("tiny caches: lines that left <= lines allocated", s.evictions.total(), allocations(s));
  laws.atMost("tiny caches: lines written back <= lines that left",
              s.global.linesWrittenBack + s.shared.linesWrittenBack + s.privateMemory.linesWrittenBack, s.evictions.total());
  laws.atMost("tiny caches: requests <= sectors that they ask for", s.below.fetches, s.below.sectors);
  laws.atMost("tiny caches: lines of shared memory fetched <= reads that miss", s.below.sharedLines, s.shared.missed());
}

void checkAtRest(const Statistics& s, stats::Conservation& laws) {
  check(s, laws);
  laws.equal("tiny caches: lines that left = lines allocated", s.evictions.total(), allocations(s));
}

}  // namespace warpwright::mechanisms::tiny_cache
