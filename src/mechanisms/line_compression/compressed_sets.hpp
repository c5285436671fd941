// How caches place lines that lie compressed in them (sections 7.5 and 7.6).
#pragma once

#include <utility>

#include "mechanisms/line_compression/statistics.hpp"
#include "mem/cache/placement.hpp"

namespace warpwright::mechanisms::line_compression {

// Sets with more tags than lines fit in whole: the lines of a set share its room in pieces of 32 bytes, and those that a new one, or one
// that grows, has no room beside leave in the order of the replacement policy. A line on its way has room for all of it.
class CompressedSets : public mem::SetPlacement {
 public:
  // tags: for each line that fits in whole. lookups, which outlives it: counts accesses to a line that is there or gets a place.
  CompressedSets(const config::Cache& cache, u32 tags, mem::Interleave share, u64& lookups);

  bool sharesRoom() const override { return true; }
  std::optional<u32> inTheWay(GlobalAddress lineAddress, u32 frame, u32 pieces, std::span<const mem::Line> lines) const override;
  void install(u32 frame, GlobalAddress lineAddress, const mem::Request& access, u64 now) override {
    ++lookups_;
    SetPlacement::install(frame, lineAddress, access, now);
  }
  void touch(u32 frame, const mem::Request& access, bool isHit) override {
    ++lookups_;
    SetPlacement::touch(frame, access, isHit);
  }

 private:
  u32 piecesOf(const mem::Line& line) const { return line.mshr != mem::kNone || line.pieces == 0 ? piecesOfLine_ : line.pieces; }

  const u32 piecesOfLine_, piecesOfSet_;
  u64& lookups_;
};

// In L2, where who stores to a part of a line hears that the line is compressed, and stores all of it (section 5.2.2). Atomics, and stores
// that must be merged, have hardware of the partition make their line whole, of which the paper says nothing.
template <class Sets>
class InSecondLevel final : public Sets {
 public:
  // The statistics outlive it. sets: what Sets is made of.
  template <class... Arguments>
  InSecondLevel(u32 decompressTicks, Statistics& statistics, Arguments&&... sets)
      : Sets(std::forward<Arguments>(sets)...), decompressTicks_(decompressTicks), stats_(statistics) {}

  bool takesParts() const override { return false; }
  u32 makeWhole() override {
    ++stats_.mergedParts;
    stats_.decompressedInHardware();
    return decompressTicks_;
  }

 private:
  const u32 decompressTicks_;
  Statistics& stats_;
};

// Lines are made whole as they come: who waits for one still gets it as it came.
class WholeSets final : public mem::SetPlacement {
 public:
  WholeSets(const config::Cache& cache, mem::Interleave share) : SetPlacement(cache, mem::setsOf(cache), cache.ways, share) {}

  void fill(u32 frame, mem::Line& line) override {
    SetPlacement::fill(frame, line);
    line.encoding = line.pieces = 0;
  }
};

}  // namespace warpwright::mechanisms::line_compression
