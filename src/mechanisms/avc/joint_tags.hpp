// One array of tags and frames for the lines of the first-level cache and of the affine vector cache (section 5.1, third remedy: "combining
// the AVC and L1 tags in a skewed set-associative cache"), as Seznec's "Concurrent support of multiple page sizes on a skewed associative
// TLB" (IEEE Transactions on Computers, 2004) has one for pages of several sizes. A frame of 128 bytes holds a vector, or a line of 16
// encoded ones, whatever the program asks for.
//
// A way is looked up once: for each region of 2 KB, which is a line of the affine vector cache, a rotation decides in which ways that line
// may lie, and in which the first-level cache's lines of the region. Each way has a set index of its own; the least recently used candidate
// goes, whichever cache it belongs to.
#pragma once

#include <functional>
#include <vector>

#include "mechanisms/avc/placement.hpp"
#include "mechanisms/avc/statistics.hpp"
#include "mem/cache/placement.hpp"
#include "sm/memory_ports.hpp"

namespace warpwright::mechanisms::avc {

class JointTags {
 public:
  // What the owner of the encoded lines is asked for when the first-level cache takes a frame.
  struct Owner {
    std::function<bool()> canRelease;
    std::function<void(u64 line, Cycle now)> release;  // a line leaves; it clears its frame
  };

  JointTags(const Geometry& geometry, const config::Cache& levelOne, sm::L1Cache& cache, Owner owner);

  // The affine vector cache's share. It refers to the tags.
  std::unique_ptr<Placement> ofVectors();
  mem::LinePlacement& ofLevelOne() { return levelOne_; }
  // Time of what the affine vector cache evicts from the first-level cache.
  void tick(Cycle now) { now_ = now; }
  const JointStats& stats() const { return stats_; }

 private:
  enum class Kind : u8 { none, levelOne, encoded };
  struct Frame {
    Kind kind = Kind::none;
    u64 line = 0;  // address of the first-level cache's; number of the affine vector cache's
    u64 lastUse = 0;
  };

  class LevelOne final : public mem::LinePlacement {
   public:
    explicit LevelOne(JointTags& tags) : tags_(tags) {}
    u32 frames() const override { return static_cast<u32>(tags_.frames_.size()); }
    u32 find(GlobalAddress lineAddress) const override { return tags_.find(Kind::levelOne, lineAddress); }
    u32 room(GlobalAddress lineAddress, std::span<const mem::Line>) const override { return tags_.room(Kind::levelOne, lineAddress); }
    bool isEmpty(u32 frame) const override { return tags_.frames_[frame].kind != Kind::levelOne; }
    void install(u32 frame, GlobalAddress lineAddress, const mem::Request& access, u64 now) override;
    void clear(u32 frame) override { tags_.frames_[frame] = {}; }
    void touch(u32 frame, const mem::Request&, bool) override { tags_.touch(frame); }

   private:
    JointTags& tags_;
  };

  class Vectors final : public Placement {
   public:
    explicit Vectors(JointTags& tags) : tags_(tags) {}
    u32 frames() const override { return static_cast<u32>(tags_.frames_.size()); }
    u32 find(u64 line) const override { return tags_.find(Kind::encoded, line); }
    bool isEmpty(u32 frame) const override { return tags_.frames_[frame].kind != Kind::encoded; }
    u64 lineAt(u32 frame) const override { return tags_.frames_[frame].line; }
    u32 roomFor(u64 line) const override { return tags_.room(Kind::encoded, line); }
    void install(u32 frame, u64 line) override;
    void touch(u32 frame) override { tags_.touch(frame); }
    void clear(u32 frame) override { tags_.frames_[frame] = {}; }

   private:
    JointTags& tags_;
  };

  template <class Visit>
  void forEachFrame(Kind kind, u64 line, Visit visit) const;
  u32 find(Kind kind, u64 line) const;
  u32 room(Kind kind, u64 line) const;
  bool canLeave(u32 frame) const;
  void touch(u32 frame) { frames_[frame].lastUse = ++uses_; }

  u32 sets_, ways_, encodedWays_;
  u64 regionBytes_;
  sm::L1Cache& cache_;
  Owner owner_;
  std::vector<Frame> frames_;  // by frame = set * ways + way
  u64 uses_ = 0;
  Cycle now_{};
  JointStats stats_;
  LevelOne levelOne_{*this};
};

}  // namespace warpwright::mechanisms::avc
