// Which 32 B sectors and 128 B lines of memory a warp-wide access touches.
#pragma once

#include <array>
#include <span>

#include "access/like_accesses.hpp"
#include "access/scratch_set.hpp"
#include "base/lane_interleaving.hpp"
#include "base/memory_units.hpp"
#include "base/types.hpp"

namespace warpwright::access {

inline constexpr u32 kLineBytes = 128;
inline constexpr u32 kMaxLaneBytes = 32;  // widest access of one lane that is analysed in full
inline constexpr u32 kMaxPieces = kMaxWarpSize * kMaxLaneBytes / kInterleavedWordBytes;

class Coalescer {
 public:
  // Lanes of `mask` (not empty) access `bytes` (1 to kMaxLaneBytes) each at addresses[lane].
  void global(const u64* addresses, LaneMask mask, u32 bytes);

  // The same for local memory: addresses are the thread's own offsets, which interleavedOffset() spreads. Sectors count from the start of
  // the warp's local memory.
  void local(const u64* offsets, LaneMask mask, u32 bytes, u32 warpSize);

  // Distinct sector numbers (address / 32), in no particular order.
  std::span<const u64> sectors() const { return {sectors_.data(), sectorCount_}; }
  u32 lines() const { return lines_; }
  u32 bytesUsed() const { return bytesUsed_; }  // distinct bytes that the lanes access
  // Sectors that would do if the bytes used lay side by side from a sector's start.
  u32 idealSectors() const { return (bytesUsed_ + kSectorBytes - 1) / kSectorBytes; }
  // strideOf() the last global access.
  s64 stride() const { return stride_; }

 private:
  // What an access covers that has no more sectors than a warp has lanes; they count from the first one of lane 0's line.
  struct Covered {
    u32 sectorCount = 0, lines = 0, bytesUsed = 0;
    s64 stride = 0;
    std::array<u64, kMaxWarpSize> sectors{};
  };

  // line: the number of the sector with which lane 0's line begins.
  void take(const Covered& covered, u64 line);
  void keep(Covered& covered, u64 line) const;
  void coverLanes(const u64* addresses, LaneMask mask, u32 bytes);
  void coverRange(u64 first, u32 bytes);
  void coverPieces(u32 pieces, u32 bytes);
  void coverAscending(u32 pieces, u32 bytes);
  void coverUnordered(u32 pieces, u32 bytes);
  void append(u64 sector);
  u32 indexOf(u64 sector);

  static constexpr u32 kSlots = 4 * kMaxPieces;  // a piece that straddles a boundary has two sectors

  std::array<u64, kMaxPieces> starts_;
  std::array<u64, 2 * kMaxPieces> sectors_;
  std::array<u32, 2 * kMaxPieces> bytesOfSector_;  // unordered pieces: one bit a byte
  std::array<u32, kSlots> indexOfSlot_;
  ScratchSet<kSlots> knownSectors_, knownLines_;
  u32 sectorCount_ = 0, lines_ = 0, bytesUsed_ = 0;
  s64 stride_ = 0;
  LikeAccesses<Covered, 16> like_;  // of lanes in a row from the first on: a tile's rows begin in several places of a line
};

}  // namespace warpwright::access
