// What the tiny caches of an SM count.
#pragma once

#include "mechanisms/tiny_cache/line_name.hpp"
#include "stats/conservation.hpp"
#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms::tiny_cache {

// Accesses of lanes to one space; an access of a warp is as many as it has lanes.
struct SpaceStats {
  u64 reads = 0, readHits = 0, readWaits = 0, readMisses = 0, readsInvalid = 0;
  u64 writes = 0, writeHits = 0, writesInvalid = 0, writesLast = 0, writeMisses = 0;
  u64 bypassedReads = 0, bypassedWrites = 0, atomics = 0;
  u64 wordsRead = 0, wordsWritten = 0, wordsWrittenBack = 0;
  u64 linesWrittenBack = 0;

  static constexpr void fields(auto&& field) {
    using S = SpaceStats;
    field("reads", "lane accesses", "loads that look their line up; the next four add up to them", &S::reads);
    field("read_hits", "lane accesses", "rh, rh(v): served here", &S::readHits);
    field("read_waits", "lane accesses", "the same, of a line that was on its way", &S::readWaits);
    field("read_misses", "lane accesses", "rm: the block is fetched", &S::readMisses);
    field("reads_invalid", "lane accesses", "rh(i): the line is there, the half-word is not; the block is fetched and merged",
          &S::readsInvalid);
    field("writes", "lane accesses", "stores that look their line up; the next four add up to them", &S::writes);
    field("write_hits", "lane accesses", "wh, wh(v)", &S::writeHits);
    field("writes_invalid", "lane accesses", "wh(i): of a half-word that was invalid", &S::writesInvalid);
    field("writes_last", "lane accesses", "wh(last): of the last one that was", &S::writesLast);
    field("write_misses", "lane accesses", "wm: a line is allocated, nothing is fetched", &S::writeMisses);
    field("bypassed_reads", "lane accesses", "loads that go past the caches: volatile, ordered, of a policy", &S::bypassedReads);
    field("bypassed_writes", "lane accesses", "stores that do: the same, and of less than a control bit stands for", &S::bypassedWrites);
    field("atomics", "lane accesses", "which are never cached", &S::atomics);
    field("words_read", "words", "of 4 bytes, or parts of one, that `reads` ask for", &S::wordsRead);
    field("words_written", "words", "the same of `writes`", &S::wordsWritten);
    field("words_written_back", "words", "with something dirty", &S::wordsWrittenBack);
    field("lines_written_back", "lines", "of one cache, with something dirty", &S::linesWrittenBack);
  }
  bool operator==(const SpaceStats&) const = default;

  u64 missed() const { return readMisses + readsInvalid; }
};

// Lines that left, by why.
struct EvictionStats {
  u64 replaced = 0, barrier = 0, fence = 0, warpSync = 0, systemCall = 0, ordered = 0, atomic = 0, bypassed = 0, blockEnd = 0;

  static constexpr void fields(auto&& field) {
    using S = EvictionStats;
    field("replaced", "lines", "for another line (rpl)", &S::replaced);
    field("barrier", "lines", "a barrier opened", &S::barrier);
    field("fence", "lines", "a fence, or a wait for asynchronous copies", &S::fence);
    field("warp_sync", "lines", "__syncwarp", &S::warpSync);
    field("system_call", "lines", "malloc, free, printf in the kernel", &S::systemCall);
    field("ordered", "lines", "an access that acquires or releases, an operation on an mbarrier", &S::ordered);
    field("atomic", "lines", "an atomic to the line", &S::atomic);
    field("bypassed", "lines", "an access to the line that goes past the caches", &S::bypassed);
    field("block_end", "lines", "a block ended", &S::blockEnd);
  }
  bool operator==(const EvictionStats&) const = default;

  u64 total() const { return replaced + barrier + fence + warpSync + systemCall + ordered + atomic + bypassed + blockEnd; }
};

// What the levels below see of it.
struct BelowStats {
  u64 fetches = 0, sectors = 0, writeBacks = 0, sharedLines = 0, sharedFetchPasses = 0, sharedWritePasses = 0, drains = 0;

  static constexpr void fields(auto&& field) {
    using S = BelowStats;
    field("fetches", "requests", "for lines of global and private memory, those of all lanes of an instruction together", &S::fetches);
    field("sectors", "sectors", "of these lines, each once however many lanes take it", &S::sectors);
    field("write_backs", "requests", "of lines of global and private memory, those that leave together", &S::writeBacks);
    field("shared_lines", "lines", "of shared memory that were fetched, each once an instruction", &S::sharedLines);
    field("shared_fetch_passes", "passes", "over the banks of shared memory for them", &S::sharedFetchPasses);
    field("shared_write_passes", "passes", "the same for write-backs", &S::sharedWritePasses);
    field("drains", "operations", "of the load/store unit with write-backs to shared memory that belong to no instruction", &S::drains);
  }
  bool operator==(const BelowStats&) const = default;
};

// A word that a cache would have read out of date: the program has a race, and hardware would go on otherwise than the simulation does.
struct StaleStats {
  u64 words = 0;
  stats::Peak pc, address, lane, isShared;  // of the first one of the first SM that has any

  static constexpr void fields(auto&& field) {
    using S = StaleStats;
    field("words", "words", "read that a cache, or the level below it, would have held out of date; 0 without a race", &S::words);
    field("pc", "", "of the instruction that read the first of them", &S::pc);
    field("address", "", "of that word; in shared memory from the beginning of the block's", &S::address);
    field("lane", "", "that read it", &S::lane);
    field("shared", "", "1: it lies in shared memory", &S::isShared);
  }
  bool operator==(const StaleStats&) const = default;
};

struct Statistics {
  SpaceStats global, shared, privateMemory;
  EvictionStats evictions;
  BelowStats below;
  StaleStats stale;
  u64 uncheckedWords = 0, streams = 0;

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("global", "", "global memory", &S::global);
    field("shared", "", "shared memory", &S::shared);
    field("private", "", "private memory, in pieces of at most 4 bytes", &S::privateMemory);
    field("evictions", "lines", "that left a cache", &S::evictions);
    field("below", "", "towards the first-level cache and the banks of shared memory", &S::below);
    field("stale", "", "words that hardware would read out of date", &S::stale);
    field("unchecked_words", "words", "read without a comparison of all that was read: what the cache held of it was not known",
          &S::uncheckedWords);
    field("streams", "warp accesses", "that go past the caches as a part of a stream, in the bypassed ones above", &S::streams);
  }
  static constexpr void figures(auto&& figure) {
    using S = Statistics;
    const auto missed = [](const SpaceStats& s) { return stats::ratio(s.missed() + s.writeMisses, s.reads + s.writes); };
    figure("global_misses", "share of accesses", "to global memory that look their line up", [=](const S& s) { return missed(s.global); });
    figure("shared_misses", "share of accesses", "to shared memory that do", [=](const S& s) { return missed(s.shared); });
    figure("private_misses", "share of accesses", "to private memory that do", [=](const S& s) { return missed(s.privateMemory); });
  }
  bool operator==(const Statistics&) const = default;

  SpaceStats& of(Space space) { return space == Space::shared ? shared : space == Space::privateMemory ? privateMemory : global; }
};

// Laws that hold at any time.
void check(const Statistics& statistics, stats::Conservation& laws);
// Further ones, when the caches are empty.
void checkAtRest(const Statistics& statistics, stats::Conservation& laws);

}  // namespace warpwright::mechanisms::tiny_cache
