// What elastic MSHRs count.
#pragma once

#include "mechanisms/elastic_mshr/hardware_cost.hpp"
#include "stats/conservation.hpp"
#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms::elastic_mshr {

// Cycles in which the access at hand waited, by what for.
struct StallStats {
  u64 entries = 0, secondaries = 0, buffers = 0, stores = 0;

  static constexpr void fields(auto&& field) {
    using S = StallStats;
    field("entries", "cycles", "no MSHR of the set was free (MSHR_alloc_fail)", &S::entries);
    field("secondaries", "cycles", "the MSHR of the block held as many loads as it can (MSHR_alloc_fail)", &S::secondaries);
    field("buffers", "cycles", "a primary load or a store had no buffer on the way to the network", &S::buffers);
    field("stores", "cycles", "a store had no entry to be combined in, or an access waited until stores to its block were sent",
          &S::stores);
  }
  bool operator==(const StallStats&) const = default;
};

// Of stores that are combined.
struct StoreStats {
  u64 opened = 0, joined = 0, writes = 0;
  u64 timedOut = 0, forOthers = 0, forRoom = 0;
  u64 bytes = 0;

  static constexpr void fields(auto&& field) {
    using S = StoreStats;
    field("opened", "vectors", "stores that opened a write", &S::opened);
    field("joined", "vectors", "stores that joined one", &S::joined);
    field("writes", "requests", "sent for them; all others went on by themselves", &S::writes);
    field("timed_out", "requests", "of the writes, those that were sent incomplete after a time", &S::timedOut);
    field("for_others", "requests",
          "of the writes, those that were sent because a load, or a store that goes on by itself, was for their block", &S::forOthers);
    field("for_room", "requests", "of the writes, those that were sent because another store needed the entry", &S::forRoom);
    field("bytes", "bytes", "of sectors that the writes carry", &S::bytes);
  }
  bool operator==(const StoreStats&) const = default;
};

struct Statistics {
  u64 loads = 0, primaries = 0, secondaries = 0, reservations = 0;
  u64 falsePrimaries = 0, overtaken = 0, stores = 0;
  u64 fired1 = 0, fired2 = 0, fired4 = 0, fired8 = 0;
  u64 bytesFired = 0, bytesLoaded = 0, bytesKept = 0, bytesDropped = 0, bytesDuplicate = 0;
  u64 bytesAsked = 0, bytesTouched = 0;
  StoreStats combined;
  StallStats stalls;
  stats::Peak entriesUsed;
  HardwareCost hardware;

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("loads", "vectors",
          "loads of sub-warps, one for each block that they touch; primaries, secondaries and reservations add up to them", &S::loads);
    field("primaries", "vectors", "of them, covered by no load in flight: each fired a request", &S::primaries);
    field("secondaries", "vectors", "that joined the MSHR of their block", &S::secondaries);
    field("reservations", "vectors", "of a part of a hyper block in flight that nobody had reserved: an MSHR of their own, and no request",
          &S::reservations);
    field("false_primaries", "vectors", "of the primaries, those that a hyper block in flight covered from another set",
          &S::falsePrimaries);
    field("overtaken", "vectors",
          "secondaries and reservations of a block that the SM has stored to since its data were asked for: hardware would have to keep "
          "them from joining",
          &S::overtaken);
    field("stores", "vectors", "packed and sent on", &S::stores);
    field("fired_1", "requests", "for a normal block", &S::fired1);
    field("fired_2", "requests", "for a hyper block of two normal ones", &S::fired2);
    field("fired_4", "requests", "of four", &S::fired4);
    field("fired_8", "requests", "of eight", &S::fired8);
    field("bytes_fired", "bytes", "asked for by primaries", &S::bytesFired);
    field("bytes_loaded", "bytes", "that came; kept, dropped and duplicate ones add up to them", &S::bytesLoaded);
    field("bytes_kept", "bytes", "of blocks that were reserved when they came", &S::bytesKept);
    field("bytes_dropped", "bytes", "of blocks that nobody had reserved", &S::bytesDropped);
    field("bytes_duplicate", "bytes", "of blocks whose MSHR waited for another packet", &S::bytesDuplicate);
    field("bytes_asked", "bytes", "distinct bytes that the lanes of each load touch, summed over the loads", &S::bytesAsked);
    field("bytes_touched", "bytes", "of those kept, distinct bytes that some load touched", &S::bytesTouched);
    field("combined", "vectors", "stores that go on together", &S::combined);
    field("stalls", "cycles", "of the access at hand", &S::stalls);
    field("entries_used", "MSHRs", "most in use at once", &S::entriesUsed);
    field("hardware", "gates", "what they take beside vector MSHRs (table 6.1), if all are one set", &S::hardware);
  }
  static constexpr void figures(auto&& figure) {
    using S = Statistics;
    figure("utilisation", "share of bytes loaded", "used by some load (section 6.5.5)",
           [](const S& s) { return stats::ratio(s.bytesTouched, s.bytesLoaded); });
    figure("hyper_blocks", "share of primaries", "that asked for more than a normal block",
           [](const S& s) { return stats::ratio(s.fired2 + s.fired4 + s.fired8, s.primaries); });
    figure("stores_per_write", "stores", "that were combined and went on as one",
           [](const S& s) { return stats::ratio(s.combined.opened + s.combined.joined, s.combined.writes); });
    figure("covered", "share of loads", "that fired nothing", [](const S& s) { return stats::ratio(s.loads - s.primaries, s.loads); });
  }
  bool operator==(const Statistics&) const = default;
};

// Laws that hold at any time.
void check(const Statistics& statistics, stats::Conservation& laws);
// Further ones, with nothing in flight. blockBytes: of a normal block.
void checkAtRest(const Statistics& statistics, u32 blockBytes, stats::Conservation& laws);

}  // namespace warpwright::mechanisms::elastic_mshr
