// How alike each pair of documents is, as Mars's SimilarityScore computes it (He et al., PACT 2008), with the MapReduce of
// common/map_reduce.hpp: the cosine of the angle between the vectors of how often each term occurs (Salton, Wong, Yang 1975). Map: one
// thread a pair of documents; it emits the pair as the key and the score as the value if the documents have a term in common. As in
// Mars, there is nothing to group or reduce.
#include "../common/map_reduce.hpp"
#include "../common/workload.hpp"
#include "../common/zipf.hpp"

using namespace workloads;

constexpr int kTerms = 64;

struct Pair {
  int first, second;
};

__device__ int sharedTerms(const int* terms, Pair pair) {
  const int *first = terms + pair.first * kTerms, *second = terms + pair.second * kTerms;
  int product = 0;
  for (int term = 0; term < kTerms; ++term) product += first[term] * second[term];
  return product;
}

__device__ int squaredLength(const int* terms, int document) { return sharedTerms(terms, {document, document}); }

// A grid of blocks of 16 x 16 pairs; of the square of all, those with first < second.
constexpr int kSide = 16;

__device__ bool ownPair(int documents, Pair& pair, int& index) {
  pair = {int(blockIdx.y * kSide + threadIdx.y), int(blockIdx.x * kSide + threadIdx.x)};
  index = pair.first * documents + pair.second;
  return pair.first < pair.second && pair.second < documents;
}

__global__ void similarityMapCount(const int* terms, int documents, int* keyBytes, int* valueBytes, int* records) {
  Pair pair;
  int index;
  if (!ownPair(documents, pair, index) || sharedTerms(terms, pair) == 0) return;
  keyBytes[index] = sizeof(Pair);
  valueBytes[index] = sizeof(float);
  records[index] = 1;
}

__global__ void similarityMap(const int* terms, int documents, const int* keyAt, const int* valueAt, const int* recordAt, Byte* keys,
                              Byte* values, Entry* directory) {
  Pair pair;
  int index;
  if (!ownPair(documents, pair, index)) return;
  const int shared = sharedTerms(terms, pair);
  if (shared == 0) return;
  Emitter out(keys, values, directory, keyAt[index], valueAt[index], recordAt[index]);
  *reinterpret_cast<Pair*>(out.key()) = pair;
  *reinterpret_cast<float*>(out.value()) =
      float(shared) / (sqrtf(float(squaredLength(terms, pair.first))) * sqrtf(float(squaredLength(terms, pair.second))));
  out.emit(sizeof(Pair), sizeof(float));
}

HostRecords compareOnDevice(const std::vector<int>& terms, int documents, Timings& timings) {
  const DeviceArray<int> deviceTerms(terms);
  const dim3 blocks(divideUp(documents, kSide), divideUp(documents, kSide)), threads(kSide, kSide);
  Emissions room(documents * documents);
  timings.kernels([&] {
    similarityMapCount<<<blocks, threads>>>(deviceTerms.data(), documents, room.keyBytes.data(), room.valueBytes.data(),
                                            room.records.data());
    room.sum();
  });
  const Records records(room);
  timings.kernels([&] {
    similarityMap<<<blocks, threads>>>(deviceTerms.data(), documents, room.keyBytes.data(), room.valueBytes.data(), room.records.data(),
                                       records.keys.data(), records.values.data(), records.directory.data());
  });
  return HostRecords(records);
}

struct Scores {
  std::vector<int> pairs;  // first * documents + second
  std::vector<float> values;
};

Scores referenceScores(const std::vector<int>& terms, int documents) {
  const auto product = [&](int a, int b) {
    double sum = 0;
    for (int term = 0; term < kTerms; ++term) sum += double(terms[a * kTerms + term]) * terms[b * kTerms + term];
    return sum;
  };
  Scores scores;
  for (int first = 0; first < documents; ++first)
    for (int second = first + 1; second < documents; ++second) {
      const double shared = product(first, second);
      if (shared == 0) continue;
      scores.pairs.push_back(first * documents + second);
      scores.values.push_back(float(shared / std::sqrt(product(first, first) * product(second, second))));
    }
  return scores;
}

// Words of texts follow Zipf's law with an exponent near 1 (Zipf 1949); each text has a subject, whose words are others' rare ones.
std::vector<int> makeDocuments(int documents, Random& random) {
  const Zipf words(kTerms, 1.0);
  std::vector<int> terms(size_t(documents) * kTerms, 0);
  for (int document = 0; document < documents; ++document) {
    const int length = 5 + random.below(40), subject = kTerms / 8 * random.below(8);
    for (int word = 0; word < length; ++word) ++terms[document * kTerms + (words.draw(random) + subject) % kTerms];
  }
  return terms;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"similarity-score",
                                        "cosines of all pairs of documents by MapReduce, 64 terms",
                                        "61 documents",
                                        "203 documents",
                                        "1,024 documents",
                                        {}});
  const int documents = options.pick(61, 203, 1'024);
  Random random(53);
  const std::vector<int> terms = makeDocuments(documents, random);
  Timings timings;
  const HostRecords got = compareOnDevice(terms, documents, timings);
  Scores expected, scores;
  timings.reference([&] { expected = referenceScores(terms, documents); });
  for (int record = 0; record < got.count; ++record) {
    const Pair pair = got.key<Pair>(record);
    scores.pairs.push_back(pair.first * documents + pair.second);
    scores.values.push_back(got.value<float>(record));
  }
  timings.print();
  // The products are exact: two square roots, a product and a quotient, and the reference's own rounding, each by 2^-24.
  const bool correct =
      expectEqual("pairs", expected.pairs, scores.pairs) && expectNear("scores", expected.values, scores.values, 5 * 0x1p-24f, 0.0f);
  return report("similarity-score", correct);
}
