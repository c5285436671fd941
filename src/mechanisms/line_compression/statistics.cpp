#include "mechanisms/line_compression/statistics.hpp"

namespace warpwright::mechanisms::line_compression {

void check(const Statistics& s, stats::Conservation& laws) {
  const MetadataStats& m = s.metadata;
  laws.atMost("compression: compressed reads <= reads", s.compressedReads, s.reads);
  laws.atMost("compression: compressed writes <= writes", s.compressedWrites, s.writes);
  laws.atMost("compression: compressed stores <= stores", s.compressedStores, s.stores);
  laws.atMost("compression: compressed arrivals and loads <= decompressions", s.compressedArrivals + s.firstLevelLoads, s.decompressions);
  laws.atMost("compression: lines compressed by hardware <= compressions", s.hardwareCompressions, s.compressions);
  laws.atMost("compression: lines made whole by hardware <= decompressions", s.hardwareDecompressions, s.decompressions);
  laws.atMost("compression: stores <= compressions, and those that routines missed", s.stores,
              s.compressions + s.overflows + s.unassistedStores);
  laws.atMost("compression: bytes that the host copies compressed <= bytes that it copies", s.hostCopiedCompressedBytes, s.hostCopiedBytes);
  laws.atMost("compression: lines that routines got wrong", s.wrongLines, 0);
  laws.equal("compression: stores = those that waited, and those that found no room", s.stores, s.bufferedStores + s.overflows);
  laws.atMost("compression: refused stores <= stores to parts that were kept", s.refusedStores, s.partialStores);
  laws.atMost("compression: lines made whole in L2 <= by hardware", s.mergedParts, s.hardwareDecompressions);
  laws.atMost("compression: merged writes <= partial writes", s.mergedWrites, s.partialWrites);
  laws.atMost("compression: partial writes <= writes", s.partialWrites, s.writes);
  laws.atMost("compression: look-ups of metadata <= requests", m.hits + m.misses + m.merged, s.reads + s.writes);
  laws.atMost("compression: blocks written back <= blocks fetched", m.writeBacks, m.misses);
}

}  // namespace warpwright::mechanisms::line_compression
