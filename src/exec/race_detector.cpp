#include "exec/race_detector.hpp"

#include <algorithm>
#include <bit>

#include "base/memory_units.hpp"
#include "isa/address_space.hpp"

namespace warpwright::exec {
namespace {

constexpr u64 kMostShadowBytes = u64{2} << 30;  // for global memory: words that were touched take 24 times as much here
constexpr u64 kUnbounded = ~u64{0};             // shared memory is small
constexpr std::size_t kMostReleases = 1 << 16;  // addresses of strong writes behind a fence

// The bytes of a store that lie in the word at `first` … of a lane's access, where they lie in that word.
u32 valueIn(const BlockRaces::Access& access, LaneId lane, u64 address, u64 first, u64 end) {
  u32 value = 0;
  for (u64 at = first; at < end; ++at) {
    const u64 offset = at - address;
    const u32 unit = access.elementBytes < kWordBytes ? access.elementBytes : kWordBytes;
    const u32 plane = access.values[offset / unit * access.lanes + lane];
    value |= (plane >> 8 * (offset % unit) & 0xff) << 8 * (at % kWordBytes);
  }
  return value;
}

// The lanes of an atomic come one after the other: has the lane found what another has left at its address?
bool comesAfterAnother(const LaneAddresses& addresses, LaneMask mask, LaneId lane) {
  for (const LaneId other : mask) {
    if (other == lane) return false;
    if (addresses.lane[other] == addresses.lane[lane]) return true;
  }
  return false;
}

}  // namespace

RaceDetector::RaceDetector() : global_(kMostShadowBytes) {}

// Where they are too many, all that was released is taken to be known to whoever acquires anything.
RaceClock& RaceDetector::released(GlobalAddress address) {
  if (releases_.size() >= kMostReleases && !releases_.contains(address)) {
    releases_.clear();
    forgottenAt_ = moment_;
  }
  return releases_[address];
}

void RaceDetector::acquire(GlobalAddress address, RaceClock& into) const {
  into.raiseAll(forgottenAt_);
  const auto found = releases_.find(address);
  if (found != releases_.end()) into.join(found->second);
}

BlockRaces::BlockRaces(RaceDetector& grid, const Shape& shape)
    : grid_(grid), shape_(shape), shared_(kUnbounded), warps_(shape.warps), barriers_(shape.barriers) {}

void BlockRaces::startBlock(u64 block, bool inCluster) {
  block_ = block;
  inCluster_ = inCluster;
  releases_.clear();
  // Whose touches these are tells otherwise which block was here before.
  if (inCluster) shared_.forget(0, isa::kClusterStride);
  for (BarrierClocks& barrier : barriers_) barrier = {};
  alone_ = {};
  for (WarpState& warp : warps_) warp = {grid_.nextMoment(), {}, {}, {}, {}};
}

// Later accesses of the warp are not covered by what has been told of it so far.
void BlockRaces::advance(WarpState& warp) { warp.moment = grid_.nextMoment(); }

// What the warp knows, and what it did.
RaceClock BlockRaces::knowledge(u32 warp) const {
  RaceClock all = warps_[warp].known;
  all.raise(blockKey(), warp, warps_[warp].moment);
  return all;
}

void BlockRaces::access(u32 warp, const Access& access, const LaneAddresses& addresses, LaneMask mask) {
  WarpState& state = warps_[warp];
  if (shape_.lockstep) synchroniseLanes(warp, ~LaneMask{});
  RaceTouch now;
  now.moment = state.moment;
  now.pc = access.pc;
  now.block = blockKey();
  now.warp = static_cast<u8>(warp);
  now.writes = access.writes;
  now.strong = access.strong;
  now.blockOnly = access.blockOnly;
  now.hasValue = access.values != nullptr;
  BlockRaces* const home = access.inShared ? &homeOf(access) : nullptr;
  for (const LaneId lane : mask) {
    now.lane = now.otherLane = static_cast<u8>(lane);
    const u64 begin = addresses.lane[lane], end = begin + access.bytes;
    if (access.acquires) acquire(state, access, begin);
    for (u64 at = begin; at < end;) {
      const u64 next = std::min(end, (at / kWordBytes + 1) * kWordBytes);
      now.bytes = static_cast<u8>(((1u << (next - at)) - 1) << at % kWordBytes & 0xf);
      if (access.values) now.value = valueIn(access, lane, begin, at, next);
      touch(at / kWordBytes * kWordBytes, now, home);
      at = next;
    }
  }
  if (!access.strong || !access.writes) return;
  if (access.releases) fence(warp, access.blockOnly);
  if (state.published.empty()) return;
  for (const LaneId lane : mask) publish(warp, access, addresses.lane[lane]);
  if (!access.acquires) return;
  for (const LaneId lane : mask)
    if (comesAfterAnother(addresses, mask, lane)) acquire(state, access, addresses.lane[lane]);
}

void BlockRaces::acquire(WarpState& state, const Access& access, u64 byte) {
  const auto& releases = homeOf(access).releases_;
  const auto found = releases.find(byte);
  if (found != releases.end()) state.known.join(found->second);
  if (!access.inShared && !access.blockOnly) grid_.acquire(GlobalAddress(byte), state.known);
}

void BlockRaces::publish(u32 warp, const Access& access, u64 byte) {
  const WarpState& state = warps_[warp];
  BlockRaces& home = homeOf(access);
  if (home.releases_.size() >= kMostReleases && !home.releases_.contains(byte)) {
    home.releases_.clear();
    for (WarpState& each : home.warps_) each.known.raiseAll(state.moment);
  }
  home.releases_[byte].join(state.published);
  if (!access.inShared && !access.blockOnly && !state.broadcast.empty()) grid_.released(GlobalAddress(byte)).join(state.broadcast);
}

void BlockRaces::acquire(u32 warp, GlobalAddress address) {
  WarpState& state = warps_[warp];
  const auto own = releases_.find(address);
  if (own != releases_.end()) state.known.join(own->second);
  grid_.acquire(address, state.known);
}

void BlockRaces::touch(u64 number, const RaceTouch& now, BlockRaces* home) {
  RaceWord& word = home ? home->shared_.word(number) : grid_.global_.word(number);
  const auto isOfSameWarp = [&](const RaceTouch& before) { return before.block == now.block && before.warp == now.warp; };
  check(word.write, now, number, home);
  // Strong writes to one address come one after the other, and who knows the later one has observed the earlier (PTX ISA, "Causality
  // Order").
  if (!knows(word.write, now)) check(word.otherWrite, now, number, home);
  if (now.writes) {
    check(word.read, now, number, home);
    check(word.otherRead, now, number, home);
    if (word.write.strong && now.strong && !isOfSameWarp(word.write)) word.otherWrite = word.write;
    word.write = now;
    return;
  }
  RaceTouch& read = word.read;
  const bool sameWarp = read.moment != 0 && isOfSameWarp(read);
  const bool samePhase = sameWarp && read.moment == now.moment && read.bytes == now.bytes && read.strong == now.strong;
  const u8 before = read.lane;
  if (read.moment != 0 && !sameWarp) word.otherRead = read;
  read = now;
  if (samePhase && before != now.lane) read.otherLane = before;
}

bool BlockRaces::isOrdered(const RaceTouch& before, LaneId lane, const RaceTouch& now) const {
  const WarpState& state = warps_[now.warp];
  if (before.moment <= state.known.of(before.block, before.warp)) return true;
  const bool sameWarp = before.block == now.block && before.warp == now.warp;
  return sameWarp && !state.lanes.empty() && before.moment <= state.lanes[std::size_t{now.lane} * kMaxWarpSize + lane];
}

bool BlockRaces::knows(const RaceTouch& before, const RaceTouch& now) const {
  const bool isOwn = before.block == now.block && before.warp == now.warp && before.lane == now.lane;
  return isOwn || isOrdered(before, LaneId{before.lane}, now);
}

void BlockRaces::check(const RaceTouch& before, const RaceTouch& now, u64 word, const BlockRaces* home) {
  if (before.moment == 0 || (before.bytes & now.bytes) == 0) return;
  const bool sameBlock = before.block == now.block;
  if (home && !sameBlock && !inCluster_) return;  // of a block that was here before
  if (before.strong && now.strong && (sameBlock || (!before.blockOnly && !now.blockOnly))) return;
  LaneId lane{before.lane};
  if (sameBlock && before.warp == now.warp && lane == now.lane) lane = LaneId{before.otherLane};
  if (sameBlock && before.warp == now.warp && lane == now.lane) return;  // its own
  if (isOrdered(before, lane, now)) return;
  const bool sameValue = before.hasValue && now.hasValue && before.bytes == now.bytes && before.value == now.value;
  if (before.writes && now.writes && sameValue) return;
  const auto accessOf = [&](const RaceTouch& touch, u32 by) {
    return RaceAccess{touch.block, touch.pc, touch.warp * shape_.warpSize + by, touch.writes != 0, touch.strong != 0};
  };
  const u64 byte = word + static_cast<u32>(std::countr_zero(static_cast<u32>(before.bytes & now.bytes)));
  Race race{GlobalAddress(byte), 0, accessOf(before, lane), accessOf(now, now.lane)};
  if (home) race.address = SharedOffset(byte);
  if (home) race.home = home->block_;
  grid_.add(race);
}

void BlockRaces::fence(u32 warp, bool blockOnly) {
  WarpState& state = warps_[warp];
  const RaceClock all = knowledge(warp);
  state.published.join(all);
  if (!blockOnly) state.broadcast.join(all);
  advance(state);
}

void BlockRaces::synchroniseLanes(u32 warp, LaneMask lanes) {
  WarpState& state = warps_[warp];
  const LaneMask existing = LaneMask::first(shape_.warpSize);
  if ((lanes & existing) == existing) {
    state.known.raise(blockKey(), warp, state.moment);
    advance(state);
    return;
  }
  if (state.lanes.empty()) state.lanes.resize(std::size_t{kMaxWarpSize} * kMaxWarpSize);
  const auto row = [&](LaneId lane) { return state.lanes.begin() + std::ptrdiff_t{lane} * kMaxWarpSize; };
  std::array<u64, kMaxWarpSize> together{};
  for (const LaneId lane : lanes) {
    const auto own = row(lane);
    for (u32 other = 0; other < kMaxWarpSize; ++other) together[other] = std::max(together[other], own[other]);
  }
  for (const LaneId lane : lanes) together[lane] = state.moment;
  for (const LaneId lane : lanes) std::copy(together.begin(), together.end(), row(lane));
  advance(state);
}

void BlockRaces::arrive(u32 warp, u32 barrier) {
  WarpState& state = warps_[warp];
  barriers_[barrier].known.join(knowledge(warp));
  barriers_[barrier].published.join(state.published);
  barriers_[barrier].broadcast.join(state.broadcast);
  advance(state);
}

void BlockRaces::pass(u32 warp, u32 number) {
  BarrierClocks& barrier = barriers_[number];
  for (RaceClock* clock : {&barrier.known, &barrier.published, &barrier.broadcast}) clock->unite(blockKey(), shape_.warps);
  pass(warps_[warp], barrier);
}

void BlockRaces::pass(WarpState& state, const BarrierClocks& barrier) {
  state.known.join(barrier.known);
  state.published.join(barrier.published);
  state.broadcast.join(barrier.broadcast);
  advance(state);  // beyond the moment at which all warps are known now
}

void BlockRaces::reset(u32 barrier) { barriers_[barrier] = {}; }

void BlockRaces::arriveAtCluster(u32 warp, ClusterRaces& cluster, bool relaxed) {
  WarpState& state = warps_[warp];
  BarrierClocks& barrier = cluster.arriving;
  barrier.known.join(relaxed ? state.published : knowledge(warp));
  barrier.published.join(state.published);
  barrier.broadcast.join(state.broadcast);
  for (RaceClock* clock : {&barrier.known, &barrier.published, &barrier.broadcast}) clock->unite(blockKey(), shape_.warps);
  advance(state);
}

void BlockRaces::passCluster(u32 warp, const ClusterRaces& cluster) { pass(warps_[warp], cluster.opened); }

void BlockRaces::releaseObject(u32 warp, BlockRaces& home, SharedOffset object) {
  home.releases_[object].join(knowledge(warp));
  advance(warps_[warp]);
}

void BlockRaces::acquireObject(u32 warp, SharedOffset object) {
  const auto found = releases_.find(object);
  if (found != releases_.end()) warps_[warp].known.join(found->second);
}

}  // namespace warpwright::exec
