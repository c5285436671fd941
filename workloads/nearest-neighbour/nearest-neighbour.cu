// The ten records nearest to a place: one thread per record computes its distance, the host picks the smallest (the k-nearest
// neighbours of Rodinia). Records are positions of storms, latitude and longitude next to each other.
#include <algorithm>
#include <numeric>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 256;
constexpr int kNeighbours = 10;
constexpr float kLatitude = 30.0f, kLongitude = 90.0f;

__global__ void euclideanDistance(const float2* places, float* distances, int records, float latitude, float longitude) {
  const int record = blockIdx.x * blockDim.x + threadIdx.x;
  if (record >= records) return;
  const float2 place = places[record];
  const float north = place.x - latitude, east = place.y - longitude;
  distances[record] = sqrtf(north * north + east * east);
}

// The storms' tracks: each storm drifts north-west in steps of six hours.
std::vector<float2> makeTracks(int records, Random& random) {
  constexpr int kFixesPerTrack = 40;
  std::vector<float2> places(records);
  for (int i = 0; i < records; ++i) {
    const bool newStorm = i % kFixesPerTrack == 0;
    if (newStorm) places[i] = {random.uniform(7.0f, 20.0f), random.uniform(15.0f, 100.0f)};
    if (!newStorm) places[i] = {places[i - 1].x + random.uniform(0.0f, 1.2f), places[i - 1].y + random.uniform(-0.3f, 1.5f)};
  }
  return places;
}

void referenceDistances(const std::vector<float2>& places, std::vector<float>& distances) {
  for (size_t i = 0; i < places.size(); ++i) {
    const float north = places[i].x - kLatitude, east = places[i].y - kLongitude;
    distances[i] = std::sqrt(north * north + east * east);
  }
}

// The indices of the nearest records, nearest first; of equal ones, the first.
std::vector<int> nearest(const std::vector<float>& distances) {
  std::vector<int> order(distances.size());
  std::iota(order.begin(), order.end(), 0);
  const auto closer = [&](int a, int b) { return distances[a] != distances[b] ? distances[a] < distances[b] : a < b; };
  std::partial_sort(order.begin(), order.begin() + kNeighbours, order.end(), closer);
  order.resize(kNeighbours);
  return order;
}

std::vector<float> gather(const std::vector<float>& values, const std::vector<int>& indices) {
  std::vector<float> picked;
  for (int index : indices) picked.push_back(values[index]);
  return picked;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"nearest-neighbour",
                                        "the ten nearest of many places, one thread per place",
                                        "5,003 records",
                                        "42,764 records",
                                        "1,000,000 records",
                                        {}});
  const int records = options.pick(5'003, 42'764, 1'000'000);

  Random random(17);
  const std::vector<float2> places = makeTracks(records, random);
  std::vector<float> expected(records);

  Timings timings;
  const DeviceArray<float2> devicePlaces(places);
  const DeviceArray<float> distances(records);
  timings.kernels([&] {
    euclideanDistance<<<divideUp(records, kThreads), kThreads>>>(devicePlaces.data(), distances.data(), records, kLatitude, kLongitude);
  });
  timings.reference([&] { referenceDistances(places, expected); });
  timings.print();

  // Two squares, their sum and the root round at most four times on either side, and the root halves errors made before it.
  constexpr float kTolerance = 4 * 0x1p-24f;
  const std::vector<float> got = distances.download();
  bool correct = expectNear("distance", expected, got, kTolerance, 0.0f);
  // Records that are equally far up to rounding may change places; what they have in common is the distance.
  const std::vector<int> order = nearest(got), expectedOrder = nearest(expected);
  correct = expectNear("nearest", gather(expected, expectedOrder), gather(expected, order), 2 * kTolerance, 0.0f) && correct;
  return report("nearest-neighbour", correct);
}
