// One layer of attention, softmax(Q K^T / sqrt(d)) V, in tiles with an online softmax, so that the scores are never in device memory
// (Milakov, Gimelshein: "Online normalizer calculation for softmax", 2018; Dao, Fu, Ermon, Rudra, Ré: "FlashAttention", NeurIPS 2022).
// A block goes over the keys 32 at a time. `attentionTensor` has 64 queries of one head, 16 a warp, multiplies half-precision tiles with
// wmma and adds in single precision. `attentionPlain`, for machines without tensor units, uses scalar arithmetic and tiles that fit 16 KiB
// of shared memory: 32 queries, 8 a warp, with the sums in registers.
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

// What a block of attentionTensor has in shared memory: below the 48 KiB that machines with tensor units give. wmma reads from 32-byte
// boundaries.
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

// The greatest score of a query so far, and the sum of its weights relative to that.
struct Online {
  float greatest = kNever, total = 0.0f;
};

// What lane ^ 16, which has the other half of the row, knows.
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

__global__ void attentionTensor(const __half* queries, const __half* keys, const __half* values, float* results, int length) {
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
    scoresTensor(tiles, warp);
    __syncwarp();
    weigh(tiles, online, warp, lane, length - key);
    __syncwarp();
    addValuesTensor(tiles, warp);
    __syncwarp();
  }
  const int query = lane % kTile;
  if (first + query >= length) return;
  for (int column = lane / kTile; column < kDepth; column += 2)
    results[head + size_t(first + query) * kDepth + column] = tiles.sums[warp][query * kDepth + column] / online.total;
}

constexpr int kPairs = kDepth / 2;                            // two numbers are a word of shared memory
constexpr int kPlainQueries = 8;                              // of a warp
constexpr int kPairRow = kPairs + 1, kWeightRow = kKeys + 1;  // odd, so that lanes with a row each find their words in different banks

// What a block of attentionPlain has in shared memory: 13 KB.
struct PlainTiles {
  __half2 rows[kKeys * kPairRow];  // keys, then their values
  __half2 queries[kWarps][kPlainQueries * kPairs];
  float weights[kWarps][kPlainQueries * kWeightRow];  // scores, then weights
  float parts[kWarps][32];
};

// As loadRows, in pairs, with the tile's rows `stride` apart.
__device__ void loadPairs(__half2* tile, int stride, const __half* rows, int first, int count, int length, int thread, int threads) {
  const __half2* pairs = reinterpret_cast<const __half2*>(rows);
  for (int i = thread; i < count * kPairs; i += threads) {
    const int row = i / kPairs, pair = i % kPairs;
    tile[row * stride + pair] = first + row < length ? pairs[size_t(first + row) * kPairs + pair] : __float2half2_rn(0.0f);
  }
}

// A lane a key.
__device__ void scoresPlain(PlainTiles& tiles, int warp, int lane) {
  for (int query = 0; query < kPlainQueries; ++query) {
    float sum = 0.0f;
    for (int i = 0; i < kPairs; ++i) {
      const float2 ours = __half22float2(tiles.queries[warp][query * kPairs + i]);
      const float2 theirs = __half22float2(tiles.rows[lane * kPairRow + i]);
      sum += ours.x * theirs.x;
      sum += ours.y * theirs.y;
    }
    tiles.weights[warp][query * kWeightRow + lane] = sum * kScale;
  }
}

// What the lanes with the parts of one query know together. Machines without shuffles have shared memory, too.
template <class Combine>
__device__ float ofAllParts(float* parts, int lane, float own, Combine combine) {
  parts[lane] = own;
  __syncwarp();
  float all = own;
  for (int other = lane % kPlainQueries; other < 32; other += kPlainQueries)
    if (other != lane) all = combine(all, parts[other]);
  __syncwarp();
  return all;
}

