#include "sampling/groups.hpp"

#include <algorithm>
#include <numbers>

namespace warpwright::sampling {
namespace {

// Chosen: launches are alike of which no more than a tenth of anything differs. It decides what sampling costs and not whether it is right,
// as the spread of a group's times is measured.
constexpr double kAlike = 0.1;

// A launch without an instruction takes time as well.
double sizeOf(const Signature& launch) { return static_cast<double>(std::max<u64>(1, launch[Amount::warpInstructions])); }

// The first, sixth, twenty-ninth, 122nd …, each 4.24 times as far as the one before: by the third power of the golden ratio, which gives
// odd and even ones in turn, as programs swap their buffers from launch to launch. And the second, as of one alone no spread is known.
bool isOfSparseRow(u64 number) {
  constexpr double kStep = 2 * std::numbers::phi + 1;
  if (number == 2) return true;
  double next = std::numbers::phi;
  while (static_cast<u64>(next) < number) next *= kStep;
  return static_cast<u64>(next) == number;
}

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
  group.behindLast += sizeOf(signature);
  return GroupId(nearest);
}

bool Groups::mustTime(GroupId id) const {
  const Group& group = groups_[id];
  const u64 behindFirst = group.launches - 1;
  if (behindFirst == 0 || isOfSparseRow(behindFirst)) return true;
  return group.leftToOthers == 0 && !(group.whole().relativeError() <= error_);
}

void Groups::timed(GroupId id, const Signature& signature, const stats::Estimate& cycles, u64 instructionsInDetail) {
  Group& group = groups_[id];
  if (group.timed++ == 0) {
    group.ofFirst = cycles;
    group.behindLast -= sizeOf(signature);
  } else {
    group.measure(sizeOf(signature), cycles);
  }
  if (cycles.isExact() && instructionsInDetail != signature[Amount::warpInstructions]) ++group.otherwise;
  group.inDetail += instructionsInDetail;
}

void Groups::Group::measure(double size, const stats::Estimate& cycles) {
  const double between = behindLast - size;
  behindLast = 0;
  if (measured.empty()) {
    measured.push_back({{size, cycles}, between});
    return;
  }
  measured.back().others += between / 2;
  measured.push_back({{size, cycles}, between / 2});
}

stats::Estimate Groups::predict(GroupId id, const Signature& signature) const {
  std::vector<stats::Representative> seen = groups_[id].measured;
  if (seen.empty()) return stats::predictRest({}, sizeOf(signature));
  for (stats::Representative& each : seen) each.others = 0;
  seen.back().others = sizeOf(signature);
  return stats::predictOthers(seen);
}

stats::Estimate Groups::Group::whole() const {
  if (measured.empty()) return ofFirst + stats::predictRest({}, behindLast);
  std::vector<stats::Representative> all = measured;
  all.back().others += behindLast;
  return ofFirst + stats::predictWhole(all);
}

Sampled Groups::Group::sampled() const {
  return {.cycles = whole(),
          .launches = launches,
          .timed = timed,
          .groups = 1,
          .unlike = timed == launches ? launches : 0,
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
