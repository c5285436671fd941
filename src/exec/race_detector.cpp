#include "exec/race_detector.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::exec {
namespace {

void join(std::vector<u32>& into, const std::vector<u32>& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

RaceDetector::RaceDetector(u64 sharedBytes, u32 warps, u32 warpSize, u32 barriers, RaceLog& log)
    : warpSize_(warpSize), shadow_(sharedBytes), clocks_(warps, Clock(warps)), barriers_(barriers, Clock(warps)), log_(log) {}

void RaceDetector::startBlock(u64 block) {
  block_ = block;
  serial_ = 0;
  objects_.clear();
  std::fill(shadow_.begin(), shadow_.end(), Shadow{});
  for (Clock& clock : clocks_) std::fill(clock.begin(), clock.end(), 0);
  for (std::size_t warp = 0; warp < clocks_.size(); ++warp) clocks_[warp][warp] = 1;
  for (Clock& clock : barriers_) std::fill(clock.begin(), clock.end(), 0);
}

void RaceDetector::access(u32 warp, u32 pc, bool reads, bool writes, bool atomic, const LaneAddresses& addresses, LaneMask mask,
                          u32 bytes) {
  ++serial_;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest));
    const Touch now{{pc, warp * warpSize_ + lane, writes, atomic}, warp, clocks_[warp][warp], serial_};
    for (u64 offset = addresses.lane[lane]; offset < addresses.lane[lane] + bytes; ++offset)
      touch(shadow_[offset], offset, now, reads && !writes);
  }
}

void RaceDetector::touch(Shadow& shadow, u64 offset, const Touch& now, bool reads) {
  check(shadow.write, now, offset);
  if (reads) {
    if (shadow.read.clock != 0 && shadow.read.warp != now.warp) shadow.otherRead = shadow.read;
    shadow.read = now;
    return;
  }
  check(shadow.read, now, offset);
  check(shadow.otherRead, now, offset);
  shadow.write = now;
}

void RaceDetector::check(const Touch& before, const Touch& now, u64 offset) {
  if (before.clock == 0) return;
  if (before.access.atomic && now.access.atomic) return;
  if (before.warp == now.warp) {
    const bool sameStore = before.instruction == now.instruction && before.access.thread != now.access.thread;
    if (!sameStore) return;
  } else if (before.clock <= clocks_[now.warp][before.warp]) {
    return;  // ordered by a barrier
  }
  log_.add({block_, offset, before.access, now.access});
}

void RaceDetector::arrive(u32 warp, u32 barrier) {
  join(barriers_[barrier], clocks_[warp]);
  ++clocks_[warp][warp];
}

void RaceDetector::pass(u32 warp, u32 barrier) { join(clocks_[warp], barriers_[barrier]); }

void RaceDetector::release(u32 warp, u64 object) {
  join(objects_.try_emplace(object, Clock(clocks_.size())).first->second, clocks_[warp]);
  ++clocks_[warp][warp];
}

void RaceDetector::acquire(u32 warp, u64 object) {
  const auto found = objects_.find(object);
  if (found != objects_.end()) join(clocks_[warp], found->second);
}

void RaceDetector::reset(u32 barrier) { std::fill(barriers_[barrier].begin(), barriers_[barrier].end(), 0); }

}  // namespace warpwright::exec
