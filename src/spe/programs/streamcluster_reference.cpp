#include "spe/programs/streamcluster_reference.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::spe::streamcluster {

float Reference::wayTo(u32 point, u32 centre) const {
  const auto &from = block_.data[point].coordinates, &to = block_.data[centre].coordinates;
  float sum = 0;
  for (u32 d = 0; d < kDimensions; ++d) {
    const float difference = from[d] - to[d];
    sum = d == 0 ? difference * difference : std::fma(difference, difference, sum);
  }
  return sum * block_.points[point].weight;
}

float Reference::wayAcross(u32 point, u32 centre) const {
  const auto &from = block_.data[point].coordinates, &to = block_.data[centre].coordinates;
  std::array<float, 4> lanes{};
  for (u32 d = 0; d < kDimensions; ++d) {
    const float difference = from[d] - to[d];
    float& lane = lanes[d % 4];
    lane = d < 4 ? difference * difference : std::fma(difference, difference, lane);
  }
  return ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3])) * block_.points[point].weight;
}

Outcome Reference::speedy(const BlockOfPoints& block, const std::vector<float>& thresholds) {
  block_ = block;
  centres_.clear();
  for (u32 opened = 0; opened < block_.count; ++opened) {
    if (opened != 0 && !(block_.points[opened].cost > thresholds[opened])) continue;
    centres_.push_back(opened);
    for (u32 i = 0; i < block_.points.size(); ++i) {
      Point& point = block_.points[i];
      if (const float way = wayTo(i, opened); point.cost > way) {
        point.cost = way;
        point.centre = opened;
      }
    }
  }
  std::array<float, 4> sums{};
  for (u32 i = 0; i < block_.points.size(); ++i) sums[i % 4] += block_.points[i].cost;
  return {.ways = (sums[0] + sums[2]) + (sums[1] + sums[3]), .centres = static_cast<u32>(centres_.size())};
}

// What opening the candidate gains, if anything: it is opened then.
float Reference::tryCandidate(u32 candidate, float price) {
  std::vector<u32> slots(block_.points.size());
  for (u32 slot = 0; slot < centres_.size(); ++slot) slots[centres_[slot]] = slot;
  std::vector<float> savings(centres_.size());
  std::vector<bool> moves(block_.points.size());
  float saved = 0;
  for (u32 i = 0; i < block_.count; ++i) {
    const Point& point = block_.points[i];
    const float difference = point.cost - wayAcross(i, candidate);
    moves[i] = difference > 0;
    (moves[i] ? saved : savings[slots[point.centre]]) += difference;
  }
  float gain = saved - price;
  for (float& saving : savings) {
    saving += price;
    if (saving > 0) gain += saving;
  }
  if (!(gain > 0)) return 0;
  for (u32 i = 0; i < block_.count; ++i) moves[i] = moves[i] || savings[slots[block_.points[i].centre]] > 0;
  std::vector<u32> kept;
  for (u32 slot = 0; slot < centres_.size(); ++slot)
    if (!(savings[slot] > 0)) kept.push_back(centres_[slot]);
  centres_ = kept;
  open(candidate, moves);
  return gain;
}

void Reference::open(u32 candidate, const std::vector<bool>& moves) {
  centres_.push_back(candidate);
  for (u32 i = 0; i < block_.points.size(); ++i) {
    if (!moves[i]) continue;
    block_.points[i].cost = wayTo(i, candidate);
    block_.points[i].centre = candidate;
  }
}

Outcome Reference::refine(float price, const std::vector<u32>& candidates) {
  Outcome outcome;
  for (const u32 candidate : candidates) outcome.gained += tryCandidate(candidate, price);
  outcome.centres = static_cast<u32>(centres_.size());
  return outcome;
}

}  // namespace warpwright::spe::streamcluster
