// Where lines of the affine vector cache lie, and which of them makes room.
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/avc/geometry.hpp"
#include "mem/cache/replacement/replacement.hpp"

namespace warpwright::mechanisms::avc {

inline constexpr u32 kNowhere = ~u32{0};

// Lines are named by their number: address / bytes of a line. Frames: 0 … frames() - 1.
class Placement {
 public:
  virtual ~Placement() = default;
  virtual u32 frames() const = 0;
  virtual u32 find(u64 line) const = 0;
  // No line of this cache is there.
  virtual bool isEmpty(u32 frame) const = 0;
  virtual u64 lineAt(u32 frame) const = 0;
  // Where `line`, which is nowhere, would go: an empty frame, else one whose line has to leave; kNowhere: there is none at present.
  virtual u32 roomFor(u64 line) const = 0;
  virtual void install(u32 frame, u64 line) = 0;
  virtual void touch(u32 frame) = 0;
  virtual void clear(u32 frame) = 0;
};

// An array of its own, in sets with a replacement policy or in skewed ways.
class OwnPlacement final : public Placement {
 public:
  explicit OwnPlacement(const Geometry& geometry);

  u32 frames() const override { return static_cast<u32>(lines_.size()); }
  u32 find(u64 line) const override;
  bool isEmpty(u32 frame) const override { return lines_[frame] == kNoLine; }
  u64 lineAt(u32 frame) const override { return lines_[frame]; }
  u32 roomFor(u64 line) const override;
  void install(u32 frame, u64 line) override;
  void touch(u32 frame) override;
  void clear(u32 frame) override { lines_[frame] = kNoLine; }

 private:
  static constexpr u64 kNoLine = ~u64{0};

  u32 setOf(u64 line, u32 way) const;

  u32 sets_, ways_;
  bool skewed_;
  std::vector<u64> lines_;                         // by frame = set * ways + way
  std::unique_ptr<mem::Replacement> replacement_;  // of sets; null when skewed
  std::vector<u64> lastUse_;                       // by frame, when skewed
  u64 uses_ = 0;
};

// The set of a line in a way of `sets` skewed sets.
u32 skewedSet(u64 line, u32 way, u32 sets);

}  // namespace warpwright::mechanisms::avc
