#include "sm/coalescing.hpp"

#include <algorithm>
#include <bit>

#include "base/lane_count.hpp"

namespace warpwright::sm {
namespace {

bool isRun(LaneMask lanes) { return lanes.lowered(lanes.least()).isPrefix(); }

// The last of the lanes that lie side by side, from the first one on.
u32 lastOfRun(const u64* addresses, LaneMask lanes, u32 bytes) {
  u32 lane = lanes.least();
  while (lane + 1 < kMaxWarpSize && lanes.contains(lane + 1) && addresses[lane + 1] == addresses[lane] + bytes) ++lane;
  return lane;
}

}  // namespace

// How many lanes one request covers: Fermi and later split accesses of 8 and 16 bytes a lane into halves and quarters of the warp (CUDA C++
// Programming Guide, compute capability 2.x, "Global Memory").
u32 CoalescingUnit::lanesTogether(u32 bytes) const {
  if (rules_ == config::Coalescing::subWarpBlocks) return subWarp_;
  return bytes <= 4 ? warpSize_ : std::max(1u, warpSize_ * 4 / bytes);
}

std::span<const Transaction> CoalescingUnit::access(const u64* addresses, LaneMask mask, u32 bytes, bool cached, Spread spread) {
  transactions_.clear();
  if (rules_ == config::Coalescing::halfWarpSegments) {
    halfWarpSegments(addresses, mask, bytes);
    return transactions_;
  }
  const u32 group = lanesTogether(bytes);
  for (u32 first = 0; first < warpSize_; first += group) {
    lines_.clear();
    addLanes(addresses, mask & (LaneMask::range(first, group)), bytes, spread);
    emit(cached && rules_ == config::Coalescing::lines);
  }
  return transactions_;
}

std::span<const Transaction> CoalescingUnit::list(std::span<const u64> addresses, u32 bytes) {
  transactions_.clear();
  lines_.clear();
  for (const u64 address : addresses) addLane(GlobalAddress(address), bytes);
  emit(rules_ == config::Coalescing::lines);
  return transactions_;
}

void CoalescingUnit::addLanes(const u64* addresses, LaneMask lanes, u32 bytes, Spread spread) {
  if (lanes.empty()) return;
  const GlobalAddress first(addresses[lanes.least()]);
  if (spread == Spread::uniform) {
    addLane(first, bytes);
    lines_.front().lanes = static_cast<u32>(countLanes(lanes));
    return;
  }
  const bool isAligned = (first & (bytes - 1)) == 0 && std::has_single_bit(bytes);
  if (spread == Spread::consecutive && isAligned && isRun(lanes)) return addNeighbours(first, static_cast<u32>(countLanes(lanes)), bytes);
  addRuns(addresses, lanes, bytes);
}

// Lanes side by side are added together, as of a row of a tile.
void CoalescingUnit::addRuns(const u64* addresses, LaneMask lanes, u32 bytes) {
  const bool isPowerOfTwo = std::has_single_bit(bytes);
  while (lanes) {
    const u32 first = lanes.least();
    const GlobalAddress address(addresses[first]);
    const u32 last = isPowerOfTwo && (address & (bytes - 1)) == 0 ? lastOfRun(addresses, lanes, bytes) : first;
    if (last == first) {
      addLane(address, bytes);
    } else {
      addNeighbours(address, last - first + 1, bytes);
    }
    lanes = lanes.from(last + 1);
  }
}

// Side by side from `address` on: no lane lies in two lines.
void CoalescingUnit::addNeighbours(GlobalAddress address, u32 lanes, u32 bytes) {
  for (u32 left = lanes * bytes; left != 0;) {
    const u32 offset = static_cast<u32>(address & (lineBytes_ - 1));
    const u32 here = std::min(left, lineBytes_ - offset);
    Line& line = lineOf(address >> lineShift_);
    line.lanes += here / bytes;
    cover(line, offset, here);
    address += here;
    left -= here;
  }
}

void CoalescingUnit::cover(Line& line, u32 offset, u32 bytes) {
  for (u32 byte = offset; byte < offset + bytes;) {
    const u32 count = std::min(offset + bytes - byte, 64 - byte % 64);
    line.bytes[byte / 64] |= lowBits(count) << byte % 64;
    byte += count;
  }
}

CoalescingUnit::Line& CoalescingUnit::lineOf(u64 number) {
  const bool isNew = lines_.empty() || number > highest_;
  // As a rule lines rise with the lanes.
  if (isNew) {
    highest_ = number;
  } else {
    for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
      if (line->number == number) return *line;
    }
  }
  lines_.push_back({number, {}, 0});
  return lines_.back();
}

