// One layer of attention, softmax(Q K^T / sqrt(d)) V, in tiles with an online softmax, so that the scores are never in device memory
// (Milakov, Gimelshein: "Online normalizer calculation for softmax", 2018; Dao, Fu, Ermon, Rudra, Ré: "FlashAttention", NeurIPS 2022).
// A block has 64 queries of one head, 16 a warp, and goes over the keys 32 at a time. `attentionTensor` multiplies half-precision tiles
// with wmma and adds in single precision; `attentionPlain`, for machines without tensor units, does the same with scalar arithmetic.
#include <cuda_fp16.h>
#include <mma.h>

#include <algorithm>
#include <cmath>

#include "../common/workload.hpp"

using namespace workloads;
using namespace nvcuda;

constexpr int kDepth = 64;  // numbers of a query, a key or a value of one head
constexpr int kTile = 16;   // wmma's
constexpr int kWarps = 4, kThreads = 32 * kWarps, kQueries = kTile * kWarps;
constexpr int kKeys = 32;             // of a step
constexpr int kScoreRow = kKeys + 4;  // wmma stores rows at multiples of 16 bytes; so far apart, rows begin in other banks
constexpr float kScale = 0.125f;
constexpr float kNever = -1e30f;  // the score of what lies beyond the end

// What a block has in shared memory: below the 48 KiB that every machine gives. wmma reads from 32-byte boundaries.
struct alignas(32) Tiles {
  __half keys[kKeys * kDepth], values[kKeys * kDepth];
  __half queries[kWarps][kTile * kDepth], weights[kWarps][kTile * kKeys];
  float scores[kWarps][kTile * kScoreRow], sums[kWarps][kTile * kDepth];
  float halves[kWarps][32];
};

// Rows from `first` of one head; zeros beyond its last.
__device__ void loadRows(__half* tile, const __half* rows, int first, int count, int length, int thread, int threads) {
  for (int i = thread; i < count * kDepth; i += threads) {
    const int row = first + i / kDepth;
    tile[i] = row < length ? rows[size_t(row) * kDepth + i % kDepth] : __float2half(0.0f);
  }
}

__device__ void scoresTensor(Tiles& tiles, int warp) {
  for (int column = 0; column < kKeys; column += kTile) {
    wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < kDepth; i += kTile) {
      wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, __half, wmma::row_major> queries;
      wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, __half, wmma::col_major> keys;
      wmma::load_matrix_sync(queries, tiles.queries[warp] + i, kDepth);
      wmma::load_matrix_sync(keys, tiles.keys + column * kDepth + i, kDepth);
      wmma::mma_sync(sum, queries, keys, sum);
    }
    wmma::store_matrix_sync(tiles.scores[warp] + column, sum, kScoreRow, wmma::mem_row_major);
  }
}

__device__ void addValuesTensor(Tiles& tiles, int warp) {
  for (int column = 0; column < kDepth; column += kTile) {
    wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sum;
    wmma::load_matrix_sync(sum, tiles.sums[warp] + column, kDepth, wmma::mem_row_major);
    for (int i = 0; i < kKeys; i += kTile) {
      wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, __half, wmma::row_major> weights;
      wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, __half, wmma::row_major> values;
      wmma::load_matrix_sync(weights, tiles.weights[warp] + i, kKeys);
      wmma::load_matrix_sync(values, tiles.values + i * kDepth + column, kDepth);
      wmma::mma_sync(sum, weights, values, sum);
    }
    wmma::store_matrix_sync(tiles.sums[warp] + column, sum, kDepth, wmma::mem_row_major);
  }
}

// A lane a key.
__device__ void scoresPlain(Tiles& tiles, int warp, int lane) {
  for (int query = 0; query < kTile; ++query) {
    float sum = 0.0f;
    for (int i = 0; i < kDepth; ++i)
      sum += __half2float(tiles.queries[warp][query * kDepth + i]) * __half2float(tiles.keys[lane * kDepth + i]);
    tiles.scores[warp][query * kScoreRow + lane] = sum;
  }
}

// A lane two columns.
__device__ void addValuesPlain(Tiles& tiles, int warp, int lane) {
  for (int query = 0; query < kTile; ++query)
    for (int column = lane; column < kDepth; column += 32) {
      float sum = tiles.sums[warp][query * kDepth + column];
      for (int key = 0; key < kKeys; ++key)
        sum += __half2float(tiles.weights[warp][query * kKeys + key]) * __half2float(tiles.values[key * kDepth + column]);
      tiles.sums[warp][query * kDepth + column] = sum;
    }
}

