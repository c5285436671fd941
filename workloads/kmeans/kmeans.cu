// k-means clustering (Lloyd 1982): `kmeansInvert` turns the points from rows into columns, so that neighbouring threads read
// neighbouring words; `kmeansAssign` finds the nearest centre of each point, the centres lying in constant memory. The host moves
// the centres to the mean of their points, until no point changes or the steps are used up.
#include <algorithm>
#include <limits>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 256;
constexpr int kFeatures = 34;
constexpr int kClusters = 5;
constexpr int kMaximumSteps = 10;

__constant__ float centres[kClusters * kFeatures];

__global__ void kmeansInvert(const float* points, float* features, int count) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  for (int feature = 0; feature < kFeatures; ++feature) features[feature * count + point] = points[point * kFeatures + feature];
}

__global__ void kmeansAssign(const float* features, int* membership, int count) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  int nearest = 0;
  float nearestDistance = 3.4e38f;
  for (int cluster = 0; cluster < kClusters; ++cluster) {
    float distance = 0.0f;
    for (int feature = 0; feature < kFeatures; ++feature) {
      const float difference = features[feature * count + point] - centres[cluster * kFeatures + feature];
      distance += difference * difference;
    }
    if (distance < nearestDistance) {
      nearestDistance = distance;
      nearest = cluster;
    }
  }
  membership[point] = nearest;
}

// Squared.
float referenceDistance(const float* point, const float* centre) {
  float distance = 0.0f;
  for (int feature = 0; feature < kFeatures; ++feature) {
    const float difference = point[feature] - centre[feature];
    distance += difference * difference;
  }
  return distance;
}

void referenceAssign(const std::vector<float>& points, const std::vector<float>& middle, std::vector<int>& membership) {
  for (size_t point = 0; point < membership.size(); ++point) {
    float nearestDistance = std::numeric_limits<float>::max();
    for (int cluster = 0; cluster < kClusters; ++cluster) {
      const float distance = referenceDistance(&points[point * kFeatures], &middle[cluster * kFeatures]);
      if (distance >= nearestDistance) continue;
      nearestDistance = distance;
      membership[point] = cluster;
    }
  }
}

// The means of the points of each cluster; an empty cluster keeps its centre.
std::vector<float> moveCentres(const std::vector<float>& points, const std::vector<int>& membership, const std::vector<float>& old) {
  std::vector<double> sums(old.size(), 0.0);
  std::vector<int> sizes(kClusters, 0);
  for (size_t point = 0; point < membership.size(); ++point) {
    const int cluster = membership[point];
    ++sizes[cluster];
    for (int feature = 0; feature < kFeatures; ++feature) sums[cluster * kFeatures + feature] += points[point * kFeatures + feature];
  }
  std::vector<float> moved = old;
  for (size_t i = 0; i < moved.size(); ++i)
    if (sizes[i / kFeatures] != 0) moved[i] = float(sums[i] / sizes[i / kFeatures]);
  return moved;
}

// Both sides assign by the same centres. Where they differ, the two clusters must be equally far up to rounding: a squared
// distance adds positive terms only, each rounded at most kFeatures + 3 times by 2^-24, and two distances of either side are
// compared.
bool checkAssignment(const std::vector<float>& points, const std::vector<float>& middle, const std::vector<int>& expected,
                     const std::vector<int>& got) {
  constexpr float kTolerance = 4 * (kFeatures + 3) * 0x1p-24f;
  std::vector<float> nearest(got.size()), chosen(got.size());
  for (size_t point = 0; point < got.size(); ++point) {
    if (got[point] < 0 || got[point] >= kClusters) return expectEqual("membership", expected, got);
    nearest[point] = referenceDistance(&points[point * kFeatures], &middle[expected[point] * kFeatures]);
    chosen[point] = referenceDistance(&points[point * kFeatures], &middle[got[point] * kFeatures]);
  }
  return expectNear("distance to the chosen centre", nearest, chosen, kTolerance, 0.0f);
}

// Overlapping clouds of points of unequal size around more places than there are clusters.
std::vector<float> makePoints(int count, Random& random) {
  constexpr int kClouds = 8;
  const std::vector<float> places = uniformFloats(random, kClouds * kFeatures, 0.0f, 100.0f);
  std::vector<float> points(size_t(count) * kFeatures);
  for (int point = 0; point < count; ++point) {
    const int cloud = std::min(random.below(kClouds), random.below(kClouds));
    for (int feature = 0; feature < kFeatures; ++feature)
      points[size_t(point) * kFeatures + feature] = places[cloud * kFeatures + feature] + random.uniform(-40.0f, 40.0f);
  }
  return points;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"kmeans",
                                        "k-means clustering, 34 features, 5 clusters, centres in constant memory",
                                        "3,001 points",
                                        "30,001 points",
                                        "494,020 points",
                                        {}});
  const int count = options.pick(3'001, 30'001, 494'020);
  const int blocks = divideUp(count, kThreads);

  Random random(20);
  const std::vector<float> points = makePoints(count, random);
  std::vector<float> middle(points.begin(), points.begin() + kClusters * kFeatures);  // at first, the first points

  Timings timings;
  const DeviceArray<float> devicePoints(points), features(points.size());
  const DeviceArray<int> deviceMembership(count);
  timings.kernels([&] { kmeansInvert<<<blocks, kThreads>>>(devicePoints.data(), features.data(), count); });

  bool correct = true;
  std::vector<int> membership(count, -1), expected(count);
  for (int step = 0; correct && step < kMaximumSteps; ++step) {
    WORKLOAD_CHECK(cudaMemcpyToSymbol(centres, middle.data(), middle.size() * sizeof(float)));
    timings.kernels([&] { kmeansAssign<<<blocks, kThreads>>>(features.data(), deviceMembership.data(), count); });
    timings.reference([&] { referenceAssign(points, middle, expected); });
    const std::vector<int> got = deviceMembership.download();
    correct = checkAssignment(points, middle, expected, got);
    if (got == membership) break;
    membership = got;
    if (correct) middle = moveCentres(points, membership, middle);
  }
  timings.print();
  return report("kmeans", correct);
}
