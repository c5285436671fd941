#include "access/coalescer.hpp"

#include <algorithm>
#include <bit>

#include "access/access_pattern.hpp"
#include "base/lane_count.hpp"

namespace warpwright::access {
namespace {

constexpr u64 kSectorsPerLine = kLineBytes / kSectorBytes;

}  // namespace

void Coalescer::global(const u64* addresses, LaneMask mask, u32 bytes) {
  const u32 lanes = static_cast<u32>(countLanes(mask));
  const u64* first = addresses + mask.least();
  if (isRun(mask) && hasStride(first, lanes, bytes)) {
    stride_ = lanes > 1 ? bytes : 0;
    coverRange(first[0], lanes * bytes);
    return;
  }
  if (!mask.isPrefix() || lanes == 1) return coverLanes(addresses, mask, bytes);
  const u64 line = addresses[0] / kLineBytes * kSectorsPerLine;
  const u64 key = addresses[0] % kLineBytes << 32 | bytes;
  if (const Covered* known = like_.recall(addresses, lanes, key)) return take(*known, line);
  coverLanes(addresses, mask, bytes);
  if (sectorCount_ <= kMaxWarpSize) keep(like_.remember(addresses, lanes, key), line);
}

void Coalescer::take(const Covered& covered, u64 line) {
  sectorCount_ = covered.sectorCount;
  lines_ = covered.lines;
  bytesUsed_ = covered.bytesUsed;
  stride_ = covered.stride;
  for (u32 i = 0; i < sectorCount_; ++i) sectors_[i] = line + covered.sectors[i];
}

void Coalescer::keep(Covered& covered, u64 line) const {
  covered.sectorCount = sectorCount_;
  covered.lines = lines_;
  covered.bytesUsed = bytesUsed_;
  covered.stride = stride_;
  for (u32 i = 0; i < sectorCount_; ++i) covered.sectors[i] = sectors_[i] - line;
}

void Coalescer::coverLanes(const u64* addresses, LaneMask mask, u32 bytes) {
  u32 count = 0;
  for (const LaneId lane : mask) {
    starts_[count++] = addresses[lane];
  }
  stride_ = strideOf(addresses, mask);
  coverPieces(count, bytes);
}

void Coalescer::local(const u64* offsets, LaneMask mask, u32 bytes, u32 warpSize) {
  constexpr u32 kWord = kInterleavedWordBytes;
  const u32 words = std::max(1u, bytes / kWord);
  const u64 apart = vectorBytes(warpSize);
  stride_ = 0;
  if (mask == LaneMask::first(warpSize) && bytes >= kWord && hasStride(offsets, warpSize, 0)) {
    coverRange(interleavedOffset(offsets[0] / kWord * kWord, LaneId{0}, apart), bytes * warpSize);
    return;
  }
  u32 count = 0;
  for (u32 word = 0; word < words; ++word) {
    for (const LaneId lane : mask) {
      starts_[count++] = interleavedOffset(offsets[lane] + word * kWord, lane, apart);
    }
  }
  coverPieces(count, std::min(bytes, kWord));
}

void Coalescer::coverRange(u64 first, u32 bytes) {
  const u64 last = first + bytes - 1;
  bytesUsed_ = bytes;
  sectorCount_ = 0;
  for (u64 sector = first / kSectorBytes; sector <= last / kSectorBytes; ++sector) sectors_[sectorCount_++] = sector;
  lines_ = static_cast<u32>(last / kLineBytes - first / kLineBytes + 1);
}

void Coalescer::coverPieces(u32 pieces, u32 bytes) {
  sectorCount_ = lines_ = bytesUsed_ = 0;
  const bool ascending = std::is_sorted(starts_.begin(), starts_.begin() + pieces);
  ascending ? coverAscending(pieces, bytes) : coverUnordered(pieces, bytes);
}

// All pieces have the same size, so their ends ascend with their starts: one sweep finds what is new in each.
void Coalescer::coverAscending(u32 pieces, u32 bytes) {
  u64 coveredTo = starts_[0];
  for (u32 piece = 0; piece < pieces; ++piece) {
    const u64 start = starts_[piece], stop = start + bytes;
    bytesUsed_ += static_cast<u32>(stop - std::max(coveredTo, start));
    coveredTo = stop;
    const u64 lastSector = (stop - 1) / kSectorBytes;
    for (u64 sector = start / kSectorBytes; sector <= lastSector; ++sector) append(sector);
  }
}

void Coalescer::coverUnordered(u32 pieces, u32 bytes) {
  knownSectors_.clear();
  knownLines_.clear();
  for (u32 piece = 0; piece < pieces; ++piece) {
    const u64 start = starts_[piece];
    const u64 bits = lowBits(bytes) << start % kSectorBytes;  // two sectors from the one of the start
    bytesOfSector_[indexOf(start / kSectorBytes)] |= static_cast<u32>(bits);
    if (bits >> kSectorBytes != 0) bytesOfSector_[indexOf(start / kSectorBytes + 1)] |= static_cast<u32>(bits >> kSectorBytes);
  }
  for (u32 sector = 0; sector < sectorCount_; ++sector) bytesUsed_ += static_cast<u32>(std::popcount(bytesOfSector_[sector]));
}

// The index of a sector in the list, where it is put when it is new.
u32 Coalescer::indexOf(u64 sector) {
  const auto [slot, inserted] = knownSectors_.insert(sector);
  if (!inserted) return indexOfSlot_[slot];
  lines_ += knownLines_.insert(sector / kSectorsPerLine).inserted;
  bytesOfSector_[sectorCount_] = 0;
  sectors_[sectorCount_] = sector;
  return indexOfSlot_[slot] = sectorCount_++;
}

void Coalescer::append(u64 sector) {
  if (sectorCount_ != 0 && sectors_[sectorCount_ - 1] >= sector) return;
  if (sectorCount_ == 0 || sectors_[sectorCount_ - 1] / kSectorsPerLine != sector / kSectorsPerLine) ++lines_;
  sectors_[sectorCount_++] = sector;
}

}  // namespace warpwright::access
