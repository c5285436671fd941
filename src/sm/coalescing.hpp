// Memory transactions of a warp-wide access, by the rules of a generation.
#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "base/memory_units.hpp"
#include "base/spread.hpp"
#include "base/types.hpp"
#include "config/sm.hpp"
#include "mem/request.hpp"

namespace warpwright::sm {

struct Transaction {
  GlobalAddress address;       // of the line
  u32 sectors = 0;             // 32 B sectors of the line that are moved
  u32 wholeSectors = 0;        // those of which the lanes cover every byte
  u32 lanes = 0;               // lanes served
  u32 lineBytes = 0;           // of the line
  mem::SectorBytes written{};  // of sectors of which the lanes cover some bytes, which
};

class CoalescingUnit {
 public:
  // requestBytes: the line that a transaction names sectors of, a power of two from 32 to 256. subWarp: the lanes that `subWarpBlocks`
  // looks at together.
  CoalescingUnit(config::Coalescing rules, u32 warpSize, u32 requestBytes, u32 subWarp)
      : rules_(rules),
        warpSize_(warpSize),
        subWarp_(subWarp),
        requestBytes_(requestBytes),
        lineBytes_(rules == config::Coalescing::subWarpBlocks ? kSectorBytes : requestBytes),
        lineShift_(static_cast<u32>(std::countr_zero(lineBytes_))) {}

  // Addresses are those of global memory, in plain numbers: they come as the functional machine recorded them, which does so for any space.
  // Lanes of `mask` access `bytes` each at addresses[lane]. cached: the transactions go to a cache that fetches whole lines.
  std::span<const Transaction> access(const u64* addresses, LaneMask mask, u32 bytes, bool cached, Spread spread = Spread::unknown);
  // Any list of addresses, as of texels.
  std::span<const Transaction> list(std::span<const u64> addresses, u32 bytes);

 private:
  struct Line {
    u64 number = 0;
    std::array<u64, kLongestLineBytes / 64> bytes{};  // bit a byte
    u32 lanes = 0;
  };

  u32 lanesTogether(u32 bytes) const;
  void addLanes(const u64* addresses, LaneMask lanes, u32 bytes, Spread spread);
  void addRuns(const u64* addresses, LaneMask lanes, u32 bytes);
  void addNeighbours(GlobalAddress address, u32 lanes, u32 bytes);
  void addLane(GlobalAddress address, u32 bytes);
  static void cover(Line& line, u32 offset, u32 bytes);
  Line& lineOf(u64 number);
  void emit(bool wholeLines);
  void emitLines(bool wholeLines);
  void emitBlocks();
  void halfWarpSegments(const u64* addresses, LaneMask mask, u32 bytes);

  config::Coalescing rules_;
  u32 warpSize_, subWarp_, requestBytes_;
  u32 lineBytes_, lineShift_;  // of what lanes are gathered by
  std::vector<Line> lines_;    // of the group at hand
  u64 highest_ = 0;            // number of a line in it
  std::vector<Transaction> transactions_;
};

}  // namespace warpwright::sm