// The greatest score of a query so far, and the sum of its weights relative to that.
struct Online {
  float greatest = kNever, total = 0.0f;
};

// What lane and lane ^ 16, which have halves of one row, know together. Machines without shuffles have shared memory, too.
__device__ float ofOtherHalf(Tiles& tiles, int warp, int lane, float own) {
  tiles.halves[warp][lane] = own;
  __syncwarp();
  const float other = tiles.halves[warp][lane ^ kTile];
  __syncwarp();
  return other;
}

// Turns scores into weights, and rescales what has been added up where a greater score has come. Two lanes a query.
__device__ void weigh(Tiles& tiles, Online& online, int warp, int lane, int keysLeft) {
  const int query = lane % kTile, half = lane / kTile;
  const float* scores = &tiles.scores[warp][query * kScoreRow];
  float greatest = online.greatest;
  for (int key = half * kTile; key < (half + 1) * kTile && key < keysLeft; ++key) greatest = fmaxf(greatest, scores[key] * kScale);
  greatest = fmaxf(greatest, ofOtherHalf(tiles, warp, lane, greatest));
  float total = 0.0f;
  for (int key = half * kTile; key < (half + 1) * kTile; ++key) {
    const float weight = key < keysLeft ? expf(scores[key] * kScale - greatest) : 0.0f;
    tiles.weights[warp][query * kKeys + key] = __float2half(weight);
    total += weight;
  }
  total += ofOtherHalf(tiles, warp, lane, total);
  const float shrink = expf(online.greatest - greatest);
  for (int column = half; column < kDepth; column += 2) tiles.sums[warp][query * kDepth + column] *= shrink;
  online = {greatest, online.total * shrink + total};
}

// All of a block, with one way or the other to multiply.
template <class Multiply>
__device__ void attend(const __half* queries, const __half* keys, const __half* values, float* results, int length, Multiply multiply) {
  __shared__ Tiles tiles;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * kQueries + warp * kTile;
  const size_t head = size_t(blockIdx.y) * length * kDepth;
  loadRows(tiles.queries[warp], queries + head, first, kTile, length, lane, 32);
  for (int i = lane; i < kTile * kDepth; i += 32) tiles.sums[warp][i] = 0.0f;
  Online online;
  for (int key = 0; key < length; key += kKeys) {
    __syncthreads();
    loadRows(tiles.keys, keys + head, key, kKeys, length, threadIdx.x, kThreads);
    loadRows(tiles.values, values + head, key, kKeys, length, threadIdx.x, kThreads);
    __syncthreads();
    multiply.scores(tiles, warp, lane);
    __syncwarp();
    weigh(tiles, online, warp, lane, length - key);
    __syncwarp();
    multiply.addValues(tiles, warp, lane);
    __syncwarp();
  }
  const int query = lane % kTile;
  if (first + query >= length) return;
  for (int column = lane / kTile; column < kDepth; column += 2)
    results[head + size_t(first + query) * kDepth + column] = tiles.sums[warp][query * kDepth + column] / online.total;
}

struct Tensor {
  __device__ void scores(Tiles& tiles, int warp, int) const { scoresTensor(tiles, warp); }
  __device__ void addValues(Tiles& tiles, int warp, int) const { addValuesTensor(tiles, warp); }
};

struct Plain {
  __device__ void scores(Tiles& tiles, int warp, int lane) const { scoresPlain(tiles, warp, lane); }
  __device__ void addValues(Tiles& tiles, int warp, int lane) const { addValuesPlain(tiles, warp, lane); }
};

__global__ void attentionTensor(const __half* queries, const __half* keys, const __half* values, float* results, int length) {
  attend(queries, keys, values, results, length, Tensor());
}

__global__ void attentionPlain(const __half* queries, const __half* keys, const __half* values, float* results, int length) {
  attend(queries, keys, values, results, length, Plain());
}

// As [head][token][number].
struct Layer {
  int length, heads;
  std::vector<__half> queries, keys, values;
};

