// k-means clustering (Lloyd 1982) as Mars does it (He et al., PACT 2008), with the MapReduce of common/map_reduce.hpp. Map: one thread
// a point finds the nearest centre and emits the centre's number and the point. Records are grouped by centre. Reduce: one thread a
// centre emits its number and the mean of its points. Points have three whole coordinates, so that both sides agree exactly.
#include <array>

#include "../common/map_reduce.hpp"
#include "../common/workload.hpp"

using namespace workloads;

constexpr int kDimensions = 3;
constexpr int kPointBytes = kDimensions * sizeof(int);
constexpr int kClusters = 24;
constexpr int kSteps = 3;
constexpr int kExtent = 8192;  // of the space along each axis: squared distances stay below 2^28

__global__ void kmeansMapCount(int count, int* keyBytes, int* valueBytes, int* records) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  keyBytes[point] = sizeof(int);
  valueBytes[point] = kPointBytes;
  records[point] = 1;
}

__global__ void kmeansMap(const int* points, const int* centres, int count, const int* keyAt, const int* valueAt, const int* recordAt,
                          Byte* keys, Byte* values, Entry* directory) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  Emitter out(keys, values, directory, keyAt[point], valueAt[point], recordAt[point]);
  const int* own = points + point * kDimensions;
  int nearest = 0, nearestDistance = 0x7fffffff;
  for (int cluster = 0; cluster < kClusters; ++cluster) {
    int distance = 0;
    for (int axis = 0; axis < kDimensions; ++axis) {
      const int difference = own[axis] - centres[cluster * kDimensions + axis];
      distance += difference * difference;
    }
    if (distance >= nearestDistance) continue;
    nearestDistance = distance;
    nearest = cluster;
  }
  *reinterpret_cast<int*>(out.key()) = nearest;
  for (int axis = 0; axis < kDimensions; ++axis) reinterpret_cast<int*>(out.value())[axis] = own[axis];
  out.emit(sizeof(int), kPointBytes);
}

__global__ void kmeansReduceCount(int groups, int* keyBytes, int* valueBytes, int* records) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups) return;
  keyBytes[group] = sizeof(int);
  valueBytes[group] = kPointBytes;
  records[group] = 1;
}

__global__ void kmeansReduce(const Byte* mappedKeys, const Byte* mappedValues, const Entry* mapped, const int* starts, int groups,
                             const int* keyAt, const int* valueAt, const int* recordAt, Byte* keys, Byte* values, Entry* directory) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups) return;
  Emitter out(keys, values, directory, keyAt[group], valueAt[group], recordAt[group]);
  long long sums[kDimensions] = {};
  for (int record = starts[group]; record < starts[group + 1]; ++record) {
    const int* point = reinterpret_cast<const int*>(mappedValues + mapped[record].valueOffset);
    for (int axis = 0; axis < kDimensions; ++axis) sums[axis] += point[axis];
  }
  const int size = starts[group + 1] - starts[group];
  *reinterpret_cast<int*>(out.key()) = *reinterpret_cast<const int*>(mappedKeys + mapped[starts[group]].keyOffset);
  for (int axis = 0; axis < kDimensions; ++axis) reinterpret_cast<int*>(out.value())[axis] = int(sums[axis] / size);
  out.emit(sizeof(int), kPointBytes);
}

