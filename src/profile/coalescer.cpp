#include "profile/coalescer.hpp"

#include <algorithm>
#include <bit>

#include "profile/access_pattern.hpp"

namespace warpwright::profile {
namespace {

// Is lane i of a run of lanes at first + i * bytes? Written so that it vectorises.
bool isUnitStride(const u64* addresses, u32 lanes, u32 bytes) {
  u64 difference = 0;
  for (u32 lane = 0; lane < lanes; ++lane) difference |= addresses[lane] ^ (addresses[0] + u64{lane} * bytes);
  return difference == 0;
}

bool isRun(LaneMask mask) {
  const LaneMask shifted = mask >> std::countr_zero(mask);
  return (shifted & (shifted + 1)) == 0;
}

}  // namespace

void Coalescer::global(const u64* addresses, LaneMask mask, u32 bytes) {
  const u32 lanes = static_cast<u32>(std::popcount(mask));
  const u64* first = addresses + std::countr_zero(mask);
  if (isRun(mask) && isUnitStride(first, lanes, bytes)) {
    stride_ = lanes > 1 ? bytes : 0;
    coverRange(first[0], lanes * bytes);
    return;
  }
  u32 count = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    starts_[count++] = addresses[std::countr_zero(rest)];
  }
  stride_ = strideOf(addresses, mask);
  coverPieces(count, bytes);
}

void Coalescer::local(const u64* offsets, LaneMask mask, u32 bytes, u32 warpSize) {
  const u32 words = std::max(1u, bytes / kLocalWordBytes);
  u32 count = 0;
  stride_ = 0;
  for (u32 word = 0; word < words; ++word) {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const u32 lane = static_cast<u32>(std::countr_zero(rest));
      const u64 offset = offsets[lane] + word * kLocalWordBytes;
      const u64 row = offset / kLocalWordBytes;
      starts_[count++] = (row * warpSize + lane) * kLocalWordBytes + offset % kLocalWordBytes;
    }
  }
  coverPieces(count, std::min(bytes, kLocalWordBytes));
}

void Coalescer::coverRange(u64 first, u32 bytes) {
  const u64 last = first + bytes - 1;
  bytesUsed_ = bytes;
  sectorCount_ = 0;
  for (u64 sector = first / kSectorBytes; sector <= last / kSectorBytes; ++sector) sectors_[sectorCount_++] = sector;
  lines_ = static_cast<u32>(last / kLineBytes - first / kLineBytes + 1);
}

// All pieces have the same size, so in ascending order of their starts their ends ascend too: one sweep finds what is new in each.
void Coalescer::coverPieces(u32 pieces, u32 bytes) {
  const auto begin = starts_.begin(), end = begin + pieces;
  if (!std::is_sorted(begin, end)) std::sort(begin, end);
  sectorCount_ = lines_ = bytesUsed_ = 0;
  u64 coveredTo = starts_[0];
  for (auto start = begin; start != end; ++start) {
    const u64 stop = *start + bytes;
    bytesUsed_ += static_cast<u32>(stop - std::max(coveredTo, *start));
    coveredTo = stop;
    const u64 lastSector = (stop - 1) / kSectorBytes;
    for (u64 sector = *start / kSectorBytes; sector <= lastSector; ++sector) append(sector);
  }
}

void Coalescer::append(u64 sector) {
  constexpr u64 kSectorsPerLine = kLineBytes / kSectorBytes;
  if (sectorCount_ != 0 && sectors_[sectorCount_ - 1] >= sector) return;
  if (sectorCount_ == 0 || sectors_[sectorCount_ - 1] / kSectorsPerLine != sector / kSectorsPerLine) ++lines_;
  sectors_[sectorCount_++] = sector;
}

}  // namespace warpwright::profile
