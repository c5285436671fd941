// What an affine vector cache counts.
#pragma once

#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms::avc {

// Changes of what it holds.
struct StateStats {
  u64 writeConflicts = 0, fillConflicts = 0;
  u64 lineEvictions = 0, vectorEvictions = 0, dirtyVectors = 0;
  u64 victimHits = 0;

  static constexpr void fields(auto&& field) {
    using S = StateStats;
    field("write_conflicts", "vectors", "evicted because a write brought other words of the vector with another base or stride",
          &S::writeConflicts);
    field("fill_conflicts", "vectors", "the same, brought by a read from memory", &S::fillConflicts);
    field("line_evictions", "lines", "evicted as a whole, to make room", &S::lineEvictions);
    field("vector_evictions", "vectors", "valid vectors that left, for whatever reason", &S::vectorEvictions);
    field("dirty_vectors", "vectors",
          "of them, those that had to be written to memory: each is a whole vector, decoded (bandwidth "
          "amplification, section 5.1)",
          &S::dirtyVectors);
    field("victim_hits", "lines", "found in the victim cache and brought back", &S::victimHits);
  }
  bool operator==(const StateStats&) const = default;
};

// Vectors that the levels below keep encoded.
struct BelowStats {
  u64 reads = 0, fetches = 0, fetchesForWrites = 0, vectorsFetched = 0, writeBacks = 0, vectorsWritten = 0;
  u64 sparseMasks = 0, bytesNotRead = 0, bytesNotWritten = 0;
  stats::Peak vectorsHeld;

  static constexpr void fields(auto&& field) {
    using S = BelowStats;
    field("reads", "accesses", "reads that found their vector neither here nor in the first-level cache, but encoded below", &S::reads);
    field("fetches", "requests", "sectors of encoded vectors read from below", &S::fetches);
    field("fetches_for_writes", "requests", "of them, those that a write of some lanes needed", &S::fetchesForWrites);
    field("vectors_fetched", "vectors", "that came with them", &S::vectorsFetched);
    field("write_backs", "requests", "encoded vectors of an evicted line written below", &S::writeBacks);
    field("vectors_written", "vectors", "in them", &S::vectorsWritten);
    field("sparse_masks", "vectors", "written decoded, as their valid words are no range", &S::sparseMasks);
    field("bytes_not_read", "bytes", "sectors that reads would have fetched decoded, less those fetched", &S::bytesNotRead);
    field("bytes_not_written", "bytes", "sectors that write-backs would have taken decoded, less those written", &S::bytesNotWritten);
    field("vectors_held", "vectors", "most that an SM had encoded below at once: of so many its record says so", &S::vectorsHeld);
  }
  bool operator==(const BelowStats&) const = default;
};

// Frames of joint tags.
struct JointStats {
  u64 taken = 0, given = 0;

  static constexpr void fields(auto&& field) {
    using S = JointStats;
    field("taken", "frames", "of the first-level cache's lines that an encoded line took", &S::taken);
    field("given", "frames", "of encoded lines that a line of the first-level cache took", &S::given);
  }
  bool operator==(const JointStats&) const = default;
};

// Shared memory: reads = hits + partial_hits + bank_reads; writes = writes_here + bank_writes.
struct SharedStats {
  u64 reads = 0, hits = 0, partialHits = 0, bankReads = 0;
  u64 writes = 0, writesHere = 0, bankWrites = 0;
  u64 lookUps = 0, entriesWritten = 0, conflicts = 0, wordsRead = 0, wordsWritten = 0, wordsMoved = 0, wrongWords = 0;

