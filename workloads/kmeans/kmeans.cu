// k-means clustering (Lloyd 1982): `kmeansInvert` turns the points from rows into columns, so that neighbouring threads read
// neighbouring words; `kmeansAssign` finds the nearest centre of each point, the centres lying in constant memory. The host moves
// the centres to the mean of their points, until no point changes or the steps are used up.
#include <algorithm>
#include <cmath>
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

// What the monitor of a network writes of connections: their length and bytes, counters and flags of which nearly all are zero, how many
// others there were like it, and shares of these in hundredths. A flood of one kind of packet is the same record again and again. Shares of
// the kinds as in the records of the KDD Cup 1999, which Rodinia's program clusters (its tenth has 494,021: 57 % "smurf", 22 % "neptune",
// 20 % normal).
class Connections {
 public:
  explicit Connections(Random& random) : random_(random) {}

  std::vector<float> record() {
    const unsigned kind = random_.below(100);
    if (kind < 57) return packetFlood();
    return kind < 79 ? openingFlood() : usual();
  }

 private:
  enum Feature {
    seconds,
    bytesSent,
    bytesReceived,
    firstCounter,
    loggedIn = 8,
    others = 19,
    othersOfService,
    firstRate,
    hostOthers = 26,
    hostOthersOfService,
    firstHostRate
  };

  float rate(unsigned percent) { return float(percent) / 100.0f; }

  std::vector<float> packetFlood() {
    std::vector<float> record(kFeatures, 0.0f);
    record[bytesSent] = random_.below(5) == 0 ? 520.0f : 1032.0f;
    record[others] = record[othersOfService] = random_.below(8) == 0 ? float(random_.below(512)) : 511.0f;
    record[firstRate + 4] = 1.0f;
    record[hostOthers] = record[hostOthersOfService] = 255.0f;
    record[firstHostRate] = record[firstHostRate + 2] = 1.0f;
    return record;
  }

  // Connections that are opened and never used.
  std::vector<float> openingFlood() {
    std::vector<float> record(kFeatures, 0.0f);
    record[others] = float(100 + random_.below(200));
    record[othersOfService] = float(1 + random_.below(20));
    record[firstRate] = record[firstRate + 1] = 1.0f;
    record[firstRate + 4] = rate(random_.below(15));
    record[hostOthers] = 255.0f;
    record[hostOthersOfService] = float(1 + random_.below(20));
    record[firstHostRate] = rate(random_.below(10));
    record[firstHostRate + 1] = rate(5 + random_.below(4));
    record[firstHostRate + 4] = record[firstHostRate + 5] = 1.0f;
    return record;
  }

  std::vector<float> usual() {
    std::vector<float> record(kFeatures, 0.0f);
    record[seconds] = random_.below(8) == 0 ? float(random_.below(60)) : 0.0f;
    record[bytesSent] = float(150 + random_.below(250));
    record[bytesReceived] = std::round(200.0f * std::exp(1.5f * random_.normal()));
    if (random_.below(50) == 0) record[firstCounter + random_.below(others - firstCounter)] = float(1 + random_.below(3));
    record[loggedIn] = 1.0f;
    record[others] = float(1 + random_.below(20));
    record[othersOfService] = record[others] + float(random_.below(6));
    record[firstRate + 4] = 1.0f;
    record[hostOthers] = float(random_.below(256));
    record[hostOthersOfService] = random_.below(3) == 0 ? float(random_.below(256)) : 255.0f;
    record[firstHostRate] = 1.0f;
    for (int i = 1; i < 4; ++i) record[firstHostRate + i] = rate(random_.below(12));
    return record;
  }

  Random& random_;
};

std::vector<float> makePoints(int count, Random& random) {
  Connections connections(random);
  std::vector<float> points;
  for (int point = 0; point < count; ++point) {
    const std::vector<float> record = connections.record();
    points.insert(points.end(), record.begin(), record.end());
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
