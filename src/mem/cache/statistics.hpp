// What a cache counts.
#pragma once

#include "mem/request.hpp"
#include "stats/conservation.hpp"
#include "stats/enum_vector.hpp"
#include "stats/histogram.hpp"

namespace warpwright::mem {

// Why the access at the head of the input queue cannot be processed.
enum class Refusal : u8 { none, bankConflict, mergeLimit, mshrsFull, noLine, missQueueFull, responseQueueFull };

using PerType = stats::EnumVector<AccessType, kAccessTypes>;

// Ticks in which an access was refused, by cause and access type.
struct RefusalStats {
  PerType bankConflict, mergeLimit, mshrsFull, noLine, missQueueFull, responseQueueFull;

  void add(Refusal cause, AccessType type, u64 ticks);

  static constexpr void fields(auto&& field) {
    using S = RefusalStats;
    field("bank_conflict", "ticks", "another access of the tick uses the bank", &S::bankConflict);
    field("merge_limit", "ticks", "the MSHR of the line holds as many accesses as it can", &S::mergeLimit);
    field("mshrs_full", "ticks", "no MSHR is free", &S::mshrsFull);
    field("no_line", "ticks", "every line of the set is being fetched", &S::noLine);
    field("miss_queue_full", "ticks", "no room for the request, or for the write-back of the line it displaces", &S::missQueueFull);
    field("response_queue_full", "ticks", "earlier hits have not been taken", &S::responseQueueFull);
  }
  bool operator==(const RefusalStats&) const = default;
};

// Of the lines that prefetches asked for, whoever sent them: the program, a routine, a mechanism. Demands are all other accesses but
// write-backs, and writes that pass the cache.
struct PrefetchStats {
  u64 lines = 0, used = 0, late = 0, unused = 0, early = 0, displaced = 0;

  static constexpr void fields(auto&& field) {
    using S = PrefetchStats;
    field("lines", "lines", "of which a prefetch asked for sectors; those of the next three counters, and those that are still there",
          &S::lines);
    field("used", "lines", "of them, whose sectors were there when a demand came for some", &S::used);
    field("late", "lines", "of them, which a demand asked for while they were on their way", &S::late);
    field("unused", "lines", "of them, which left without a demand", &S::unused);
    field("early", "accesses", "demands that missed a line which had left unused", &S::early);
    field("displaced", "accesses", "demands that missed a line which a prefetch had displaced (pollution)", &S::displaced);
  }
  bool operator==(const PrefetchStats&) const = default;
};

struct CacheStats {
  PerType accesses, hits, misses, merges;
  PrefetchStats prefetched;
  RefusalStats refusals;
  u64 fetches = 0, fills = 0;
  u64 passed = 0, bypassed = 0;
  u64 evictions = 0, writeBacks = 0;
  u64 sectorsDirtied = 0, sectorsWrittenBack = 0;
  u64 sectorsRead = 0, sectorsWritten = 0, sectorsFetched = 0, sectorsFilled = 0;
  u64 bytesFromAbove = 0, bytesToAbove = 0, bytesToBelow = 0, bytesFromBelow = 0;
  u64 inputQueueTicks = 0;
  stats::Peak mshrsUsed;
  stats::Histogram<stats::PowersOfTwo, 16> latency, fetchLatency;

  static constexpr void fields(auto&& field) {
    using S = CacheStats;
    field("accesses", "accesses", "accesses processed; hits, misses and merges add up to them", &S::accesses);
    field("hits", "accesses", "every sector touched was valid", &S::hits);
    field("misses", "accesses", "a sector was neither valid nor on its way (primary miss)", &S::misses);
    field("merges", "accesses", "the missing sectors were all on their way (secondary miss)", &S::merges);
    field("prefetched", "", "what became of prefetches", &S::prefetched);
    field("refusals", "ticks", "ticks in which the oldest access waited for a resource (reservation failures)", &S::refusals);
    field("fetches", "requests", "requests for sectors sent below", &S::fetches);
    field("fills", "responses", "responses to fetches", &S::fills);
    field("passed", "requests", "writes and atomics handed below as they came", &S::passed);
    field("bypassed", "accesses", "of the misses, those that the replacement policy let go by without a line", &S::bypassed);
    field("evictions", "lines", "lines displaced or dropped on a write", &S::evictions);
    field("write_backs", "lines", "dirty lines sent below", &S::writeBacks);
    field("sectors_dirtied", "sectors", "clean sectors that a write or an atomic made dirty", &S::sectorsDirtied);
    field("sectors_written_back", "sectors", "dirty sectors sent below", &S::sectorsWrittenBack);
    field("sectors_read", "sectors", "read from the lines by accesses that hit; those written back are read too", &S::sectorsRead);
    field("sectors_written", "sectors", "written to the lines by accesses from above, in full or in part", &S::sectorsWritten);
    field("sectors_fetched", "sectors", "asked for below, for a line", &S::sectorsFetched);
    field("sectors_filled", "sectors", "of responses from below, written to the lines", &S::sectorsFilled);
    field("bytes_from_above", "bytes", "accesses as packets", &S::bytesFromAbove);
    field("bytes_to_above", "bytes", "responses as packets", &S::bytesToAbove);
    field("bytes_to_below", "bytes", "requests sent below as packets", &S::bytesToBelow);
    field("bytes_from_below", "bytes", "responses from below as packets", &S::bytesFromBelow);
    field("input_queue_ticks", "ticks", "ticks that accesses waited in the input queue, summed", &S::inputQueueTicks);
    field("mshrs_used", "entries", "most MSHRs in use at once", &S::mshrsUsed);
    field("latency", "ticks", "from acceptance to response, of accesses answered here", &S::latency);
    field("fetch_latency", "ticks", "from the allocation of an MSHR to its last fill; the sum is the occupancy of the MSHRs",
          &S::fetchLatency);
  }
};

// Laws that hold at any time.
void check(const CacheStats& stats, stats::Conservation& laws);
// Further ones, of a cache with nothing under way.
void checkAtRest(const CacheStats& stats, stats::Conservation& laws);

}  // namespace warpwright::mem