// Turns scores into weights. Four lanes a query, which have eight keys each. Returns by how much what has been added up shrinks.
__device__ float weighPlain(PlainTiles& tiles, Online& online, int warp, int lane, int keysLeft) {
  constexpr int kPart = kKeys * kPlainQueries / 32;
  const int first = lane / kPlainQueries * kPart;
  float* weights = &tiles.weights[warp][lane % kPlainQueries * kWeightRow];
  float greatest = online.greatest;
  for (int key = first; key < first + kPart && key < keysLeft; ++key) greatest = fmaxf(greatest, weights[key]);
  greatest = ofAllParts(tiles.parts[warp], lane, greatest, [](float a, float b) { return fmaxf(a, b); });
  float total = 0.0f;
  for (int key = first; key < first + kPart; ++key) {
    weights[key] = key < keysLeft ? expf(weights[key] - greatest) : 0.0f;
    total += weights[key];
  }
  total = ofAllParts(tiles.parts[warp], lane, total, [](float a, float b) { return a + b; });
  const float shrink = expf(online.greatest - greatest);
  online = {greatest, online.total * shrink + total};
  return shrink;
}

// A lane two columns, of which it has the sums.
__device__ void addValuesPlain(const PlainTiles& tiles, float2 (&sums)[kPlainQueries], int warp, int lane) {
#pragma unroll
  for (int query = 0; query < kPlainQueries; ++query) {
    float2 sum = sums[query];
    for (int key = 0; key < kKeys; ++key) {
      const float weight = tiles.weights[warp][query * kWeightRow + key];
      const float2 value = __half22float2(tiles.rows[key * kPairRow + lane]);
      sum.x += weight * value.x;
      sum.y += weight * value.y;
    }
    sums[query] = sum;
  }
}

__global__ void attentionPlain(const __half* queries, const __half* keys, const __half* values, float* results, int length) {
  __shared__ PlainTiles tiles;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = (blockIdx.x * kWarps + warp) * kPlainQueries;
  const size_t head = size_t(blockIdx.y) * length * kDepth;
  loadPairs(tiles.queries[warp], kPairs, queries + head, first, kPlainQueries, length, lane, 32);
  float2 sums[kPlainQueries] = {};
  Online online;
  for (int key = 0; key < length; key += kKeys) {
    __syncthreads();
    loadPairs(tiles.rows, kPairRow, keys + head, key, kKeys, length, threadIdx.x, kThreads);
    __syncthreads();
    scoresPlain(tiles, warp, lane);
    __syncthreads();
    loadPairs(tiles.rows, kPairRow, values + head, key, kKeys, length, threadIdx.x, kThreads);
    tiles.parts[warp][lane] = weighPlain(tiles, online, warp, lane, length - key);
    __syncthreads();
#pragma unroll
    for (int query = 0; query < kPlainQueries; ++query) {
      const float shrink = tiles.parts[warp][query];
      sums[query] = {sums[query].x * shrink, sums[query].y * shrink};
    }
    addValuesPlain(tiles, sums, warp, lane);
  }
  __syncwarp();
  tiles.parts[warp][lane] = online.total;
  __syncwarp();
#pragma unroll
  for (int query = 0; query < kPlainQueries; ++query) {
    if (first + query >= length) continue;
    const float total = tiles.parts[warp][query];
    reinterpret_cast<float2*>(results)[(head + size_t(first + query) * kDepth) / 2 + lane] = {sums[query].x / total, sums[query].y / total};
  }
}

// As [head][token][number].
struct Layer {
  int length, heads;
  std::vector<__half> queries, keys, values;
};

// Halves are turned into doubles once: hosts do that in software.
std::vector<double> widened(const std::vector<__half>& numbers) {
  std::vector<double> wide;
  for (const __half number : numbers) wide.push_back(__half2float(number));
  return wide;
}

std::vector<float> referenceAttention(const Layer& layer) {
  const std::vector<double> queries = widened(layer.queries), keys = widened(layer.keys), values = widened(layer.values);
  std::vector<float> results;
  std::vector<double> sums(kDepth);
  for (int row = 0; row < layer.heads * layer.length; ++row) {
    const size_t head = size_t(row / layer.length) * layer.length * kDepth;
    double total = 0;
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int key = 0; key < layer.length; ++key) {
      double score = 0;
      for (int i = 0; i < kDepth; ++i) score += queries[size_t(row) * kDepth + i] * keys[head + size_t(key) * kDepth + i];
      const double weight = std::exp(score * kScale);
      total += weight;
      for (int i = 0; i < kDepth; ++i) sums[i] += weight * values[head + size_t(key) * kDepth + i];
    }
    for (const double sum : sums) results.push_back(float(sum / total));
  }
  return results;
}

