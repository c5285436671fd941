// In which frames the lines of a cache may lie, and which of them makes room. Sets of ways, unless something that shares the cache's array
// knows better (Cache::placeBy()).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/part.hpp"
#include "mem/cache/line.hpp"
#include "mem/cache/replacement/replacement.hpp"
#include "mem/cache/set_index.hpp"

namespace warpwright::mem {

// Lines are named by their addresses.
class LinePlacement {
 public:
  virtual ~LinePlacement() = default;
  virtual u32 frames() const = 0;
  // kNone: the line is nowhere.
  virtual u32 find(GlobalAddress lineAddress) const = 0;
  // Where a line that is nowhere can go: an empty frame, else one whose line has to leave; kNone: none can. `lines`: by frame; those that
  // are being fetched stay. Asking twice gives the same answer: a blocked access asks in every tick.
  virtual u32 room(GlobalAddress lineAddress, std::span<const Line> lines) const = 0;
  // No line of the cache is there.
  virtual bool isEmpty(u32 frame) const = 0;
  // The access whose line it is; of nobody's where none brought it.
  virtual void install(u32 frame, GlobalAddress lineAddress, const Request& access, u64 now) = 0;
  virtual void clear(u32 frame) = 0;
  // An access to a line that is there. isHit: with all sectors that it touches.
  virtual void touch(u32 frame, const Request& access, bool isHit) = 0;
  // What was asked for of the line has arrived, and who waited for it has its answer. Says how the line lies from now on.
  virtual void fill(u32 /*frame*/, Line& /*line*/) {}
  // Whether a global write to a part of an encoded line is done, which leaves the line as it is, without an encoding. Else it changes
  // nothing, and its response says how the line is encoded; one that wants no response is done.
  virtual bool takesParts() const { return true; }
  // An access changes a part of an encoded line, which loses its encoding: an atomic, or a write that is done. Ticks by which that delays
  // its answer.
  virtual u32 makeWhole() { return 0; }
  // Whether lines share room, so that one that takes more of it may drive others out.
  virtual bool sharesRoom() const { return false; }
  // Which line has to leave before the line can take so many pieces of 32 bytes; kNone: one has to, and none can. Nothing: there is room.
  // `frame`: of the line; kNone: it is nowhere. What is being fetched stays.
  virtual std::optional<u32> inTheWay(GlobalAddress /*lineAddress*/, u32 /*frame*/, u32 /*pieces*/, std::span<const Line> /*lines*/) const {
    return std::nullopt;
  }
  // Whether accesses ever go by.
  virtual bool mayBypass() const { return false; }
  // Whether an access to a line that is nowhere goes by. Asking twice, as above. And that it did.
  virtual bool bypasses(GlobalAddress /*lineAddress*/, const Request& /*access*/) const { return false; }
  virtual void bypassed(GlobalAddress /*lineAddress*/, const Request& /*access*/) {}
};

struct PlacementContext {
  const config::Cache& cache;
  Interleave share;
};
using PlacementPart = Part<LinePlacement, const PlacementContext&>;
inline constexpr std::string_view kPlacementOfL2 = "the placement of lines in L2";

// Of a cache that has lines, and 1 of one that has none.
u32 setsOf(const config::Cache& cache);

class SetPlacement : public LinePlacement {
 public:
  SetPlacement(const config::Cache& cache, u32 sets, u32 ways, Interleave share);

  u32 frames() const override { return static_cast<u32>(addresses_.size()); }
  u32 find(GlobalAddress lineAddress) const override;
  u32 room(GlobalAddress lineAddress, std::span<const Line> lines) const override;
  bool isEmpty(u32 frame) const override { return addresses_[frame] == kNoAddress; }
  void install(u32 frame, GlobalAddress lineAddress, const Request& access, u64 now) override;
  void clear(u32 frame) override;
  void touch(u32 frame, const Request& access, bool isHit) override { replacement_->touched(frame / ways_, frame % ways_, access, isHit); }
  bool mayBypass() const override { return replacement_->mayBypass(); }
  bool bypasses(GlobalAddress lineAddress, const Request& access) const override {
    return replacement_->bypasses(firstOf(lineAddress) / ways_, access);
  }
  void bypassed(GlobalAddress lineAddress, const Request& access) override { replacement_->bypassed(firstOf(lineAddress) / ways_, access); }
  void fill(u32 frame, Line&) override { replacement_->filled(frame / ways_, frame % ways_); }
  // New lines come into the first so many ways of their set.
  void limitWays(u32 ways) { usedWays_ = std::min(ways, ways_); }

 protected:
  u32 firstOf(GlobalAddress lineAddress) const { return index_.set(index_.line(lineAddress)) * ways_; }
  u32 ways() const { return ways_; }
  // The frame of one of these ways of the line's set, of which there is at least one.
  u32 victim(GlobalAddress lineAddress, WaySet candidates) const {
    const u32 first = firstOf(lineAddress);
    return first + replacement_->victim(first / ways_, candidates);
  }

 private:
  static constexpr GlobalAddress kNoAddress{~u64{0}};

  u32 ways_, usedWays_;
  SetIndex index_;
  std::vector<GlobalAddress> addresses_;  // by frame = set * ways + way
  std::unique_ptr<Replacement> replacement_;
};

}  // namespace warpwright::mem
