// What a cache holds: which lines, which of their sectors, and in what state.
#pragma once

#include <memory>
#include <vector>

#include "mem/cache/placement.hpp"
#include "mem/request.hpp"

namespace warpwright::mem {

class Tags {
 public:
  Tags(const config::Cache& cache, u32 sets, u32 ways, Interleave share)
      : lineBytes_(cache.lineBytes),
        index_(cache, sets, share),
        own_(std::make_unique<SetPlacement>(cache, sets, ways, share)),
        placement_(own_.get()),
        lines_(own_->places()),
        keepsWritten_(cache.globalWrites == kLazy || cache.localWrites == kLazy || cache.globalWrites == kAllocating ||
                      cache.localWrites == kAllocating) {
    if (keepsWritten_) written_.resize(lines_.size());
  }

  // While there is no line.
  void placeBy(LinePlacement& placement) {
    placement_ = &placement;
    lines_.assign(placement.places(), {});
    if (keepsWritten_) written_.assign(placement.places(), {});
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

  void install(u32 place, u64 lineAddress, const Request& access, u64 now) {
    placement_->install(place, lineAddress, access, now);
    lines_[place] = Line{.address = lineAddress, .origin = access.origin};
    if (keepsWritten_) written_[place] = {};
  }
  void drop(u32 place) {
    placement_->clear(place);
    lines_[place] = Line{};
  }
  void touch(u32 place, const Request& access, bool isHit) { placement_->touch(place, access, isHit); }
  void fill(u32 place) { placement_->fill(place); }
  bool mayBypass() const { return placement_->mayBypass(); }
  bool bypasses(u64 lineAddress, const Request& access) const { return placement_->bypasses(lineAddress, access); }
  void bypassed(u64 lineAddress, const Request& access) { placement_->bypassed(lineAddress, access); }

  // For caches with a policy that does not fetch what writes leave out: bytes written of sectors that are not valid. `bytes` has those
  // of sector s of the line at s - shift. Gives the sectors that are now written in full.
  u32 addWritten(u32 place, u32 sectors, const SectorBytes& bytes, u32 shift);
  void forgetWritten(u32 place, u32 sectors);
  // Of some sectors; of the others none.
  SectorBytes written(u32 place, u32 sectors) const;

 private:
  static constexpr auto kLazy = config::WritePolicy::writeBackLazy, kAllocating = config::WritePolicy::writeThroughAllocate;

  u32 lineBytes_;
  SetIndex index_;
  std::unique_ptr<LinePlacement> own_;
  LinePlacement* placement_;
  std::vector<Line> lines_;
  bool keepsWritten_;
  std::vector<SectorBytes> written_;  // by place; of no places where nobody asks
};

}  // namespace warpwright::mem
