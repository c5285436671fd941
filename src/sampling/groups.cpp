#include "sampling/groups.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::sampling {
namespace {

// Chosen: launches are alike of which no more than a tenth of anything differs. It decides what sampling costs and not whether it is right,
// as the spread of a group's times is measured.
constexpr double kAlike = 0.1;

// A launch without an instruction takes time as well.
double sizeOf(u64 warpInstructions) { return static_cast<double>(std::max<u64>(1, warpInstructions)); }

}  // namespace

Sampled operator+(const Sampled& one, const Sampled& other) {
  return {one.cycles + other.cycles,
          one.launches + other.launches,
          one.timed + other.timed,
          one.groups + other.groups,
          one.unlike + other.unlike,
          one.besideOthers + other.besideOthers,
          one.notReplayable + other.notReplayable,
          one.leftToOthers + other.leftToOthers,
          one.otherwise + other.otherwise,
          one.warpInstructions + other.warpInstructions,
          one.timedWarpInstructions + other.timedWarpInstructions};
}

GroupId Groups::add(const Signature& signature) {
  double least = kAlike;
  u32 nearest = static_cast<u32>(groups_.size());
  for (u32 i = 0; i < groups_.size(); ++i) {
    const double unlike = difference(groups_[i].first, signature, least);
    if (unlike > least || (unlike == least && nearest != groups_.size())) continue;
    least = unlike;
    nearest = i;
  }
  if (nearest == groups_.size()) groups_.emplace_back().first = signature;
  Group& group = groups_[nearest];
  ++group.launches;
  group.warpInstructions += signature[Amount::warpInstructions];
  return GroupId(nearest);
}

bool Groups::mustTime(GroupId id) const {
  const Group& group = groups_[id];
  const u64 behindFirst = group.launches - 1;
  if (behindFirst == 0 || std::has_single_bit(behindFirst)) return true;
  return group.leftToOthers == 0 && !(group.whole().relativeError() <= error_);
}

void Groups::timed(GroupId id, const Signature& signature, const stats::Estimate& cycles, u64 instructionsInDetail) {
  Group& group = groups_[id];
  if (group.timed++ == 0) {
    group.ofFirst = cycles;
  } else {
    group.measured.push_back({sizeOf(signature[Amount::warpInstructions]), cycles});
  }
  if (cycles.isExact() && instructionsInDetail != signature[Amount::warpInstructions]) ++group.otherwise;
  group.timedInstructions += signature[Amount::warpInstructions];
  group.inDetail += instructionsInDetail;
}

stats::Estimate Groups::predict(GroupId id, const Signature& signature) const {
  return stats::predictRest(groups_[id].measured, sizeOf(signature[Amount::warpInstructions]));
}

stats::Estimate Groups::Group::whole() const {
  return ofFirst + stats::predictWhole(measured, isTimedWhole() ? 0 : sizeOf(warpInstructions - timedInstructions));
}

Sampled Groups::Group::sampled() const {
  return {.cycles = whole(),
          .launches = launches,
          .timed = timed,
          .groups = 1,
          .unlike = isTimedWhole() ? launches : 0,
          .leftToOthers = leftToOthers,
          .otherwise = otherwise,
          .warpInstructions = warpInstructions,
          .timedWarpInstructions = inDetail};
}

Sampled Groups::of(const std::string& kernel, const std::string& module) const {
  Sampled sum;
  for (const Group& group : groups_)
    if (group.first.kernel == kernel && group.first.module == module) sum = sum + group.sampled();
  return sum;
}

Sampled Groups::all() const {
  Sampled sum;
  for (const Group& group : groups_) sum = sum + group.sampled();
  return sum;
}

}  // namespace warpwright::sampling
