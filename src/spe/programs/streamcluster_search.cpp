#include "spe/programs/streamcluster_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

namespace warpwright::spe::streamcluster {
namespace {

constexpr u32 kBlockPoints = 256;
constexpr u32 kFewestCentres = 5, kMostCentres = 10;
constexpr u32 kTold = 8;  // clusters that points are drawn around

// Knuth's linear congruential generator, of whose words the upper half is used: the same numbers on all machines.
class Random {
 public:
  float uniform() { return static_cast<float>(next() >> 8) * 0x1p-24f; }
  u32 below(u32 end) { return static_cast<u32>(u64{next()} * end >> 32); }
  template <typename Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t left = values.size(); left > 1; --left) std::swap(values[left - 1], values[below(static_cast<u32>(left))]);
  }

 private:
  u32 next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<u32>(state_ >> 32);
  }
  u64 state_ = 2011;
};

struct Weighted {
  PointData data;
  float weight = 1;
};

// Around clusters of several sizes, near their middles more than far off.
std::vector<Weighted> stream(Random& random, u32 count) {
  std::array<PointData, kTold> middles;
  for (PointData& middle : middles)
    for (float& x : middle.coordinates) x = 100 * random.uniform();
  std::vector<Weighted> points(count);
  for (Weighted& point : points) {
    const PointData& middle = middles[std::max(random.below(kTold), random.below(kTold))];
    for (u32 d = 0; d < kDimensions; ++d)
      point.data.coordinates[d] = middle.coordinates[d] + 16 * (random.uniform() + random.uniform() + random.uniform() - 1.5f);
  }
  return points;
}

// The clusters of some points: prices of a centre are tried until there are neither too few nor too many.
class Search {
 public:
  Search(Engine& engine, Random& random, const std::vector<Weighted>& given)
      : engine_(engine), random_(random), given_(given), order_(given.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
  }

  void run() {
    random_.shuffle(order_);
    highest_ = engine_.speedy(block(), std::vector<float>(given_.size(), kFarAway)).ways;
    price_ = highest_ / 2;
    openEnough();
    drawCandidates();
    while (true) {
      refine(0.1);
      if (centres_ + 2 >= kFewestCentres && centres_ <= kMostCentres + 2) refine(0.001);
      if ((centres_ >= kFewestCentres && centres_ <= kMostCentres) || lowest_ >= 0.999 * highest_) return;
      changePrice();
    }
  }

  double cost() const { return ways_ + price_ * centres_; }
  u32 centres() const { return centres_; }

 private:
  // In their present order.
  BlockOfPoints block() const {
    BlockOfPoints block{.count = static_cast<u32>(order_.size())};
    for (const u32 number : order_) {
      block.data.push_back(given_[number].data);
      block.points.push_back({.weight = given_[number].weight, .number = number});
    }
    while (block.points.size() % 4 != 0) {
      block.data.emplace_back();
      block.points.emplace_back();
    }
    return block;
  }

  // Cheaper centres are more.
  void openEnough() {
    while (true) {
      random_.shuffle(order_);
      std::vector<float> thresholds(order_.size());
      for (float& threshold : thresholds) threshold = random_.uniform() * static_cast<float>(price_);
      const Outcome outcome = engine_.speedy(block(), thresholds);
      ways_ = outcome.ways;
      centres_ = outcome.centres;
      if (centres_ >= kFewestCentres || centres_ == order_.size()) return;
      changePrice();
    }
  }

  // The heavier, the likelier: 3 k ln k of them, so that each cluster has one with high probability.
  void drawCandidates() {
    const auto wanted = static_cast<std::size_t>(3 * kFewestCentres * std::log(kFewestCentres));
    if (order_.size() <= wanted) {
      candidates_.resize(order_.size());
      std::iota(candidates_.begin(), candidates_.end(), 0u);
      return;
    }
    std::vector<double> until;
    double sum = 0;
    for (const u32 number : order_) until.push_back(sum += static_cast<double>(given_[number].weight));
    while (candidates_.size() < wanted) {
      const double drawn = static_cast<double>(random_.uniform()) * sum;
      candidates_.push_back(static_cast<u32>(std::ranges::upper_bound(until, drawn) - until.begin()));
    }
  }

  // Until a round gains no more than this part of the cost.
  void refine(double enough) {
    const auto tries = static_cast<std::size_t>(3 * kMostCentres * std::log(kMostCentres));
    while (true) {
      random_.shuffle(candidates_);
      std::vector<u32> round;
      for (std::size_t i = 0; i < tries; ++i) round.push_back(candidates_[i % candidates_.size()]);
      const double before = cost();
      const Outcome outcome = engine_.refine(static_cast<float>(price_), round);
      const double after = before - static_cast<double>(outcome.gained);
      centres_ = outcome.centres;
      ways_ = after - price_ * centres_;
      if (static_cast<double>(outcome.gained) <= enough * after) return;
    }
  }

  void changePrice() {
    (centres_ < kFewestCentres ? highest_ : lowest_) = price_;
    price_ = (lowest_ + highest_) / 2;
  }

  Engine& engine_;
  Random& random_;
  const std::vector<Weighted>& given_;
  std::vector<u32> order_, candidates_;
  double lowest_ = 0, highest_ = 0, price_ = 0, ways_ = 0;
  u32 centres_ = 0;
};

// The mean of each cluster, with the weight of its points.
std::vector<Weighted> means(const std::vector<Weighted>& given, const std::vector<Point>& points) {
  std::map<u32, Weighted> clusters;
  for (const Point& point : points) {
    Weighted& cluster = clusters.try_emplace(point.centre, Weighted{.data = {}, .weight = 0}).first->second;
    cluster.weight += point.weight;
    for (u32 d = 0; d < kDimensions; ++d) cluster.data.coordinates[d] += point.weight * given[point.number].data.coordinates[d];
  }
  std::vector<Weighted> result;
  for (auto& [centre, cluster] : clusters) {
    for (float& x : cluster.data.coordinates) x /= cluster.weight;
    result.push_back(cluster);
  }
  return result;
}

std::vector<Weighted> clustersOf(Engine& engine, Random& random, const std::vector<Weighted>& given, Result& result) {
  Search search(engine, random, given);
  search.run();
  std::vector<Point> points = engine.points();
  points.resize(given.size());
  result.push_back(search.centres());
  result.push_back(std::bit_cast<u32>(static_cast<float>(search.cost())));
  for (const Point& point : points) {
    result.push_back(point.number);
    result.push_back(point.centre);
    result.push_back(std::bit_cast<u32>(point.cost));
  }
  return means(given, points);
}

}  // namespace

Result clustered(Engine& engine, u32 points) {
  Random random;
  const std::vector<Weighted> all = stream(random, points);
  Result result;
  std::vector<Weighted> intermediate;
  for (auto begin = all.begin(); begin != all.end(); begin += kBlockPoints)
    for (const Weighted& centre : clustersOf(engine, random, {begin, begin + kBlockPoints}, result)) intermediate.push_back(centre);
  for (const Weighted& centre : clustersOf(engine, random, intermediate, result))
    for (const float x : centre.data.coordinates) result.push_back(std::bit_cast<u32>(x));
  return result;
}

}  // namespace warpwright::spe::streamcluster
