// Needleman-Wunsch global alignment of two sequences with a linear gap penalty. The score matrix is cut into 16 x 16 tiles;
// all tiles of one anti-diagonal form a grid of 16-thread blocks, and within a tile the threads walk its anti-diagonals in
// shared memory. One kernel covers the diagonals that grow, the other those that shrink. In the variant `control` the gap penalty is a
// parameter, each place in the matrices has an index of its own, and all loops are unrolled, as in Rodinia's program: more control data
// live in registers.
#include <algorithm>
#include <string>

#include "../common/workload.hpp"

using namespace workloads;

constexpr int kTile = 16;
constexpr int kGapPenalty = 10;
constexpr int kMatch = 5, kMismatch = -4;  // the usual scores for nucleotides

__device__ __forceinline__ int bestScore(const int (&scores)[kTile + 1][kTile + 1], const int (&similarity)[kTile][kTile], int y, int x) {
  const int aligned = scores[y - 1][x - 1] + similarity[y - 1][x - 1];
  const int gap = max(scores[y][x - 1], scores[y - 1][x]) - kGapPenalty;
  return max(aligned, gap);
}

// Fills one tile from the row above it and the column to its left. Matrices have `pitch` columns, of which column and row 0
// are the boundary.
__device__ __forceinline__ void alignTile(const int* similarity, int* scores, int pitch, int tileX, int tileY) {
  __shared__ int tile[kTile + 1][kTile + 1];
  __shared__ int similar[kTile][kTile];
  const int thread = threadIdx.x;
  const int corner = tileY * kTile * pitch + tileX * kTile;
  const int firstRow = corner + pitch + thread + 1;
  for (int row = 0; row < kTile; ++row) similar[row][thread] = similarity[firstRow + row * pitch];
  if (thread == 0) tile[0][0] = scores[corner];
  tile[thread + 1][0] = scores[corner + (thread + 1) * pitch];
  tile[0][thread + 1] = scores[corner + thread + 1];
  __syncthreads();

  for (int diagonal = 0; diagonal < kTile; ++diagonal) {
    if (thread <= diagonal) {
      const int x = thread + 1, y = diagonal - thread + 1;
      tile[y][x] = bestScore(tile, similar, y, x);
    }
    __syncthreads();
  }
  for (int diagonal = kTile - 2; diagonal >= 0; --diagonal) {
    if (thread <= diagonal) {
      const int x = thread + kTile - diagonal, y = kTile - thread;
      tile[y][x] = bestScore(tile, similar, y, x);
    }
    __syncthreads();
  }
  for (int row = 0; row < kTile; ++row) scores[firstRow + row * pitch] = tile[row + 1][thread + 1];
}

// Diagonal of gridDim.x tiles that starts at the left edge.
__global__ void needleUpper(const int* similarity, int* scores, int pitch) {
  alignTile(similarity, scores, pitch, blockIdx.x, gridDim.x - 1 - blockIdx.x);
}

// Diagonal of gridDim.x tiles that starts at the bottom edge.
__global__ void needleLower(const int* similarity, int* scores, int pitch, int tiles) {
  alignTile(similarity, scores, pitch, tiles - gridDim.x + blockIdx.x, tiles - 1 - blockIdx.x);
}

__device__ __forceinline__ void scoreCell(int (&tile)[kTile + 1][kTile + 1], const int (&similar)[kTile][kTile], int y, int x,
                                          int penalty) {
  const int gap = max(tile[y][x - 1] - penalty, tile[y - 1][x] - penalty);
  tile[y][x] = max(tile[y - 1][x - 1] + similar[y - 1][x - 1], gap);
}

// As alignTile. `inner`, `north`, `west` and `corner` are the thread's places in both matrices; the first is used until the end.
__device__ __forceinline__ void alignUnrolled(const int* similarity, int* scores, int pitch, int penalty, int tileX, int tileY) {
  __shared__ int tile[kTile + 1][kTile + 1];
  __shared__ int similar[kTile][kTile];
  const int thread = threadIdx.x;
  const int corner = pitch * kTile * tileY + kTile * tileX;
  const int north = corner + thread + 1, west = corner + pitch, inner = north + pitch;
  if (thread == 0) tile[0][0] = scores[corner];
#pragma unroll
  for (int row = 0; row < kTile; ++row) similar[row][thread] = similarity[inner + pitch * row];
  __syncthreads();
  tile[thread + 1][0] = scores[west + pitch * thread];
  __syncthreads();
  tile[0][thread + 1] = scores[north];
  __syncthreads();
#pragma unroll
  for (int diagonal = 0; diagonal < kTile; ++diagonal) {
    if (thread <= diagonal) scoreCell(tile, similar, diagonal - thread + 1, thread + 1, penalty);
    __syncthreads();
  }
#pragma unroll
  for (int diagonal = kTile - 2; diagonal >= 0; --diagonal) {
    if (thread <= diagonal) scoreCell(tile, similar, kTile - thread, thread + kTile - diagonal, penalty);
    __syncthreads();
  }
#pragma unroll
  for (int row = 0; row < kTile; ++row) scores[inner + row * pitch] = tile[row + 1][thread + 1];
}

