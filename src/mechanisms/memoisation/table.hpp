// How results lie in a look-up table. What tells them apart stands in each chunk of an entry beside results, and a chunk is loaded and
// stored by one instruction of a lane, so that no warp ever sees results of one beside the inputs of another.
#pragma once

#include <bit>

#include "compiler/regions/region.hpp"
#include "mechanisms/memoisation/settings.hpp"

namespace warpwright::mechanisms::memoisation {

inline constexpr u32 kChunkWords = 4, kChunkBytes = 16;
inline constexpr u32 kMostChunks = compiler::kMostRegionWords;  // of an entry with as many inputs and results as there may be

struct TableShape {
  u32 tagWords = 0;  // of each chunk, the first ones
  u32 chunks = 0;    // of an entry
  u32 ways = 0, sets = 0;

  u32 resultsInChunk() const { return kChunkWords - tagWords; }
  u32 entryBytes() const { return chunks * kChunkBytes; }
  u32 setBytes() const { return ways * entryBytes(); }
  u32 bytes() const { return sets * setBytes(); }
};

inline TableShape shapeFor(const Settings& settings, u32 keys, u32 results) {
  TableShape shape;
  shape.tagWords = settings.tags == Tags::full ? keys : 1;
  shape.chunks = (results + shape.resultsInChunk() - 1) / shape.resultsInChunk();
  shape.ways = settings.ways;
  shape.sets = std::bit_floor(settings.tableBytes / shape.setBytes());
  return shape;
}

}  // namespace warpwright::mechanisms::memoisation
