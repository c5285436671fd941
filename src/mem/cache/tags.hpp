// What a cache holds: which lines, which of their sectors, and in what state.
#pragma once

#include <memory>
#include <vector>

#include "base/error.hpp"
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
        lines_(own_->frames()),
        keepsWritten_(cache.globalWrites == kLazy || cache.localWrites == kLazy || cache.globalWrites == kAllocating ||
                      cache.localWrites == kAllocating) {
    if (keepsWritten_) written_.resize(lines_.size());
  }

  // While there is no line. Throws Error if something else places them already.
  void placeBy(LinePlacement& placement) {
    if (placement_ != own_.get())
      throw Error("two mechanisms place the lines of one cache", {},
                  "leave one of them out, or choose settings with which one has an array of its own (docs/mechanisms.md)");
    placement_ = &placement;
    lines_.assign(placement.frames(), {});
    found_ = kNone;
    if (keepsWritten_) written_.assign(placement.frames(), {});
  }

  void limitWays(u32 ways) { own_->limitWays(ways); }

  GlobalAddress lineAddress(GlobalAddress address) const { return alignDown(address, lineBytes_); }
  u64 lineNumber(GlobalAddress address) const { return index_.line(address); }

  // Frame of the line, or kNone.
  u32 find(GlobalAddress lineAddress) const {
    if (found_ == kNone || lines_[found_].address != lineAddress) found_ = placement_->find(lineAddress);
    return found_;
  }
  // Frame where a new line can go; kNone: every line in its way is being fetched.
  u32 room(GlobalAddress lineAddress) const { return placement_->room(lineAddress, lines_); }

  Line& operator[](u32 frame) { return lines_[frame]; }
  const Line& operator[](u32 frame) const { return lines_[frame]; }
  u32 frames() const { return static_cast<u32>(lines_.size()); }
  bool isEmpty(u32 frame) const { return placement_->isEmpty(frame); }

  void install(u32 frame, GlobalAddress lineAddress, const Request& access, u64 now) {
    placement_->install(frame, lineAddress, access, now);
    lines_[frame] = Line{.address = lineAddress, .origin = access.origin};
    if (keepsWritten_) written_[frame] = {};
  }
  void drop(u32 frame) {
    placement_->clear(frame);
    lines_[frame] = Line{};
    if (found_ == frame) found_ = kNone;
  }
  void touch(u32 frame, const Request& access, bool isHit) { placement_->touch(frame, access, isHit); }
  void fill(u32 frame) { placement_->fill(frame, lines_[frame]); }
  bool takesParts() const { return placement_->takesParts(); }
  u32 makeWhole() { return placement_->makeWhole(); }
  bool sharesRoom() const { return placement_->sharesRoom(); }
  std::optional<u32> inTheWay(GlobalAddress lineAddress, u32 frame, u32 pieces) const {
    return placement_->inTheWay(lineAddress, frame, pieces, lines_);
  }
  bool mayBypass() const { return placement_->mayBypass(); }
  bool bypasses(GlobalAddress lineAddress, const Request& access) const { return placement_->bypasses(lineAddress, access); }
  void bypassed(GlobalAddress lineAddress, const Request& access) { placement_->bypassed(lineAddress, access); }

  // For caches with a policy that does not fetch what writes leave out: bytes written of sectors that are not valid. `bytes` has those
  // of sector s of the line at s - shift. Gives the sectors that are now written in full.
  u32 addWritten(u32 frame, u32 sectors, const SectorBytes& bytes, u32 shift);
  void forgetWritten(u32 frame, u32 sectors);
  // Of some sectors; of the others none.
  SectorBytes written(u32 frame, u32 sectors) const;

 private:
  static constexpr auto kLazy = config::WritePolicy::writeBackLazy, kAllocating = config::WritePolicy::writeThroughAllocate;

  u32 lineBytes_;
  SetIndex index_;
  std::unique_ptr<SetPlacement> own_;
  LinePlacement* placement_;
  std::vector<Line> lines_;
  mutable u32 found_ = kNone;  // the frame that was asked for last: often the same is asked for again
  bool keepsWritten_;
  std::vector<SectorBytes> written_;  // by frame; of no frames where nobody asks
};

}  // namespace warpwright::mem