// Centres without points stay where they are.
void stepOnDevice(const DeviceArray<int>& points, std::vector<int>& centres) {
  const int count = int(points.size()) / kDimensions, blocks = divideUp(count, kMapThreads);
  const DeviceArray<int> deviceCentres(centres);
  Emissions mapRoom(count);
  kmeansMapCount<<<blocks, kMapThreads>>>(count, mapRoom.keyBytes.data(), mapRoom.valueBytes.data(), mapRoom.records.data());
  mapRoom.sum();
  const Records mapped(mapRoom);
  kmeansMap<<<blocks, kMapThreads>>>(points.data(), deviceCentres.data(), count, mapRoom.keyBytes.data(), mapRoom.valueBytes.data(),
                                     mapRoom.records.data(), mapped.keys.data(), mapped.values.data(), mapped.directory.data());
  mapped.sort<NumberOrder>();
  const Groups groups = Groups::of(mapped, NumberOrder());
  const int reduceBlocks = divideUp(groups.count, kMapThreads);
  Emissions room(groups.count);
  kmeansReduceCount<<<reduceBlocks, kMapThreads>>>(groups.count, room.keyBytes.data(), room.valueBytes.data(), room.records.data());
  room.sum();
  const Records reduced(room);
  kmeansReduce<<<reduceBlocks, kMapThreads>>>(mapped.keys.data(), mapped.values.data(), mapped.directory.data(), groups.starts.data(),
                                              groups.count, room.keyBytes.data(), room.valueBytes.data(), room.records.data(),
                                              reduced.keys.data(), reduced.values.data(), reduced.directory.data());
  finishKernels();
  const HostRecords means(reduced);
  for (int record = 0; record < means.count; ++record) {
    const auto mean = means.value<std::array<int, kDimensions>>(record);
    std::copy(mean.begin(), mean.end(), centres.begin() + means.key<int>(record) * kDimensions);
  }
}

void referenceStep(const std::vector<int>& points, std::vector<int>& centres) {
  std::vector<long long> sums(centres.size(), 0);
  std::vector<int> sizes(kClusters, 0);
  for (size_t point = 0; point < points.size(); point += kDimensions) {
    std::vector<int> distances(kClusters, 0);
    for (size_t i = 0; i < centres.size(); ++i) {
      const int difference = points[point + i % kDimensions] - centres[i];
      distances[i / kDimensions] += difference * difference;
    }
    const int nearest = int(std::min_element(distances.begin(), distances.end()) - distances.begin());
    ++sizes[nearest];
    for (int axis = 0; axis < kDimensions; ++axis) sums[nearest * kDimensions + axis] += points[point + axis];
  }
  for (size_t i = 0; i < centres.size(); ++i)
    if (sizes[i / kDimensions] != 0) centres[i] = int(sums[i] / sizes[i / kDimensions]);
}

// Clouds of unequal size and width, as places on a map have; a coordinate is the sum of four draws, which is nearly normal.
std::vector<int> makePoints(int count, Random& random) {
  constexpr int kClouds = 17;
  std::vector<int> middles(kClouds * kDimensions), points;
  for (int& middle : middles) middle = kExtent / 8 + random.below(kExtent * 3 / 4);
  for (int point = 0; point < count; ++point) {
    const int cloud = std::min(random.below(kClouds), random.below(kClouds));
    const int width = kExtent / 64 * (1 + cloud % 4);
    for (int axis = 0; axis < kDimensions; ++axis) {
      int coordinate = middles[cloud * kDimensions + axis] - 2 * width;
      for (int draw = 0; draw < 4; ++draw) coordinate += random.below(width);
      points.push_back(coordinate);
    }
  }
  return points;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"mapreduce-kmeans",
                                        "k-means clustering by MapReduce, 3 coordinates, 24 clusters, 3 steps",
                                        "1,901 points",
                                        "20,011 points",
                                        "1,000,003 points",
                                        {}});
  Random random(50);
  const std::vector<int> points = makePoints(options.pick(1'901, 20'011, 1'000'003), random);
  std::vector<int> centres(points.begin(), points.begin() + kClusters * kDimensions);  // at first, the first points
  std::vector<int> expected = centres;
  const DeviceArray<int> devicePoints(points);
  Timings timings;
  timings.kernels([&] {
    for (int step = 0; step < kSteps; ++step) stepOnDevice(devicePoints, centres);
  });
  timings.reference([&] {
    for (int step = 0; step < kSteps; ++step) referenceStep(points, expected);
  });
  timings.print();
  return report("mapreduce-kmeans", expectEqual("centres", expected, centres));
}
