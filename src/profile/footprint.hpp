// Which sectors of global memory a launch touches, and how often.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "profile/counters.hpp"

namespace warpwright::profile {

inline constexpr u32 kSectorsPerPage = 2048;  // 64 KiB of memory
using SectorBits = std::array<u64, kSectorsPerPage / 64>;

// Sectors touched by any launch of a kernel: page number → bits.
using TouchedSectors = std::unordered_map<u64, SectorBits>;

u64 countSectors(const SectorBits& bits);
u64 countSectors(const TouchedSectors& touched);
void merge(TouchedSectors& into, const TouchedSectors& from);
u64 countLines(const SectorBits& bits);  // 128 B lines with at least one sector

// Which sectors one instruction touched in a launch.
class SectorMap {
 public:
  void touch(std::span<const u64> sectors);
  void merge(const SectorMap& other) { profile::merge(pages_, other.pages_); }
  const TouchedSectors& pages() const { return pages_; }

 private:
  TouchedSectors pages_;
  u64 lastNumber_ = 0;
  SectorBits* last_ = nullptr;  // of lastNumber_; maps never move what they hold
};

// Bitmaps and counters by page, found through one table of pages for each 4 GiB of addresses. Sector numbers are address / 32.
class Footprint {
 public:
  void touch(std::span<const u64> sectors, bool load, bool store);

  // Adds what another has seen. The order of merging does not matter.
  void merge(const Footprint& other);
  // The counters since the last call; forgets the sectors, after adding them to `all`.
  FootprintCounters take(TouchedSectors& all);

 private:
  static constexpr u32 kMostRequests = 0xffff;  // a sector's counter stays here; FootprintCounters::requests is exact
  static constexpr u32 kPagesPerRegion = 65536;

  struct Page {
    u64 number = 0;
    bool listed = false;  // in touched_
    SectorBits loaded{}, stored{};
    std::array<u16, kSectorsPerPage> requests{};
  };
  struct Region {
    u64 number = 0;
    std::vector<std::unique_ptr<Page>> pages;
  };

  Page& page(u64 number);
  Region& region(u64 number);

  std::vector<Region> regions_;
  std::vector<Page*> touched_;
  Page* last_ = nullptr;
  u64 requests_ = 0;
};

}  // namespace warpwright::profile
