// The ten records nearest to a place: one thread per record computes its distance, the host picks the smallest (the k-nearest
// neighbours of Rodinia). Records are positions of storms, latitude and longitude next to each other. In the variant `text` a record is
// 32 bytes of text, as in the first of Rodinia's programs (Che et al.: "Rodinia: A Benchmark Suite for Heterogeneous Computing", IISWC
// 2009): neighbouring threads read bytes that are 32 apart, and each thread all of its record.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>

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

// A record of text, 32 bytes with the newline: year, month and day; hour; name; latitude; longitude.
//   861023 06 GILBERTO   23.7  85.1
constexpr int kDate = 0, kHour = 7, kName = 10, kLatitudeAt = 21, kLongitudeAt = 26, kNewline = 31, kRecordBytes = 32;
constexpr float kNowhere = 1e30f;  // the distance of a record without a place

// The checks look at all bytes, whatever the first ones are, so that they need no branches.
template <int kFirst, int kEnd>
__device__ inline bool areDigits(const char* record) {
  bool digits = true;
#pragma unroll
  for (int i = kFirst; i < kEnd; ++i) digits &= record[i] >= '0' && record[i] <= '9';
  return digits;
}

template <int kFirst, int kEnd>
__device__ inline bool isName(const char* record) {
  bool name = true;
#pragma unroll
  for (int i = kFirst; i < kEnd; ++i) name &= record[i] == ' ' || (record[i] >= 'A' && record[i] <= 'Z');
  return name;
}

// A number with one digit after the point, and blanks before it.
template <int kFirst, int kEnd>
__device__ inline float parseNumber(const char* record, bool& valid) {
  int tenths = 0;
#pragma unroll
  for (int i = kFirst; i < kEnd; ++i) {
    const char c = record[i];
    if (i == kEnd - 2) {
      valid &= c == '.';
      continue;
    }
    const bool blank = c == ' ', digit = c >= '0' && c <= '9';
    valid &= digit || (blank && tenths == 0 && i < kEnd - 3);
    tenths = 10 * tenths + (digit ? c - '0' : 0);
  }
  return float(tenths) / 10.0f;
}

__global__ void euclideanDistanceText(const char* text, float* distances, int records, float latitude, float longitude) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= records) return;
  const char* record = text + index * kRecordBytes;
  bool valid = areDigits<kDate, kHour - 1>(record) & areDigits<kHour, kName - 1>(record) & isName<kName, kLatitudeAt - 1>(record);
  valid &= record[kHour - 1] == ' ' && record[kName - 1] == ' ' && record[kNewline] == '\n';
  valid &= record[kLatitudeAt - 1] == ' ' && record[kLongitudeAt - 1] == ' ';
  const float north = parseNumber<kLatitudeAt, kLongitudeAt - 1>(record, valid) - latitude;
  const float east = parseNumber<kLongitudeAt, kNewline>(record, valid) - longitude;
  distances[index] = valid ? sqrtf(north * north + east * east) : kNowhere;
}

// The storms' tracks, in tenths of a degree: each storm drifts north-west in steps of six hours.
std::vector<float2> makeTracks(int records, Random& random) {
  constexpr int kFixesPerTrack = 40;
  std::vector<float2> places(records);
  for (int i = 0; i < records; ++i) {
    const bool newStorm = i % kFixesPerTrack == 0;
    if (newStorm) places[i] = {random.uniform(7.0f, 20.0f), random.uniform(15.0f, 100.0f)};
    if (!newStorm) places[i] = {places[i - 1].x + random.uniform(0.0f, 1.2f), places[i - 1].y + random.uniform(-0.3f, 1.5f)};
  }
  for (float2& place : places) place = {inSteps(place.x, 0.1f), inSteps(place.y, 0.1f)};
  return places;
}

// The tracks as text. Now and then nobody saw where a storm was.
std::vector<char> makeText(const std::vector<float2>& places, Random& random) {
  static const char* const kNames[] = {"ALBERTO", "BERYL", "CHRIS", "DEBBY", "ERNESTO", "FLORENCE", "GORDON", "HELENE", "UNNAMED"};
  constexpr int kNameCount = sizeof(kNames) / sizeof(*kNames), kFixesPerTrack = 40, kMissedOf = 50;
  std::vector<char> text;
  char record[kRecordBytes + 8];
  for (size_t i = 0; i < places.size(); ++i) {
    const int storm = int(i) / kFixesPerTrack, fix = int(i) % kFixesPerTrack;
    const int length = std::snprintf(record, sizeof(record), "%02d%02d%02d %02d %-10s %4.1f %5.1f\n", 50 + storm / 10 % 50, 6 + storm % 6,
                                     1 + fix / 4, fix % 4 * 6, kNames[storm % kNameCount], places[i].x, places[i].y);
    if (random.below(kMissedOf) == 0) std::fill(record + kLatitudeAt, record + kNewline, '-');
    text.insert(text.end(), record, record + length);
  }
  return text;
}

// Of a place as text.
float referenceDistance(const std::string& record) {
  if (record[kLatitudeAt] == '-') return kNowhere;
  const float north = std::stof(record.substr(kLatitudeAt, 4)) - kLatitude, east = std::stof(record.substr(kLongitudeAt, 5)) - kLongitude;
  return std::sqrt(north * north + east * east);
}

void referenceDistances(const std::vector<char>& text, std::vector<float>& distances) {
  for (size_t i = 0; i < distances.size(); ++i) distances[i] = referenceDistance(std::string(&text[i * kRecordBytes], kRecordBytes));
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

bool checkDistances(const std::string& what, const std::vector<float>& expected, const std::vector<float>& got) {
  // Two squares, their sum and the root round at most four times on either side, and the root halves errors made before it.
  constexpr float kTolerance = 4 * 0x1p-24f;
  const bool correct = expectNear("distance, " + what, expected, got, kTolerance, 0.0f);
  // Records that are equally far up to rounding may change places; what they have in common is the distance.
  const std::vector<int> order = nearest(got), expectedOrder = nearest(expected);
  return expectNear("nearest, " + what, gather(expected, expectedOrder), gather(expected, order), 2 * kTolerance, 0.0f) && correct;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"nearest-neighbour",
                                        "the ten nearest of many places, one thread per place",
                                        "5,003 records",
                                        "42,764 records",
                                        "1,000,000 records",
                                        {"numbers", "text"},
                                        "numbers"});
  const int records = options.pick(5'003, 42'764, 1'000'000), blocks = divideUp(records, kThreads);

  Random random(17);
  const std::vector<float2> places = makeTracks(records, random);
  const std::vector<char> text = makeText(places, random);

  Timings timings;
  const auto run = [&](const char* variant, auto kernel, const auto& input) {
    const DeviceArray devicePlaces(input);
    const DeviceArray<float> distances(records);
    timings.kernels([&] { kernel<<<blocks, kThreads>>>(devicePlaces.data(), distances.data(), records, kLatitude, kLongitude); });
    std::vector<float> expected(records);
    timings.reference([&] { referenceDistances(input, expected); });
    return checkDistances(variant, expected, distances.download());
  };
  bool correct = true;
  if (options.runs("numbers")) correct = run("numbers", euclideanDistance, places);
  if (options.runs("text")) correct = run("text", euclideanDistanceText, text) && correct;
  timings.print();
  return report("nearest-neighbour", correct);
}
