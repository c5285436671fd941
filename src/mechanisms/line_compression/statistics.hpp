// What compression of lines counts, in memory partitions and SMs.
#pragma once

#include "stats/conservation.hpp"
#include "stats/formula.hpp"
#include "stats/statistics.hpp"

namespace warpwright::mechanisms::line_compression {

struct MetadataStats {
  u64 hits = 0, misses = 0, merged = 0, changed = 0, writeBacks = 0;

  static constexpr void fields(auto&& field) {
    using M = MetadataStats;
    field("hits", "look-ups", "found in the cache of metadata", &M::hits);
    field("misses", "look-ups", "that fetched their block from DRAM", &M::misses);
    field("merged", "look-ups", "of a block that was being fetched already", &M::merged);
    field("changed", "lines", "that have another size now", &M::changed);
    field("write_backs", "blocks", "with changes that made room, written to DRAM", &M::writeBacks);
  }
  bool operator==(const MetadataStats&) const = default;
};

struct Statistics {
  u64 reads = 0, compressedReads = 0, writes = 0, compressedWrites = 0, partialWrites = 0, mergedWrites = 0;
  u64 compressions = 0, decompressions = 0, hardwareCompressions = 0, hardwareDecompressions = 0, foreign = 0;
  u64 pieces = 0, uncompressedPieces = 0;
  u64 stores = 0, compressedStores = 0, compressedArrivals = 0, firstLevelLoads = 0, refusedStores = 0, partialOverflows = 0,
      mergedParts = 0, firstLevelLookups = 0, secondLevelLookups = 0;
  u64 bufferedStores = 0, partialStores = 0, overflows = 0, unassistedStores = 0, unassistedLines = 0, comparedLines = 0, changedLines = 0,
      wrongLines = 0;
  u64 hostCopiedBytes = 0, hostCopiedCompressedBytes = 0;
  MetadataStats metadata;

  static constexpr void fields(auto&& field) {
    using S = Statistics;
    field("reads", "requests", "of lines, by the partitions", &S::reads);
    field("compressed_reads", "requests", "of them, of lines that lie compressed in DRAM: whole lines come", &S::compressedReads);
    field("writes", "requests", "by the partitions", &S::writes);
    field("compressed_writes", "requests", "of them, that went on compressed", &S::compressedWrites);
    field("partial_writes", "requests", "of them, of parts of a line", &S::partialWrites);
    field("merged_writes", "requests", "of these, of lines that lie compressed in DRAM: they were read first, and written whole",
          &S::mergedWrites);
    field("compressions", "lines", "that the codec has tried to make smaller", &S::compressions);
    field("decompressions", "lines", "that it has made whole again", &S::decompressions);
    field("hardware_compressions", "lines", "of `compressions`, by hardware rather than by routines", &S::hardwareCompressions);
    field("hardware_decompressions", "lines", "of `decompressions`, the same", &S::hardwareDecompressions);
    field("foreign", "requests", "of lines whose values are not in global memory: private memory, parameters, code; never compressed",
          &S::foreign);
    field("pieces", "pieces of 32 B", "of lines that were read or written in DRAM", &S::pieces);
    field("uncompressed_pieces", "pieces of 32 B", "that would have been without compression", &S::uncompressedPieces);
    field("stores", "requests", "for whole lines, that SMs have tried to compress", &S::stores);
    field("compressed_stores", "requests", "of them, that went to the network compressed", &S::compressedStores);
    field("buffered_stores", "requests", "of `stores`, that waited in the SM's store buffer for the codec", &S::bufferedStores);
    field("partial_stores", "requests", "for parts of lines, that SMs have kept until they knew how L2 has the line", &S::partialStores);
    field("refused_stores", "requests", "for parts of lines that lie compressed in L2: their SM has fetched the line, and stored all of it",
          &S::refusedStores);
    field("partial_overflows", "requests", "for parts of lines, that SMs had no room to keep, so that L2 has merged them with their lines",
          &S::partialOverflows);
    field("merged_parts", "accesses",
          "to parts of lines that lay compressed in L2, whose hardware has made them whole: atomics, and of `partial_overflows`",
          &S::mergedParts);
    field("compressed_arrivals", "responses", "that came to SMs compressed", &S::compressedArrivals);
    field("first_level_loads", "requests", "of warps, of lines that lie compressed in the first-level cache, or came so",
          &S::firstLevelLoads);
    field("first_level_lookups", "accesses", "to a first-level cache with more tags, of lines that are there or get a place",
          &S::firstLevelLookups);
    field("second_level_lookups", "accesses", "to an L2 with more tags, the same", &S::secondLevelLookups);
    field("host_copied_bytes", "bytes", "that the host has copied to the device since the launch before", &S::hostCopiedBytes);
    field("host_copied_compressed_bytes", "bytes",
          "the same with whole lines compressed by software before the copy (copies_too), in pieces of 32 bytes",
          &S::hostCopiedCompressedBytes);
    field("overflows", "requests", "of `stores`, that found the buffer for routines full, and went on as they were", &S::overflows);
    field("unassisted_stores", "requests", "of `stores`, whose routine was too late or never ran", &S::unassistedStores);
    field("unassisted_lines", "responses",
          "of those that came compressed, that no routine made whole: no warp is known to have asked for them", &S::unassistedLines);
    field("compared_lines", "lines", "of which the bytes that a routine has left were compared with those that it should leave",
          &S::comparedLines);
    field("changed_lines", "lines", "that were stored to while they travelled: a routine ran, and nothing was compared", &S::changedLines);
    field("wrong_lines", "lines", "of which a routine has left other bytes: 0, or the codec is wrong", &S::wrongLines);
    field("metadata", "", "sizes of lines", &S::metadata);
  }
  static constexpr void figures(auto&& figure) {
    using S = Statistics;
    figure("ratio", "", "pieces without compression for each with it (section 6)",
           [](const S& s) { return stats::ratio(s.uncompressedPieces, s.pieces); });
    figure("host_copies_ratio", "", "bytes that the host has copied for each that it copies with lines compressed (section 5.3.1)",
           [](const S& s) { return stats::ratio(s.hostCopiedBytes, s.hostCopiedCompressedBytes); });
    figure("metadata_hit_rate", "share of look-ups", "found in the cache of metadata (section 5.3.2)",
           [](const S& s) { return stats::ratio(s.metadata.hits, s.metadata.hits + s.metadata.misses + s.metadata.merged); });
  }
  void compressedInHardware() { ++compressions, ++hardwareCompressions; }
  void decompressedInHardware() { ++decompressions, ++hardwareDecompressions; }

  bool operator==(const Statistics&) const = default;
};

// Laws that hold at any time.
void check(const Statistics& statistics, stats::Conservation& laws);

}  // namespace warpwright::mechanisms::line_compression