void CoalescingUnit::addLane(GlobalAddress address, u32 bytes) {
  u32 left = bytes;
  while (left != 0) {
    const u32 offset = static_cast<u32>(address & (lineBytes_ - 1));
    const u32 here = std::min(left, lineBytes_ - offset);
    Line& line = lineOf(address >> lineShift_);
    if (left == bytes) ++line.lanes;
    cover(line, offset, here);
    address += here;
    left -= here;
  }
}

void CoalescingUnit::emit(bool wholeLines) { rules_ == config::Coalescing::subWarpBlocks ? emitBlocks() : emitLines(wholeLines); }

// Lanes that touch several blocks have made one vector of each (Gou, "Customizable Memory Schemes for Data Parallel Accelerators", section
// 6.4.1, footnote 7).
void CoalescingUnit::emitBlocks() {
  for (const Line& block : lines_) {
    const GlobalAddress address(block.number * kSectorBytes);
    const auto sector = static_cast<u32>(address % requestBytes_ / kSectorBytes);
    const auto used = static_cast<u32>(block.bytes[0]);
    Transaction transaction{address - u64{sector} * kSectorBytes, 1u << sector, 0, block.lanes, requestBytes_, {}};
    if (used == ~u32{0}) {
      transaction.wholeSectors = transaction.sectors;
    } else {
      transaction.written[sector] = used;
    }
    transactions_.push_back(transaction);
  }
}

void CoalescingUnit::emitLines(bool wholeLines) {
  const u32 sectorsOfLine = lineBytes_ / kSectorBytes;
  for (const Line& line : lines_) {
    Transaction& transaction = transactions_.emplace_back();
    transaction.address = GlobalAddress(line.number * lineBytes_);
    transaction.lanes = line.lanes;
    transaction.lineBytes = lineBytes_;
    for (u32 sector = 0; sector < sectorsOfLine; ++sector) {
      const u32 used = static_cast<u32>(line.bytes[sector / 2] >> sector % 2 * kSectorBytes);
      if (used != 0) transaction.sectors |= 1u << sector;
      if (used == ~u32{0}) {
        transaction.wholeSectors |= 1u << sector;
      } else {
        transaction.written[sector] = used;
      }
    }
    if (wholeLines) transaction.sectors = (1u << sectorsOfLine) - 1;
  }
}

// CUDA C Programming Guide, compute capability 1.2 and 1.3: for each half-warp, the segment of the lowest lane left (32 B for accesses of
// one byte, 64 B for two, 128 B for more) serves all lanes in it; a half that is not used is cut off, down to 32 B.
void CoalescingUnit::halfWarpSegments(const u64* addresses, LaneMask mask, u32 bytes) {
  const u32 half = std::max(1u, warpSize_ / 2);
  const u32 segmentBytes = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
  for (u32 first = 0; first < warpSize_; first += half) {
    LaneMask left = mask & LaneMask::range(first, half);
    while (left) {
      const u64 segment = addresses[left.least()] / segmentBytes;
      u64 low = ~u64{0}, high = 0;
      u32 lanes = 0;
      for (const LaneId lane : left) {
        if (addresses[lane] / segmentBytes != segment) continue;
        low = std::min(low, addresses[lane]);
        high = std::max(high, addresses[lane] + bytes - 1);
        ++lanes;
        left.erase(lane);
      }
      u32 size = segmentBytes;
      while (size > kSectorBytes && low / (size / 2) == high / (size / 2)) size /= 2;
      const u64 start = low / size * size;
      for (u64 line = start / lineBytes_; line <= (start + size - 1) / lineBytes_; ++line) {
        const u64 from = std::max(start, line * lineBytes_), to = std::min(start + size, (line + 1) * lineBytes_);
        const u32 count = static_cast<u32>((to - from) / kSectorBytes), sector = static_cast<u32>(from % lineBytes_ / kSectorBytes);
        transactions_.push_back({GlobalAddress(line * lineBytes_), ((1u << count) - 1) << sector, 0, lanes, lineBytes_, {}});
      }
    }
  }
}

}  // namespace warpwright::sm
