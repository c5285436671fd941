// Where lines of the affine vector cache lie, and which of them makes room.
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/avc/geometry.hpp"
#include "mem/cache/replacement/replacement.hpp"

namespace warpwright::mechanisms::avc {

inline constexpr u32 kNowhere = ~u32{0};

// Lines are named by their number: address / bytes of a line. Places: 0 … places() - 1.
class Placement {
 public:
  explicit Placement(const Geometry& geometry);

  u32 places() const { return static_cast<u32>(lines_.size()); }
  u32 find(u64 line) const;
  bool isEmpty(u32 place) const { return lines_[place] == kNoLine; }
  u64 lineAt(u32 place) const { return lines_[place]; }
  // Where `line`, which is nowhere, would go: an empty place, else one whose line has to leave.
  u32 roomFor(u64 line) const;
  void install(u32 place, u64 line);
  void touch(u32 place);
  void clear(u32 place) { lines_[place] = kNoLine; }

 private:
  static constexpr u64 kNoLine = ~u64{0};

  u32 setOf(u64 line, u32 way) const;

  u32 sets_, ways_;
  bool skewed_;
  std::vector<u64> lines_;                         // by place = set * ways + way
  std::unique_ptr<mem::Replacement> replacement_;  // of sets; null when skewed
  std::vector<u64> lastUse_;                       // by place, when skewed
  u64 uses_ = 0;
};

}  // namespace warpwright::mechanisms::avc