// Projections of a text's tokens. A text stays with a subject for some tokens; what tokens of a subject have in common makes them
// attend to each other, so that some weights are large and most are small. Each number is near to a normal distribution with variance
// 1.16 (values) or 1.64: a number of its own with variance 1, as the normalisation of layers leaves it, and what is common.
Layer makeLayer(int length, int heads, Random& random) {
  constexpr int kSubjects = 8;
  Layer layer{length, heads, {}, {}, {}};
  for (int head = 0; head < heads; ++head) {
    std::vector<float> directions(kSubjects * kDepth);
    for (float& direction : directions) direction = random.normal();
    int subject = 0;
    for (int token = 0; token < length; ++token) {
      if (random.below(12) == 0) subject = random.below(kSubjects);
      for (int i = 0; i < kDepth; ++i) {
        const float common = 0.8f * directions[subject * kDepth + i];
        layer.queries.push_back(__float2half(common + random.normal()));
        layer.keys.push_back(__float2half(common + random.normal()));
        layer.values.push_back(__float2half(0.5f * common + random.normal()));
      }
    }
  }
  return layer;
}

// The largest length of a row.
float largestNorm(const std::vector<__half>& rows) {
  float largest = 0.0f;
  for (size_t row = 0; row < rows.size(); row += kDepth) {
    float square = 0.0f;
    for (int i = 0; i < kDepth; ++i) square += __half2float(rows[row + i]) * __half2float(rows[row + i]);
    largest = std::max(largest, std::sqrt(square));
  }
  return largest;
}

// Of the largest value, a result may be wrong by
// - what attentionTensor's weights lose in half precision: 2^-11 of themselves or, below 2^-14, 2^-25. A query's largest is 1, and so are
//   all together at least.
// - what sums of 64 products lose in single precision, 64 * 2^-24 of their magnitudes, which add up to at most the product of the rows'
//   lengths. It moves exponents, and so by that share the weights above and below the line.
// - what sums over the keys lose above and below the line: length * 2^-24.
// - what remains, rounding of exponentials and of what is rescaled at each step, above and below the line: less than length * 2^-24.
bool agrees(const char* what, const Layer& layer, const std::vector<float>& expected, const std::vector<float>& got) {
  float largest = 0.0f;
  for (const __half value : layer.values) largest = std::max(largest, std::fabs(__half2float(value)));
  const float halves = 0x1p-11f + layer.length * 0x1p-25f;
  const float scores = kDepth * 0x1p-24f * kScale * largestNorm(layer.queries) * largestNorm(layer.keys), sums = layer.length * 0x1p-24f;
  return expectNear(what, expected, got, 0.0f, largest * (halves + 2.0f * (scores + sums + sums)));
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
  Timings timings;
  std::vector<float> expected;
  timings.reference([&] { expected = referenceAttention(layer); });
  bool correct = true;
  const auto run = [&](const char* name, auto kernel, int queriesOfBlock) {
    const dim3 blocks(divideUp(layer.length, queriesOfBlock), layer.heads);
    const DeviceArray<float> results(std::vector<float>(expected.size(), 0.0f));
    timings.kernels([&] { kernel<<<blocks, kThreads>>>(queries.data(), keys.data(), values.data(), results.data(), layer.length); });
    correct = agrees(name, layer, expected, results.download()) && correct;
  };
  const bool tensor = hasTensorUnits();
  if (tensor && options.runs("tensor")) run("tensor", attentionTensor, kQueries);
  if (!tensor || options.runs("plain")) run("plain", attentionPlain, kWarps * kPlainQueries);
  timings.print();
  return report("attention", correct);
}