  static constexpr void fields(auto&& field) {
    using S = SharedStats;
    field("reads", "accesses", "loads of a warp", &S::reads);
    field("hits", "accesses", "of them, without any bank", &S::hits);
    field("partial_hits", "accesses", "some words found encoded, others in the banks", &S::partialHits);
    field("bank_reads", "accesses", "no word found encoded", &S::bankReads);
    field("writes", "accesses", "stores and atomics of a warp", &S::writes);
    field("writes_here", "accesses", "of them, encoded, without any bank", &S::writesHere);
    field("bank_writes", "accesses",
          "of several rows, not affine, of parts of words, atomic, or with less of a row than another base and stride have",
          &S::bankWrites);
    field("look_ups", "entries", "read or changed, one a pass", &S::lookUps);
    field("entries_written", "entries", "of them, changed: words of their own, or valid bits that a store to the banks clears",
          &S::entriesWritten);
    field("conflicts", "rows", "whose other words moved to the banks, as more words came with another base or stride", &S::conflicts);
    field("words_read", "words", "not read from the banks", &S::wordsRead);
    field("words_written", "words", "not written to the banks", &S::wordsWritten);
    field("words_moved", "words", "written to the banks later: conflicts, and changes of parts of words", &S::wordsMoved);
    field("wrong_words", "words", "read here with another value than the program's: 0 unless the simulator is wrong", &S::wrongWords);
  }
  static constexpr void figures(auto&& figure) {
    figure("hit_rate", "share", "of the loads, without any bank", [](const SharedStats& s) { return stats::ratio(s.hits, s.reads); });
    figure("affine_writes", "share", "of the stores, encoded", [](const SharedStats& s) { return stats::ratio(s.writesHere, s.writes); });
  }
  bool operator==(const SharedStats&) const = default;
};

// Accesses that it is offered, each a vector with a mask: reads = hits + partial_hits + level_one_reads + fetches + merges +
// generic_misses + below.reads; writes = writes_here + generic_writes + partial_writes.
struct LinkStats {
  u64 reads = 0, hits = 0, partialHits = 0, replays = 0, levelOneReads = 0, fetches = 0, merges = 0, genericMisses = 0;
  u64 writes = 0, writesHere = 0, genericWrites = 0, partialWrites = 0, sparseMasks = 0;
  u64 writeBacks = 0, mergedWriteBacks = 0, superseded = 0;
  u64 blocked = 0, wrongWords = 0;
  StateStats state;
  BelowStats below;
  JointStats joint;

  static constexpr void fields(auto&& field) {
    using S = LinkStats;
    field("reads", "accesses", "vectors read, with whatever mask", &S::reads);
    field("hits", "accesses", "of them, all words found here", &S::hits);
    field("partial_hits", "accesses", "some words found here; the access was replayed for the others", &S::partialHits);
    field("replays", "accesses", "further look-ups for the words that were missing", &S::replays);
    field("level_one_reads", "accesses", "no word found here, but the line in the first-level cache", &S::levelOneReads);
    field("fetches", "accesses", "found nowhere, and read from memory into this cache", &S::fetches);
    field("merges", "accesses", "waited for the fetch of another access", &S::merges);
    field("generic_misses", "accesses", "found nowhere, and read from memory into the first-level cache", &S::genericMisses);
    field("writes", "accesses", "vectors written, with whatever mask", &S::writes);
    field("writes_here", "accesses", "of them, encoded", &S::writesHere);
    field("generic_writes", "accesses", "not affine: left to the first-level cache", &S::genericWrites);
    field("partial_writes", "accesses", "of parts of words: left to the first-level cache", &S::partialWrites);
    field("sparse_masks", "accesses", "reads that miss and writes of several lanes without a pair from which the stride could be estimated",
          &S::sparseMasks);
    field("write_backs", "requests", "vectors written to memory decoded", &S::writeBacks);
    field("merged_write_backs", "requests", "of them, with words that only the first-level cache had", &S::mergedWriteBacks);
    field("superseded", "sectors", "of the first-level cache dropped, as all their words are newer here", &S::superseded);
    field("blocked", "cycles", "the access at hand waited for a queue, a place to wait or the first-level cache", &S::blocked);
    field("wrong_words", "words", "read here with another value than the program's: 0 unless the simulator is wrong", &S::wrongWords);
    field("state", "", "changes of what it holds", &S::state);
    field("below", "", "vectors that the levels below keep encoded", &S::below);
    field("joint", "", "frames of joint tags", &S::joint);
  }
  static constexpr void figures(auto&& figure) {
    figure("affine_writes", "share", "of the writes, encoded", [](const LinkStats& s) { return stats::ratio(s.writesHere, s.writes); });
    figure("hit_rate", "share", "of the reads, answered wholly or partly",
           [](const LinkStats& s) { return stats::ratio(s.hits + s.partialHits, s.reads); });
  }
  bool operator==(const LinkStats&) const = default;
};

}  // namespace warpwright::mechanisms::avc
