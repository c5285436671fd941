#include "mechanisms/line_compression/compressed_sets.hpp"

#include "mem/request.hpp"

namespace warpwright::mechanisms::line_compression {

CompressedSets::CompressedSets(const config::Cache& cache, u32 tags, mem::Interleave share, u64& lookups)
    : SetPlacement(cache, mem::setsOf(cache), cache.ways * tags, share),
      piecesOfLine_(cache.lineBytes / mem::Request::kPieceBytes),
      piecesOfSet_(cache.ways * piecesOfLine_),
      lookups_(lookups) {}

std::optional<u32> CompressedSets::inTheWay(GlobalAddress lineAddress, u32 frame, u32 pieces, std::span<const mem::Line> lines) const {
  const u32 first = firstOf(lineAddress);
  u32 taken = pieces;
  mem::WaySet candidates;
  for (u32 way = 0; way < ways(); ++way) {
    const u32 other = first + way;
    if (other == frame || isEmpty(other)) continue;
    taken += piecesOf(lines[other]);
    if (lines[other].mshr == mem::kNone) candidates.insert(way);
  }
  if (taken <= piecesOfSet_) return std::nullopt;
  return candidates ? victim(lineAddress, candidates) : mem::kNone;
}

}  // namespace warpwright::mechanisms::line_compression
