// What a cache holds: which lines, which of their sectors, and in what state.
#pragma once

#include <memory>
#include <vector>

#include "mem/cache/placement.hpp"

namespace warpwright::mem {

class Tags {
 public:
  Tags(const config::Cache& cache, u32 sets, u32 ways, Interleave share)
      : lineBytes_(cache.lineBytes),
        index_(cache, sets, share),
        own_(std::make_unique<SetPlacement>(cache, sets, ways, share)),
        placement_(own_.get()),
        lines_(own_->places()) {}

  // While there is no line.
  void placeBy(LinePlacement& placement) {
    placement_ = &placement;
    lines_.assign(placement.places(), {});
  }

  u64 lineAddress(u64 address) const { return address & ~u64{lineBytes_ - 1}; }
  u64 lineNumber(u64 address) const { return index_.line(address); }

  // Place of the line, or kNone.
  u32 find(u64 lineAddress) const { return placement_->find(lineAddress); }
  // Place where a new line can go; kNone: every line in its way is being fetched.
  u32 room(u64 lineAddress) const { return placement_->room(lineAddress, lines_); }

  Line& operator[](u32 place) { return lines_[place]; }
  const Line& operator[](u32 place) const { return lines_[place]; }
  u32 places() const { return static_cast<u32>(lines_.size()); }
  bool isEmpty(u32 place) const { return placement_->isEmpty(place); }

  void install(u32 place, u64 lineAddress, u64 now) {
    placement_->install(place, lineAddress, now);
    lines_[place] = Line{.address = lineAddress};
  }
  void drop(u32 place) {
    placement_->clear(place);
    lines_[place] = Line{};
  }
  void touch(u32 place) { placement_->touch(place); }

 private:
  u32 lineBytes_;
  SetIndex index_;
  std::unique_ptr<LinePlacement> own_;
  LinePlacement* placement_;
  std::vector<Line> lines_;
};

}  // namespace warpwright::mem