std::vector<float> referenceAttention(const Layer& layer) {
  std::vector<float> results;
  std::vector<double> weights(layer.length);
  for (int row = 0; row < layer.heads * layer.length; ++row) {
    const size_t head = size_t(row / layer.length) * layer.length * kDepth;
    double total = 0;
    for (int key = 0; key < layer.length; ++key) {
      double score = 0;
      for (int i = 0; i < kDepth; ++i)
        score += double(__half2float(layer.queries[size_t(row) * kDepth + i])) * __half2float(layer.keys[head + size_t(key) * kDepth + i]);
      total += weights[key] = std::exp(score * kScale);
    }
    for (int i = 0; i < kDepth; ++i) {
      double sum = 0;
      for (int key = 0; key < layer.length; ++key) sum += weights[key] * __half2float(layer.values[head + size_t(key) * kDepth + i]);
      results.push_back(float(sum / total));
    }
  }
  return results;
}

// A number whose distribution is nearly normal, with variance 1.
float nearlyNormal(Random& random) {
  return random.uniform() + random.uniform() + random.uniform() - random.uniform() - random.uniform() - random.uniform();
}

// Projections of a text's tokens. A text stays with a subject for some tokens; what tokens of a subject have in common makes them
// attend to each other, so that some weights are large and most are small. Each number is near to a normal distribution with variance
// 1 to 2, as after the normalisation of layers.
Layer makeLayer(int length, int heads, Random& random) {
  constexpr int kSubjects = 8;
  Layer layer{length, heads, {}, {}, {}};
  for (int head = 0; head < heads; ++head) {
    std::vector<float> directions(kSubjects * kDepth);
    for (float& direction : directions) direction = nearlyNormal(random);
    int subject = 0;
    for (int token = 0; token < length; ++token) {
      if (random.below(12) == 0) subject = random.below(kSubjects);
      for (int i = 0; i < kDepth; ++i) {
        const float common = 0.8f * directions[subject * kDepth + i];
        layer.queries.push_back(__float2half(common + nearlyNormal(random)));
        layer.keys.push_back(__float2half(common + nearlyNormal(random)));
        layer.values.push_back(__float2half(0.5f * common + nearlyNormal(random)));
      }
    }
  }
  return layer;
}

// Weights are rounded to half precision, by at most 2^-11 of themselves or, below 2^-14, by 2^-25; a query's largest is 1, so that the
// error of a result from both is below (2^-11 + length * 2^-25) of the largest value. Scores add 64 products of at most 36 * scale in
// all, which moves an exponent by less than 64 * 36 * 2^-24 = 2^-12.8; sums over the keys lose length * 2^-24. Together: 2^-10.
bool agrees(const char* what, const Layer& layer, const std::vector<float>& expected, const std::vector<float>& got) {
  float largest = 0.0f;
  for (const __half value : layer.values) largest = std::max(largest, std::fabs(__half2float(value)));
  return expectNear(what, expected, got, 0.0f, largest * 0x1p-10f);
}

bool hasTensorUnits() {
  int major = 0;
  WORKLOAD_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  return major >= 7;
}

int main(int argc, char** argv) {
  const Options options =
      parseOptions(argc, argv,
                   {"attention",
                    "softmax(Q K^T) V in tiles, heads of 64 numbers; tensor: half-precision wmma where the machine has it",
                    "150 tokens, 2 heads",
                    "500 tokens, 4 heads",
                    "1,024 tokens, 12 heads",
                    {"tensor", "plain"},
                    "tensor"});
  Random random(58);
  const Layer layer = makeLayer(options.pick(150, 500, 1'024), options.pick(2, 4, 12), random);
  const DeviceArray<__half> queries(layer.queries), keys(layer.keys), values(layer.values);
  const dim3 blocks(divideUp(layer.length, kQueries), layer.heads);
  Timings timings;
  std::vector<float> expected;
  timings.reference([&] { expected = referenceAttention(layer); });
  bool correct = true;
  const auto run = [&](const char* name, auto kernel) {
    const DeviceArray<float> results(std::vector<float>(expected.size(), 0.0f));
    timings.kernels([&] { kernel<<<blocks, kThreads>>>(queries.data(), keys.data(), values.data(), results.data(), layer.length); });
    correct = agrees(name, layer, expected, results.download()) && correct;
  };
  const bool tensor = hasTensorUnits();
  if (tensor && options.runs("tensor")) run("tensor", attentionTensor);
  if (!tensor || options.runs("plain")) run("plain", attentionPlain);
  timings.print();
  return report("attention", correct);
}
