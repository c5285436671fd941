#include "mechanisms/avc/joint_tags.hpp"

#include <utility>

namespace warpwright::mechanisms::avc {

JointTags::JointTags(const Geometry& geometry, const config::Cache& levelOne, sm::L1Cache& cache, Owner owner)
    : sets_(geometry.sets()),
      ways_(levelOne.ways + geometry.ways),
      encodedWays_(geometry.ways),
      regionBytes_(geometry.lineBytes()),
      cache_(cache),
      owner_(std::move(owner)),
      frames_(u64{sets_} * ways_) {}

std::unique_ptr<Placement> JointTags::ofVectors() { return std::make_unique<Vectors>(*this); }

// The frames in which the line may lie.
template <class Visit>
void JointTags::forEachFrame(Kind kind, u64 line, Visit visit) const {
  const bool isEncoded = kind == Kind::encoded;
  const u64 region = isEncoded ? line : line / regionBytes_;
  const u64 number = isEncoded ? line : line / kVectorBytes;
  const u32 first = static_cast<u32>(region % ways_) + (isEncoded ? 0 : encodedWays_);
  const u32 count = isEncoded ? encodedWays_ : ways_ - encodedWays_;
  for (u32 i = 0; i < count; ++i) {
    const u32 way = (first + i) % ways_;
    if (!visit(skewedSet(number, way, sets_) * ways_ + way)) return;
  }
}

u32 JointTags::find(Kind kind, u64 line) const {
  u32 found = kNowhere;
  forEachFrame(kind, line, [&](u32 frame) {
    if (frames_[frame].kind == kind && frames_[frame].line == line) found = frame;
    return found == kNowhere;
  });
  return found;
}

u32 JointTags::room(Kind kind, u64 line) const {
  u32 oldest = kNowhere;
  forEachFrame(kind, line, [&](u32 frame) {
    const bool isFree = frames_[frame].kind == Kind::none;
    if (isFree || (canLeave(frame) && (oldest == kNowhere || frames_[frame].lastUse < frames_[oldest].lastUse))) oldest = frame;
    return !isFree;
  });
  return oldest;
}

bool JointTags::canLeave(u32 frame) const { return frames_[frame].kind == Kind::encoded ? owner_.canRelease() : !cache_.isFetching(frame); }

void JointTags::LevelOne::install(u32 frame, GlobalAddress lineAddress, const mem::Request&, u64 now) {
  const Frame before = tags_.frames_[frame];
  if (before.kind == Kind::encoded) {
    ++tags_.stats_.given;
    tags_.owner_.release(before.line, {now});
  }
  tags_.frames_[frame] = {Kind::levelOne, lineAddress, 0};
  tags_.touch(frame);
}

void JointTags::Vectors::install(u32 frame, u64 line) {
  if (tags_.frames_[frame].kind == Kind::levelOne) {
    ++tags_.stats_.taken;
    tags_.cache_.evict(frame, tags_.now_);
  }
  tags_.frames_[frame] = {Kind::encoded, line, 0};
  tags_.touch(frame);
}

}  // namespace warpwright::mechanisms::avc
