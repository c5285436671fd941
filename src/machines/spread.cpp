#include "machines/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpwright::machines {
namespace {

constexpr double kTurn = std::numbers::phi - 1;

std::vector<u64> slotsInTurn(u64 slots) {
  std::vector<u64> order;
  std::vector<bool> isTaken(slots);
  for (double place = 0.5; order.size() < slots; place = std::fmod(place + kTurn, 1)) {
    auto slot = static_cast<u64>(place * static_cast<double>(slots));
    while (isTaken[slot]) slot = (slot + 1) % slots;
    order.push_back(slot);
    isTaken[slot] = true;
  }
  return order;
}

// When the machine had been filled so many times; null: it was not, or twice in one quantum.
const Fill* fillAt(const std::vector<Fill>& fills, u64 number, u64 places) {
  const auto found =
      std::lower_bound(fills.begin(), fills.end(), number * places, [](const Fill& fill, u64 ended) { return fill.ended < ended; });
  return found != fills.end() && found->ended / places == number ? &*found : nullptr;
}

stats::Measurement fromTo(const Fill& from, const Fill& to, const BlockWork& work) {
  return {static_cast<double>(work.upTo(to.ended) - work.upTo(from.ended)), {static_cast<double>(to.time - from.time)}};
}

}  // namespace

stats::Estimate MeasuredParts::predictRest(double work) const {
  const stats::Estimate byParts = stats::predictRest(parts, work);
  if (pieces.empty()) return byParts;
  const stats::Estimate byPieces = stats::predictRest(pieces, work);
  return byPieces.error() > byParts.error() ? byPieces : byParts;
}

exec::BlockOrder spreadOrder(u64 blocks, u64 places) {
  const u64 head = kHeadFills * places, length = kStretchFills * places;
  const u64 slots = (blocks - head) / length, end = head + slots * length;
  std::vector<exec::BlockOrder::Stretch> stretches{{0, head}};
  for (const u64 slot : slotsInTurn(slots)) stretches.push_back({head + slot * length, length});
  if (end != blocks) stretches.push_back({end, blocks - end});
  return exec::BlockOrder(std::move(stretches));
}

MeasuredParts measuredStretches(const std::vector<Fill>& fills, const BlockWork& work) {
  MeasuredParts sample;
  if (fills.empty()) return sample;
  const u64 places = work.places();
  const Fill* before = fillAt(fills, kHeadFills - 1, places);
  for (u64 number = kHeadFills; number * places <= fills.back().ended; number += kStretchFills) {
    const Fill* const first = fillAt(fills, number + 1, places);
    const Fill* const last = fillAt(fills, number + kStretchFills - 1, places);
    if (before && first) {
      const stats::Measurement between = fromTo(*before, *first, work);
      sample.workBetween += between.size;
      sample.cyclesBetween += between.value.value;
    }
    before = last;
    if (!first || !last) continue;
    sample.parts.push_back(fromTo(*first, *last, work));
    for (const Fill* fill = first; fill != last; ++fill) sample.pieces.push_back(fromTo(*fill, *(fill + 1), work));
  }
  return sample;
}

}  // namespace warpwright::machines
