// The gain of opening a centre, from the k-median clustering of streams (O'Callaghan, Mishra, Meyerson, Guha, Motwani: "Streaming-Data
// Algorithms for High-Quality Clustering", ICDE 2002), on which PARSEC's and Rodinia's streamcluster spend their time. One thread a
// point compares the way to the candidate with the way to its centre, and leaves in its row of a table what it would save: for itself
// if it would move, otherwise for its centre, which may close. The host adds up, and opens the candidate if that pays. Coordinates lie
// in columns, the candidate's in shared memory.
#include <algorithm>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kThreads = 256;
constexpr int kMaximumDimensions = 128;
constexpr int kMaximumCentres = 32;
constexpr int kRow = kMaximumCentres + 1;  // of the table: a column a centre, and one for the points that move

// table: [point][column]. centreOf: the column of each point's centre. Coordinates are whole numbers below 256 as floats, so that
// squared distances in up to 128 dimensions stay below 2^23: exact in any order.
__global__ void pgain(const float* coordinates, const float* costs, const int* centreOf, float* table, unsigned char* moves, int points,
                      int dimensions, int candidate) {
  __shared__ float place[kMaximumDimensions];
  for (int i = threadIdx.x; i < dimensions; i += kThreads) place[i] = coordinates[i * points + candidate];
  __syncthreads();
  const int point = blockIdx.x * kThreads + threadIdx.x;
  if (point >= points) return;
  float distance = 0.0f;
  for (int i = 0; i < dimensions; ++i) {
    const float difference = coordinates[i * points + point] - place[i];
    distance += difference * difference;
  }
  const float saved = costs[point] - distance;
  float* row = table + size_t(point) * kRow;
  for (int column = 0; column < kRow; ++column) row[column] = 0.0f;
  moves[point] = saved > 0.0f;
  row[saved > 0.0f ? kMaximumCentres : centreOf[point]] = saved;
}

struct Points {
  int count, dimensions;
  std::vector<float> coordinates;  // [dimension][point]

  double distance(int a, int b) const {
    double sum = 0;
    for (int i = 0; i < dimensions; ++i) {
      const double difference = double(coordinates[size_t(i) * count + a]) - coordinates[size_t(i) * count + b];
      sum += difference * difference;
    }
    return sum;
  }
};

// Which points are centres, and for each point the column of its centre and the way there.
struct Clusters {
  std::vector<int> centres, centreOf;
  std::vector<float> costs;
};

// What a candidate would bring: the sums of the table's columns, and who would move.
struct Gain {
  std::vector<double> columns = std::vector<double>(kRow, 0.0);
  std::vector<unsigned char> moves;
};

Gain referenceGain(const Points& points, const Clusters& clusters, int candidate) {
  Gain gain;
  for (int point = 0; point < points.count; ++point) {
    const double saved = clusters.costs[point] - points.distance(point, candidate);
    gain.moves.push_back(saved > 0);
    gain.columns[saved > 0 ? kMaximumCentres : clusters.centreOf[point]] += saved;
  }
  return gain;
}

class Device {
 public:
  explicit Device(const Points& points)
      : points_(points),
        coordinates_(points.coordinates),
        costs_(points.count),
        table_(size_t(points.count) * kRow),
        centreOf_(points.count),
        moves_(points.count) {}

  Gain gain(const Clusters& clusters, int candidate, Timings& timings) {
    costs_.upload(clusters.costs);
    centreOf_.upload(clusters.centreOf);
    timings.kernels([&] {
      pgain<<<divideUp(points_.count, kThreads), kThreads>>>(coordinates_.data(), costs_.data(), centreOf_.data(), table_.data(),
                                                             moves_.data(), points_.count, points_.dimensions, candidate);
    });
    const std::vector<float> table = table_.download();
    Gain gain;
    for (size_t i = 0; i < table.size(); ++i) gain.columns[i % kRow] += table[i];
    gain.moves = moves_.download();
    return gain;
  }

 private:
  const Points& points_;
  const DeviceArray<float> coordinates_;
  DeviceArray<float> costs_, table_;
  DeviceArray<int> centreOf_;
  const DeviceArray<unsigned char> moves_;
};

// Opens the candidate if what is saved exceeds the price of a centre; a centre whose other points would go to the candidate for less
// than that price closes, its column kept free of points.
void open(const Points& points, Clusters& clusters, const Gain& gain, int candidate, double price) {
  std::vector<bool> closes(clusters.centres.size());
  double total = gain.columns[kMaximumCentres] - price;
  for (size_t column = 0; column < closes.size(); ++column) {
    const double closing = price + gain.columns[column];
    closes[column] = closing > 0;
    if (closing > 0) total += closing;
  }
  if (total <= 0 || clusters.centres.size() == kMaximumCentres) return;
  const int opened = int(clusters.centres.size());
  clusters.centres.push_back(candidate);
  for (int point = 0; point < points.count; ++point) {
    if (!gain.moves[point] && !closes[clusters.centreOf[point]]) continue;
    clusters.centreOf[point] = opened;
    clusters.costs[point] = float(points.distance(point, candidate));
  }
}

// Descriptors of pictures, as bytes: those of one subject are alike, most entries are small and few are large.
Points makePoints(int count, int dimensions, Random& random) {
  constexpr int kSubjects = 12;
  std::vector<float> typical(kSubjects * dimensions);
  for (float& value : typical) value = 160.0f * random.uniform() * random.uniform();
  Points points{count, dimensions, std::vector<float>(size_t(count) * dimensions)};
  for (int point = 0; point < count; ++point) {
    const int subject = std::min(random.below(kSubjects), random.below(kSubjects));
    for (int i = 0; i < dimensions; ++i)
      points.coordinates[size_t(i) * count + point] = float(int(typical[subject * dimensions + i]) + int(random.below(32)));
  }
  return points;
}

// At first all points belong to the first.
Clusters oneCluster(const Points& points) {
  Clusters clusters{{0}, std::vector<int>(points.count, 0), {}};
  for (int point = 0; point < points.count; ++point) clusters.costs.push_back(float(points.distance(point, 0)));
  return clusters;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"streamcluster",
                                        "gain of opening centres in the k-median clustering of a stream",
                                        "1,003 points, 10 dimensions, 6 candidates",
                                        "8,011 points, 32 dimensions, 12 candidates",
                                        "65,536 points, 128 dimensions, 100 candidates",
                                        {}});
  Random random(55);
  const Points points = makePoints(options.pick(1'003, 8'011, 65'536), options.pick(10, 32, 128), random);
  Clusters clusters = oneCluster(points);
  double price = 0;  // of a centre: a twentieth of what one cluster costs
  for (float cost : clusters.costs) price += cost / 20;
  Device device(points);
  Timings timings;
  bool correct = true;
  for (int candidates = options.pick(6, 12, 100); correct && candidates > 0; --candidates) {
    const int candidate = int(random.below(points.count));
    const Gain got = device.gain(clusters, candidate, timings);
    Gain expected;
    timings.reference([&] { expected = referenceGain(points, clusters, candidate); });
    correct = expectEqual("gain", expected.columns, got.columns) && expectEqual("moves", expected.moves, got.moves);
    open(points, clusters, expected, candidate, price);
  }
  timings.print();
  std::printf("centres opened: %d\n", int(clusters.centres.size()));
  return report("streamcluster", correct);
}