__global__ void needleUpperControl(const int* similarity, int* scores, int pitch, int penalty) {
  alignUnrolled(similarity, scores, pitch, penalty, blockIdx.x, gridDim.x - 1 - blockIdx.x);
}

__global__ void needleLowerControl(const int* similarity, int* scores, int pitch, int penalty, int tiles) {
  alignUnrolled(similarity, scores, pitch, penalty, tiles - gridDim.x + blockIdx.x, tiles - 1 - blockIdx.x);
}

void alignOnDevice(const int* similarity, int* scores, int length) {
  const int tiles = length / kTile, pitch = length + 1;
  for (int diagonal = 1; diagonal <= tiles; ++diagonal) needleUpper<<<diagonal, kTile>>>(similarity, scores, pitch);
  for (int diagonal = tiles - 1; diagonal >= 1; --diagonal) needleLower<<<diagonal, kTile>>>(similarity, scores, pitch, tiles);
}

void alignWithControlData(const int* similarity, int* scores, int length) {
  const int tiles = length / kTile, pitch = length + 1;
  for (int diagonal = 1; diagonal <= tiles; ++diagonal) needleUpperControl<<<diagonal, kTile>>>(similarity, scores, pitch, kGapPenalty);
  for (int diagonal = tiles - 1; diagonal >= 1; --diagonal)
    needleLowerControl<<<diagonal, kTile>>>(similarity, scores, pitch, kGapPenalty, tiles);
}

void referenceAlign(const std::vector<int>& similarity, std::vector<int>& scores, int length) {
  const int pitch = length + 1;
  for (int row = 1; row <= length; ++row) {
    for (int column = 1; column <= length; ++column) {
      const int cell = row * pitch + column;
      const int aligned = scores[cell - pitch - 1] + similarity[cell];
      const int gap = std::max(scores[cell - 1], scores[cell - pitch]) - kGapPenalty;
      scores[cell] = std::max(aligned, gap);
    }
  }
}

std::string randomSequence(Random& random, int length) {
  std::string sequence(length, 'A');
  for (char& base : sequence) base = "ACGT"[random.below(4)];
  return sequence;
}

// A relative of `ancestor` after substitutions, insertions and deletions, of the same length.
std::string evolve(const std::string& ancestor, Random& random) {
  std::string relative;
  for (char base : ancestor) {
    const unsigned event = random.below(100);
    if (event < 3) continue;
    relative += event < 15 ? "ACGT"[random.below(4)] : base;
    if (event >= 97) relative += "ACGT"[random.below(4)];
  }
  relative += randomSequence(random, int(ancestor.size()));
  return relative.substr(0, ancestor.size());
}

std::vector<int> similarityMatrix(const std::string& rows, const std::string& columns) {
  const size_t pitch = columns.size() + 1;
  std::vector<int> similarity((rows.size() + 1) * pitch, 0);
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t column = 0; column < columns.size(); ++column)
      similarity[(row + 1) * pitch + column + 1] = rows[row] == columns[column] ? kMatch : kMismatch;
  return similarity;
}

std::vector<int> boundary(int length) {
  std::vector<int> scores(size_t(length + 1) * (length + 1), 0);
  for (int i = 0; i <= length; ++i) scores[i] = scores[size_t(i) * (length + 1)] = -i * kGapPenalty;
  return scores;
}

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv,
                                       {"needleman-wunsch",
                                        "global alignment of two nucleotide sequences, 16-wide tiles along diagonals",
                                        "sequences of 256",
                                        "sequences of 1,024",
                                        "sequences of 2,048",
                                        {"plain", "control"},
                                        "plain"});
  const int length = options.pick(256, 1024, 2048);

  Random random(8);
  const std::string first = randomSequence(random, length);
  const std::vector<int> similarity = similarityMatrix(first, evolve(first, random));
  std::vector<int> expected = boundary(length);

  Timings timings;
  const DeviceArray<int> deviceSimilarity(similarity);
  const auto scoresBy = [&](auto align) {
    const DeviceArray<int> scores(boundary(length));
    timings.kernels([&] { align(deviceSimilarity.data(), scores.data(), length); });
    return scores.download();
  };
  std::vector<int> plain, control;
  if (options.runs("plain")) plain = scoresBy(alignOnDevice);
  if (options.runs("control")) control = scoresBy(alignWithControlData);
  timings.reference([&] { referenceAlign(similarity, expected, length); });
  timings.print();
  const bool correct =
      (plain.empty() || expectEqual("scores", expected, plain)) && (control.empty() || expectEqual("scores, control", expected, control));
  return report("needleman-wunsch", correct);
}
